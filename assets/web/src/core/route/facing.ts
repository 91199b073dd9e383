/** Straight lines between nodes that face each other. */
import type { Point, Rect } from '../scene/geometry';
import type { Obstacles } from './obstacles';
import rules from './rules.json';
import { EAST, NORTH, SOUTH, type TrackPath, WEST } from './types';

/** Minimum overlap of the two facing sides. */
const MIN_OVERLAP = 2 * rules.spread.cornerOfCard + 4;

/**
 * Returns a straight line between two nodes, or null if the nodes do not face each other or something is in between.
 */
export function facingPath(obstacles: Obstacles, from: number, to: number): TrackPath | null {
  const source = obstacles.nodes[from] as Rect;
  const target = obstacles.nodes[to] as Rect;
  return (
    between(obstacles, from, to, source, target, false) ?? between(obstacles, from, to, source, target, true)
  );
}

function between(
  obstacles: Obstacles,
  from: number,
  to: number,
  source: Rect,
  target: Rect,
  isVertical: boolean,
): TrackPath | null {
  const one = spans(source, isVertical);
  const other = spans(target, isVertical);
  const low = Math.max(one.low, other.low);
  const high = Math.min(one.high, other.high);
  if (high - low < MIN_OVERLAP) return null;
  const isAhead = other.near >= one.far;
  if (!isAhead && other.far > one.near) return null;
  const position = (low + high) / 2;
  const [start, end] = isAhead ? [one.far, other.near] : [one.near, other.far];
  if (!isFree(obstacles, from, to, isVertical, position, start, end)) return null;
  const at = (along: number): Point => (isVertical ? { x: position, y: along } : { x: along, y: position });
  const [ahead, back] = isVertical ? [SOUTH, NORTH] : [EAST, WEST];
  return { points: [at(start), at(end)], ports: isAhead ? [ahead, back] : [back, ahead], trunk: -1 };
}

/** The extent of a rectangle along an axis (`near`, `far`) and across it (`low`, `high`). */
function spans({ x, y, width, height }: Rect, isVertical: boolean) {
  return isVertical
    ? { near: y, far: y + height, low: x, high: x + width }
    : { near: x, far: x + width, low: y, high: y + height };
}

function isFree(
  obstacles: Obstacles,
  from: number,
  to: number,
  isVertical: boolean,
  position: number,
  start: number,
  end: number,
): boolean {
  const { clearance } = rules.tracks;
  const [low, high] = [Math.min(start, end), Math.max(start, end)];
  const [left, right] = isVertical ? [position - clearance, position + clearance] : [low, high];
  const [top, bottom] = isVertical ? [low, high] : [position - clearance, position + clearance];
  let free = true;
  obstacles.visitSolid(left, top, right, bottom, (rect, owner) => {
    if (owner === from || owner === to) return;
    if (rect.x < right && rect.x + rect.width > left && rect.y < bottom && rect.y + rect.height > top)
      free = false;
  });
  return free;
}
