/** The answer of an impact analysis, for the list and the highlights. */
import type { Path, Reached } from '@/api/generated';

/** The role of a component in an answer. */
export type Part = 'asked' | 'dependent' | 'dependency' | 'way';

/** The components reached in one direction. */
export interface Found {
  way: 'dependents' | 'dependencies';
  reached: readonly Reached[];
}

/** Paths between two components. */
export interface Ways {
  from: string;
  to: string;
  paths: readonly Path[];
  /** Whether all paths of that length are included. */
  complete: boolean;
}

/** The components at one distance. */
export interface Ring {
  distance: number;
  reached: readonly Reached[];
}

/** The reached components by distance, nearest first, then by name. */
export function ringsOf(reached: readonly Reached[]): Ring[] {
  const rings = new Map<number, Reached[]>();
  for (const one of reached) {
    const ring = rings.get(one.distance);
    if (ring) ring.push(one);
    else rings.set(one.distance, [one]);
  }
  return [...rings]
    .sort(([one], [other]) => one - other)
    .map(([distance, all]) => ({
      distance,
      reached: all.sort((one, other) => one.name.localeCompare(other.name, 'en')),
    }));
}

/** The role of each component; the strongest if it has several. */
export interface Lit {
  components: Map<string, Part>;
  relationships: Map<string, Part>;
}

/** The highlights of an answer. With a selected path, only that path. */
export function litBy(
  of: string,
  found: readonly Found[],
  ways: readonly Ways[],
  chosen: Path | null = null,
): Lit {
  const lit: Lit = { components: new Map(), relationships: new Map() };
  for (const { way, reached } of found) {
    const part = way === 'dependents' ? 'dependent' : 'dependency';
    for (const { componentId, relationshipId } of reached) {
      // What depends on it and on which it depends is told as the first of the two.
      lit.components.set(componentId, lit.components.get(componentId) ?? part);
      lit.relationships.set(relationshipId, lit.relationships.get(relationshipId) ?? part);
    }
  }
  for (const { componentIds, relationshipIds } of chosen ? [chosen] : ways.flatMap(({ paths }) => paths)) {
    for (const id of componentIds) lit.components.set(id, 'way');
    for (const id of relationshipIds) lit.relationships.set(id, 'way');
  }
  lit.components.set(of, 'asked');
  return lit;
}
