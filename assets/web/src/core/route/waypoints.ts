/**
 * Routes a line through waypoints, leg by leg. Each leg is searched for both directions in which it can reach the next
 * waypoint, because the cheapest way to a waypoint may require more bends after it.
 */
import type { Point } from '../scene/geometry';
import { simplify } from './polyline';
import type { PathSearch } from './search';
import { EAST, NORTH, SOUTH, type TrackPath, WEST } from './types';

interface Ends {
  from: number;
  to: number;
  seed: number;
}

/** The cheapest path to a waypoint in one direction. */
interface Leg {
  cost: number;
  points: readonly Point[];
  ports: readonly [number, number];
  endState: number;
}

const AXES = [false, true] as const;

export function pathThrough(
  search: PathSearch,
  ends: Ends,
  vertices: readonly number[],
): Pick<TrackPath, 'points' | 'ports'> | null {
  let legs: readonly (Leg | null)[] = [null];
  for (const vertex of vertices) {
    legs = AXES.flatMap((endIsVertical) => {
      const found = cheapestLeg(search, ends, legs, { endVertex: vertex, endIsVertical });
      return found ? [found] : [];
    });
    if (legs.length === 0) return null;
  }
  const last = cheapestLeg(search, ends, legs, {});
  return last && { points: simplify(last.points), ports: last.ports };
}

/** The cheapest continuation of one of the paths in `before`; null is the start of the line. */
function cheapestLeg(
  search: PathSearch,
  { from, to, seed }: Ends,
  before: readonly (Leg | null)[],
  end: { endVertex?: number; endIsVertical?: boolean },
): Leg | null {
  let best: Leg | null = null;
  for (const leg of before) {
    const start = leg ? { startState: leg.endState, blockedSide: reverseSide(leg.points) } : {};
    const found = search.find(from, to, { seed, ...start, ...end });
    if (!found) continue;
    const cost = (leg?.cost ?? 0) + found.cost;
    if (best && best.cost <= cost) continue;
    const ports = [leg?.ports[0] ?? found.ports[0], found.ports[1]] as const;
    best = { cost, points: [...(leg?.points ?? []), ...found.points], ports, endState: found.endState };
  }
  return best;
}

/** The side that leads back to where a path came from. A line must not turn back at a waypoint. */
function reverseSide(points: readonly Point[]): number {
  const [before, end] = points.slice(-2) as [Point, Point | undefined];
  if (!end) return -1;
  if (before.x === end.x) return before.y < end.y ? NORTH : SOUTH;
  return before.x < end.x ? WEST : EAST;
}
