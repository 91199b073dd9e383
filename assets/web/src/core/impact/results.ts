/** What was found about what depends on what, as it is listed and lit. */
import type { Path, Reached } from '@/api/generated';

/** How something takes part in an answer. */
export type ImpactRole = 'asked' | 'dependent' | 'dependency' | 'way';

/** What was reached, one way. */
export interface ImpactResult {
  way: 'dependents' | 'dependencies';
  reached: readonly Reached[];
}

/** Ways from one component to another. */
export interface PathsResult {
  from: string;
  to: string;
  paths: readonly Path[];
  /** Whether there is no other one of that length. */
  complete: boolean;
}

/** What was reached at one distance. */
export interface DistanceGroup {
  distance: number;
  reached: readonly Reached[];
}

/** What was reached, by distance, the nearest first; at each distance by name. */
export function groupByDistance(reached: readonly Reached[]): DistanceGroup[] {
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

/** What takes part, and how: the strongest of what it is. */
export interface HighlightedRows {
  components: Map<string, ImpactRole>;
  relationships: Map<string, ImpactRole>;
}

/** What an answer lights. With a way that is chosen, that one alone of all ways. */
export function highlightedBy(
  of: string,
  found: readonly ImpactResult[],
  paths: readonly PathsResult[],
  chosen: Path | null = null,
): HighlightedRows {
  const highlighted: HighlightedRows = { components: new Map(), relationships: new Map() };
  for (const { way, reached } of found) {
    const part = way === 'dependents' ? 'dependent' : 'dependency';
    for (const { componentId, relationshipId } of reached) {
      // What depends on it and on which it depends is told as the first of the two.
      highlighted.components.set(componentId, highlighted.components.get(componentId) ?? part);
      highlighted.relationships.set(relationshipId, highlighted.relationships.get(relationshipId) ?? part);
    }
  }
  for (const { componentIds, relationshipIds } of chosen ? [chosen] : paths.flatMap(({ paths }) => paths)) {
    for (const id of componentIds) highlighted.components.set(id, 'way');
    for (const id of relationshipIds) highlighted.relationships.set(id, 'way');
  }
  highlighted.components.set(of, 'asked');
  return highlighted;
}
