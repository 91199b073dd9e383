/** Rows of cards in a region. */
import type { Size } from '../drawing/card';
import { boundingBox, center, GRID_SIZE, type Point, type Rect } from '../scene/geometry';

/** The distances between cards leave room for lines. */
const GAP = { x: 80, y: 60 } as const;
/** The width of a region divided by its height, as on most screens. */
const ASPECT = 1.6;

/**
 * Moves rectangles into rows of equal cells, from the position of the first cell. Those above others and to the left of
 * others remain so, roughly. Returns the area that they cover.
 */
export function fillRows(rects: readonly Rect[], maxWidth = Number.POSITIVE_INFINITY): Rect {
  const cell = { width: 0, height: 0 };
  for (const { width, height } of rects) {
    // Whole steps of the grid, which all positions are moved to later, keep the distances equal.
    cell.width = Math.max(cell.width, upToGrid(width + GAP.x));
    cell.height = Math.max(cell.height, upToGrid(height + GAP.y));
  }
  const columns = columnCount(rects.length, cell, maxWidth);
  const sorted = rects.toSorted((a, b) => center(a).y - center(b).y);
  for (let row = 0; row * columns < sorted.length; row++) {
    const some = sorted.slice(row * columns, (row + 1) * columns);
    some.sort((a, b) => center(a).x - center(b).x);
    for (const [column, rect] of some.entries()) {
      rect.x = (column + 0.5) * cell.width - rect.width / 2;
      rect.y = (row + 0.5) * cell.height - rect.height / 2;
    }
  }
  return boundingBox(rects) as Rect;
}

/** The number of columns that leaves the fewest cells of the last row empty, of those that result in a good shape. */
function columnCount(count: number, { width, height }: Size, maxWidth: number): number {
  const largest = Math.max(1, Math.floor((maxWidth + GAP.x) / width));
  if (Number.isFinite(maxWidth)) return Math.min(count, largest);
  const best = Math.max(1, Math.round(Math.sqrt((count * ASPECT * height) / width)));
  const empty = (columns: number) => Math.ceil(count / columns) * columns - count;
  return [best, best + 1, best > 4 ? best - 1 : best].reduce((a, b) => (empty(b) < empty(a) ? b : a));
}

function upToGrid(value: number): number {
  return Math.ceil(value / GRID_SIZE) * GRID_SIZE;
}

/** The neighbors of each rectangle, with weights. */
export type Neighbors = readonly (readonly (readonly [number, number])[])[];

const MAX_PASSES = 4;
/** The number of following members that a member may be exchanged with, which bounds the time for large regions. */
const MAX_DISTANCE = 120;

/** Exchanges rectangles in the same rows as long as that shortens their links. */
export function shortenLinks(rects: readonly Rect[], members: readonly number[], neighbors: Neighbors): void {
  const centers = rects.map(center);
  const cost = (at: number, { x, y }: Point, except: number) => {
    let sum = 0;
    for (const [other, weight] of neighbors[at] ?? []) {
      if (other === except) continue;
      const to = centers[other] as Point;
      sum += weight * (Math.abs(to.x - x) + Math.abs(to.y - y));
    }
    return sum;
  };
  for (let pass = 0, hasMoved = true; hasMoved && pass < MAX_PASSES; pass++) {
    hasMoved = false;
    for (const [index, a] of members.entries()) {
      for (const b of members.slice(index + 1, index + 1 + MAX_DISTANCE)) {
        const [from, to] = [centers[a] as Point, centers[b] as Point];
        const before = cost(a, from, b) + cost(b, to, a);
        if (cost(a, to, b) + cost(b, from, a) >= before - 1e-6) continue;
        [centers[a], centers[b]] = [to, from];
        hasMoved = true;
      }
    }
  }
  for (const at of members) {
    const rect = rects[at] as Rect;
    const { x, y } = centers[at] as Point;
    rect.x = x - rect.width / 2;
    rect.y = y - rect.height / 2;
  }
}
