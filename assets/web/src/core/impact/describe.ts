/** How questions about dependencies, and their answers, are said. */
import { formatCount } from '../text';
import type { ImpactDirection } from './question';
import type { ImpactResult, PathsResult } from './results';

export const DIRECTION_NAMES: Readonly<Record<Exclude<ImpactDirection, 'between'>, string>> = {
  dependents: 'What depends on it',
  dependencies: 'What it depends on',
  both: 'Both',
};

/** The question itself. */
export function impactQueryTitle(way: ImpactDirection, name: string, other: string): string {
  switch (way) {
    case 'dependents':
      return `What depends on “${name}”?`;
    case 'dependencies':
      return `What does “${name}” depend on?`;
    case 'both':
      return `What depends on “${name}”, and on what does it depend?`;
    case 'between':
      return `Paths between “${name}” and “${other}”`;
  }
}

/** What was found in all; of ways alone, how many. */
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

/** What was found one way: how many, and how far. */
function directionSummary({ way, reached }: ImpactResult): string {
  const farthest = Math.max(0, ...reached.map(({ distance }) => distance));
  const far = farthest > 1 ? `, at most ${farthest} relationships away` : '';
  if (way === 'dependencies') {
    return reached.length === 0
      ? 'It depends on nothing.'
      : `It depends on ${formatCount(reached.length, 'component')}${far}.`;
  }
  if (reached.length === 0) return 'Nothing depends on it.';
  return `${formatCount(reached.length, 'component')} ${reached.length === 1 ? 'depends' : 'depend'} on it${far}.`;
}

/** By which relationship something was reached. */
export function reachedBy(way: ImpactResult['way'], type: string, from: string): string {
  return way === 'dependents' ? `${type} ${from}` : `${from} ${type} it`;
}
