/** Texts of the impact view. */
import { counted } from '../words';
import type { Found, Ways } from './answer';
import type { Way } from './question';

export const WAY_NAMES: Readonly<Record<Exclude<Way, 'between'>, string>> = {
  dependents: 'Dependents',
  dependencies: 'Dependencies',
  both: 'Both',
};

/** The title of the impact view. */
export function askedOf(way: Way, name: string, other: string): string {
  switch (way) {
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

/** The summary of an answer; for paths, their number. */
export function saidOfAll({ found, ways }: { found: readonly Found[]; ways: readonly Ways[] }): string {
  if (found.length > 0) return found.map(saidOf).join(' ');
  return `${counted(
    ways.reduce((sum, { paths }) => sum + paths.length, 0),
    'path',
  )}.`;
}

/** The summary of one direction: number of components and largest distance. */
function saidOf({ way, reached }: Found): string {
  const farthest = Math.max(0, ...reached.map(({ distance }) => distance));
  const far = farthest > 1 ? `, up to ${farthest} relationships away` : '';
  if (way === 'dependencies') {
    return reached.length === 0
      ? 'No dependencies.'
      : `Depends on ${counted(reached.length, 'component')}${far}.`;
  }
  if (reached.length === 0) return 'No dependents.';
  return `${counted(reached.length, 'component')} ${reached.length === 1 ? 'depends' : 'depend'} on it${far}.`;
}

/** The relationship through which a component was reached. */
export function reachedBy(way: Found['way'], type: string, from: string): string {
  return way === 'dependents' ? `${type} ${from}` : `${from} ${type} it`;
}
