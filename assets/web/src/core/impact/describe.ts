/** How questions about dependencies, and their answers, are said. */
import { counted } from '../text';
import type { Way } from './question';
import type { Found, Ways } from './results';

export const WAY_NAMES: Readonly<Record<Exclude<Way, 'between'>, string>> = {
  dependents: 'What depends on it',
  dependencies: 'What it depends on',
  both: 'Both',
};

/** The question itself. */
export function askedOf(way: Way, name: string, other: string): string {
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
export function saidOfAll({ found, ways }: { found: readonly Found[]; ways: readonly Ways[] }): string {
  if (found.length > 0) return found.map(saidOf).join(' ');
  return `${counted(
    ways.reduce((sum, { paths }) => sum + paths.length, 0),
    'path',
  )}.`;
}

/** What was found one way: how many, and how far. */
function saidOf({ way, reached }: Found): string {
  const farthest = Math.max(0, ...reached.map(({ distance }) => distance));
  const far = farthest > 1 ? `, at most ${farthest} relationships away` : '';
  if (way === 'dependencies') {
    return reached.length === 0
      ? 'It depends on nothing.'
      : `It depends on ${counted(reached.length, 'component')}${far}.`;
  }
  if (reached.length === 0) return 'Nothing depends on it.';
  return `${counted(reached.length, 'component')} ${reached.length === 1 ? 'depends' : 'depend'} on it${far}.`;
}

/** By which relationship something was reached. */
export function reachedBy(way: Found['way'], type: string, from: string): string {
  return way === 'dependents' ? `${type} ${from}` : `${from} ${type} it`;
}
