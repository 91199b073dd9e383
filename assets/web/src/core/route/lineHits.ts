/** Finds the line at a point of the map. */
import type { Point, Rect } from '../scene/geometry';
import { distanceToPath, flattenPath, type LinePath, linePath } from '../scene/linePath';
import { memoizeLast } from '../scene/memoize';
import type { Scene } from '../scene/scene';
import { diagonalParts, segmentBounds } from './polyline';
import { RectIndex } from './rectIndex';

/** Longer segments are indexed in parts, because the bounding box of a long diagonal contains most of the map. */
const MAX_SEGMENT = 256;

/** The lines of a map, indexed by their segments. */
export class LineHits {
  readonly #scene: Scene;
  readonly #paths: readonly LinePath[];
  readonly #index = new RectIndex([]);
  /** The line of each indexed rectangle. */
  readonly #lines: number[] = [];

  /** `routes` are polylines by line ID. */
  constructor(scene: Scene, rects: readonly Rect[], routes: ReadonlyMap<string, readonly Point[]>) {
    this.#scene = scene;
    this.#paths = scene.lines.map((line) => linePath(scene, rects, line, routes.get(line.id)));
    for (const [line, path] of this.#paths.entries()) {
      const points = flattenPath(path);
      for (let at = 1; at < points.length; at++)
        this.#addSegment(line, points[at - 1] as Point, points[at] as Point);
    }
  }

  /** The relationships of the line closest to a point, within `reach`; of equally close lines, the last one. */
  at(point: Point, reach: number): readonly string[] | null {
    const near = new Set<number>();
    const { x, y } = point;
    this.#index.visit(x - reach, y - reach, x + reach, y + reach, (_, id) => {
      near.add(this.#lines[id] as number);
    });
    let best = reach;
    let found: number | null = null;
    for (const line of near) {
      const distance = distanceToPath(this.#paths[line] as LinePath, point);
      if (distance > best || (distance === best && line < (found ?? -1))) continue;
      best = distance;
      found = line;
    }
    return found === null ? null : (this.#scene.lines[found]?.ids ?? null);
  }

  #addSegment(line: number, a: Point, b: Point): void {
    for (const [start, end] of diagonalParts(a, b, MAX_SEGMENT)) {
      this.#index.add(segmentBounds(start, end));
      this.#lines.push(line);
    }
  }
}

/** The lines of the map that was searched last. The index is built on the first search of a map. */
const hitsOf = memoizeLast(
  (scene: Scene, rects: readonly Rect[], routes: ReadonlyMap<string, readonly Point[]>) =>
    new LineHits(scene, rects, routes),
);

/** The relationships of the line closest to a point, within `reach`. `routes` are polylines by line ID. */
export function lineAt(
  scene: Scene,
  rects: readonly Rect[],
  routes: ReadonlyMap<string, readonly Point[]>,
  point: Point,
  reach: number,
): readonly string[] | null {
  return hitsOf(scene, rects, routes).at(point, reach);
}
