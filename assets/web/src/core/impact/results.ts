/** The results of an impact analysis, prepared for the list and the highlights. */
import type { DependencyPath, ReachedComponent } from '@/api/generated';

/** The role of a component in the results. */
export type ImpactRole = 'start' | 'dependent' | 'dependency' | 'path';

/** The components reached in one direction. */
export interface ImpactResult {
  direction: 'dependents' | 'dependencies';
  reached: readonly ReachedComponent[];
  /** Number of relationships that could lead further but are not followed, by type. */
  notFollowed: Readonly<Record<string, number>>;
}

/** Paths between two components. */
export interface PathsResult {
  from: string;
  to: string;
  paths: readonly DependencyPath[];
  /** Whether all paths of that length are included. */
  complete: boolean;
}

/** The components at one distance. */
export interface DistanceGroup {
  distance: number;
  reached: readonly ReachedComponent[];
}

/** The reached components by distance, nearest first, then by name. */
export function groupByDistance(reached: readonly ReachedComponent[]): DistanceGroup[] {
  const rings = new Map<number, ReachedComponent[]>();
  for (const component of reached) {
    const ring = rings.get(component.distance);
    if (ring) ring.push(component);
    else rings.set(component.distance, [component]);
  }
  return [...rings]
    .sort(([a], [b]) => a - b)
    .map(([distance, all]) => ({
      distance,
      reached: all.sort((a, b) => a.name.localeCompare(b.name, 'en')),
    }));
}

/** The first components of the groups, at most `max` in total. The groups keep their total counts. */
export function firstOfGroups(
  groups: readonly DistanceGroup[],
  max: number,
): (DistanceGroup & { shown: readonly ReachedComponent[] })[] {
  let left = max;
  return groups.flatMap((group) => {
    const shown = group.reached.slice(0, left);
    left -= shown.length;
    return shown.length > 0 ? [{ ...group, shown }] : [];
  });
}

/** The role of each component; the strongest if it has several. */
export interface HighlightedRows {
  components: Map<string, ImpactRole>;
  relationships: Map<string, ImpactRole>;
}

/** The highlights of a result. If a path is selected, only that path. */
export function highlightedBy(
  of: string,
  found: readonly ImpactResult[],
  paths: readonly PathsResult[],
  chosen: DependencyPath | null = null,
): HighlightedRows {
  const highlighted: HighlightedRows = { components: new Map(), relationships: new Map() };
  for (const { direction, reached } of found) {
    const part = direction === 'dependents' ? 'dependent' : 'dependency';
    for (const { componentId, relationshipId } of reached) {
      // A component that is both a dependent and a dependency keeps its first highlight.
      highlighted.components.set(componentId, highlighted.components.get(componentId) ?? part);
      highlighted.relationships.set(relationshipId, highlighted.relationships.get(relationshipId) ?? part);
    }
  }
  for (const { componentIds, relationshipIds } of chosen ? [chosen] : paths.flatMap(({ paths }) => paths)) {
    for (const id of componentIds) highlighted.components.set(id, 'path');
    for (const id of relationshipIds) highlighted.relationships.set(id, 'path');
  }
  highlighted.components.set(of, 'start');
  return highlighted;
}
