/** Texts of the impact view. */
import { formatCount } from '../text';
import type { ImpactDirection } from './query';
import type { ImpactResult, PathsResult } from './results';

export const DIRECTION_NAMES: Readonly<Record<Exclude<ImpactDirection, 'between'>, string>> = {
  dependents: 'Dependents',
  dependencies: 'Dependencies',
  both: 'Both',
};

/** The title of the impact view. */
export function impactQueryTitle(direction: ImpactDirection, name: string, other: string): string {
  switch (direction) {
    case 'dependents':
      return `What depends on “${name}”?`;
    case 'dependencies':
      return `What does “${name}” depend on?`;
    case 'both':
      return `Dependents and dependencies of “${name}”`;
    case 'between':
      return `Paths between “${name}” and “${other}”`;
  }
}

/** The summary of a result; for paths, their number. */
export function impactSummary({
  found,
  paths,
}: {
  found: readonly ImpactResult[];
  paths: readonly PathsResult[];
}): string {
  if (found.length > 0) return found.map(directionSummary).join(' ');
  return `${formatCount(
    paths.reduce((sum, { paths }) => sum + paths.length, 0),
    'path',
  )}.`;
}

/** The summary of one direction: number of components and largest distance. */
function directionSummary({ direction, reached }: ImpactResult): string {
  const farthest = Math.max(0, ...reached.map(({ distance }) => distance));
  const far = farthest > 1 ? `, up to ${farthest} relationships away` : '';
  if (direction === 'dependencies') {
    return reached.length === 0
      ? 'No dependencies.'
      : `Depends on ${formatCount(reached.length, 'component')}${far}.`;
  }
  if (reached.length === 0) return 'No dependents.';
  return `${formatCount(reached.length, 'component')} ${reached.length === 1 ? 'depends' : 'depend'} on it${far}.`;
}

/** The relationship through which a component was reached, read from its source to its target. */
export function reachedBy(isSource: boolean, type: string, from: string): string {
  return isSource ? `${type} ${from}` : `${from} ${type} it`;
}

/** The types that could lead further but are not followed, with their numbers of relationships; null if there are none. */
export function notFollowedText(
  found: readonly ImpactResult[],
  typeName: (id: string) => string,
): string | null {
  const counts = new Map<string, number>();
  for (const { notFollowed } of found) {
    // Both directions count the same relationships of undirected types.
    for (const [type, count] of Object.entries(notFollowed)) {
      counts.set(type, Math.max(counts.get(type) ?? 0, count));
    }
  }
  if (counts.size === 0) return null;
  const parts = [...counts].map(([type, count]) => `${count.toLocaleString('en')} ${typeName(type)}`);
  return `Not followed: ${parts.join(', ')}.`;
}
