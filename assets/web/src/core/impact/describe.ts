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

/** The relationship through which a component was reached. */
export function reachedBy(direction: ImpactResult['direction'], type: string, from: string): string {
  return direction === 'dependents' ? `${type} ${from}` : `${from} ${type} it`;
}
