/** Decides whether a line can keep its previous path after a change. */
import { overlaps, type Point, type Rect, rectBetween } from '../scene/geometry';
import { facingPath } from './facing';
import type { Obstacles } from './obstacles';
import rules from './rules.json';
import { portsTowards } from './search';
import { portPoint } from './trackGraph';
import type { RouteLine, RouteNode, TrackPath } from './types';

/** Tracks keep `clearance`; allow for rounding by half a pixel on each side. */
const CLEAR = rules.tracks.clearance - 1;

export function isStillFree(obstacles: Obstacles, line: RouteLine, path: TrackPath): boolean {
  if (!startsAtPorts(obstacles, line, path)) {
    const facing = facingPath(obstacles, line.from, line.to);
    return facing !== null && samePoints(facing.points, path.points);
  }
  for (let at = 1; at < path.points.length; at++) {
    const piece = rectBetween(path.points[at - 1] as Point, path.points[at] as Point);
    if (isBlocked(obstacles, line, piece)) return false;
  }
  return true;
}

function startsAtPorts({ nodes }: Obstacles, { from, to }: RouteLine, { points, ports }: TrackPath): boolean {
  const [source, target] = [nodes[from] as RouteNode, nodes[to] as RouteNode];
  return isAtPort(source, target, ports[0], points[0]) && isAtPort(target, source, ports[1], points.at(-1));
}

function isAtPort(node: RouteNode, other: RouteNode, port: number, point: Point | undefined): boolean {
  const { x, y } = portPoint(node, port);
  return portsTowards(node, other).includes(port) && point?.x === x && point.y === y;
}

function samePoints(one: readonly Point[], other: readonly Point[]): boolean {
  return one.length === other.length && one.every(({ x, y }, at) => x === other[at]?.x && y === other[at]?.y);
}

/** Whether a card or title blocks a segment, or a group's border runs along it. */
function isBlocked(obstacles: Obstacles, { from, to }: RouteLine, piece: Rect): boolean {
  const area = {
    x: piece.x - CLEAR,
    y: piece.y - CLEAR,
    width: piece.width + 2 * CLEAR,
    height: piece.height + 2 * CLEAR,
  };
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  let blocked = false;
  obstacles.visitSolid(area.x, area.y, right, bottom, (rect, owner) => {
    const isEnd = owner === from || owner === to;
    if (overlaps(rect, isEnd ? piece : area)) blocked = true;
  });
  obstacles.visitGroups(area.x, area.y, right, bottom, (rect) => {
    if (runsAlongBorder(rect, piece)) blocked = true;
  });
  return blocked;
}

function runsAlongBorder(rect: Rect, piece: Rect): boolean {
  const isVertical = piece.width === 0;
  const [position, low, high] = isVertical
    ? [piece.x, piece.y, piece.y + piece.height]
    : [piece.y, piece.x, piece.x + piece.width];
  const [near, far] = isVertical ? [rect.x, rect.x + rect.width] : [rect.y, rect.y + rect.height];
  const [start, end] = isVertical ? [rect.y, rect.y + rect.height] : [rect.x, rect.x + rect.width];
  const isBeside = Math.abs(position - near) < CLEAR || Math.abs(position - far) < CLEAR;
  return isBeside && low < end && high > start;
}
