/** The straight pieces of paths between two bends, and how far each piece can be shifted. */
import type { Point, Rect } from '../scene/geometry';
import type { Obstacles } from './obstacles';
import rules from './rules.json';
import type { RouteLine, TrackPath } from './types';

const { reach, lookAhead, cardPadding, groupPadding, cornerOfCard, arrowSpace, startSpace } = rules.spread;

export interface Piece {
  /** Index of the path, and of the piece within the path. */
  path: number;
  at: number;
  isVertical: boolean;
  /** The coordinate across the piece, and its extent along the axis. */
  position: number;
  low: number;
  high: number;
  /** The range of allowed positions. */
  min: number;
  max: number;
  /** The position after spreading. */
  offset: number;
}

export function piecesOf({ points }: TrackPath, path: number): Piece[] {
  return points.slice(1).map((b, at) => {
    const a = points[at] as Point;
    const isVertical = a.x === b.x;
    const position = isVertical ? a.x : a.y;
    return {
      path,
      at,
      isVertical,
      position,
      low: isVertical ? Math.min(a.y, b.y) : Math.min(a.x, b.x),
      high: isVertical ? Math.max(a.y, b.y) : Math.max(a.x, b.x),
      min: position,
      max: position,
      offset: position,
    };
  });
}

/** Limits a piece to positions that keep clear of cards and groups. */
export function setRange(
  obstacles: Obstacles,
  piece: Piece,
  { points, pinned }: TrackPath,
  { from, to }: RouteLine,
): void {
  const last = points.length - 2;
  if (pinned?.some((point) => liesOn(piece, point))) return;
  piece.min = piece.position - reach;
  piece.max = piece.position + reach;
  const source = obstacles.nodes[from] as Rect;
  const target = obstacles.nodes[to] as Rect;
  if (piece.at === last - 1) keepClear(piece, target, false, spaceBefore(piece, target));
  if (piece.at === 1) keepClear(piece, source, false, Math.min(spaceBefore(piece, source), startSpace));
  keepClearOfAll(obstacles, piece, extentOf(piece, points, last));
  if (piece.at === 0) keepOnSide(piece, source);
  if (piece.at === last) keepOnSide(piece, target);
}

/** The extent in which obstacles are considered: slightly longer than the piece, because its bends may also move. */
function extentOf(piece: Piece, points: readonly Point[], last: number): readonly [number, number] {
  const a = points[piece.at] as Point;
  const b = points[piece.at + 1] as Point;
  const isAhead = piece.isVertical ? b.y > a.y : b.x > a.x;
  const lowIsPort = isAhead ? piece.at === 0 : piece.at === last;
  const highIsPort = isAhead ? piece.at === last : piece.at === 0;
  return [piece.low + (lowIsPort ? 1 : -lookAhead), piece.high + (highIsPort ? -1 : lookAhead)];
}

function keepClearOfAll(obstacles: Obstacles, piece: Piece, [low, high]: readonly [number, number]): void {
  if (high <= low) return;
  const [from, to] = [piece.position - reach, piece.position + reach];
  const area = piece.isVertical ? ([from, low, to, high] as const) : ([low, from, high, to] as const);
  obstacles.visitSolid(...area, (rect) => keepClear(piece, rect, false, cardPadding));
  obstacles.visitGroups(...area, (rect) => keepClear(piece, rect, true, groupPadding));
}

/** Keeps a piece on its side of a card, and prevents it from crossing a group's border sideways. */
function keepClear(piece: Piece, rect: Rect, isGroup: boolean, padding: number): void {
  const [near, far] = piece.isVertical ? [rect.x, rect.x + rect.width] : [rect.y, rect.y + rect.height];
  const { position } = piece;
  if (isGroup || position <= (near + far) / 2) keepClearOfWall(piece, near, padding);
  if (isGroup || position > (near + far) / 2) keepClearOfWall(piece, far, padding);
}

function keepClearOfWall(piece: Piece, wall: number, padding: number): void {
  const { position } = piece;
  if (wall >= position) piece.max = Math.min(piece.max, Math.max(position, wall - padding));
  else piece.min = Math.max(piece.min, Math.min(position, wall + padding));
}

/** Leaves space for the arrowhead in front of the target card. */
function spaceBefore({ isVertical, position }: Piece, rect: Rect): number {
  const [near, far] = isVertical ? [rect.x, rect.x + rect.width] : [rect.y, rect.y + rect.height];
  const distance = Math.max(near - position, position - far);
  return Math.max(cardPadding, Math.min(arrowSpace, distance * 0.6));
}

/** Keeps the ends of a line away from the corners of a card. */
function keepOnSide(piece: Piece, rect: Rect): void {
  const [near, far] = piece.isVertical ? [rect.x, rect.x + rect.width] : [rect.y, rect.y + rect.height];
  piece.min = Math.min(piece.position, Math.max(piece.min, near + cornerOfCard));
  piece.max = Math.max(piece.position, Math.min(piece.max, far - cornerOfCard));
}

function liesOn({ isVertical, position, low, high }: Piece, { x, y }: Point): boolean {
  return isVertical ? x === position && y >= low && y <= high : y === position && x >= low && x <= high;
}
