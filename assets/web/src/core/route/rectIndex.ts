/** A uniform grid index of rectangles for area queries. */
import type { Rect } from '../scene/geometry';

/** Rectangles and queries that cover more cells than this bypass the grid. */
const MAX_CELLS = 4096;

export class RectIndex {
  readonly #cells = new Map<number, number[]>();
  readonly #large: number[] = [];
  readonly #rects: Rect[];
  readonly #size: number;
  /** The last query that visited each rectangle, to visit it only once per query. */
  readonly #visited: number[] = [];
  #query = 0;

  constructor(rects: readonly Rect[], size = 256) {
    this.#rects = [];
    this.#size = size;
    for (const rect of rects) this.add(rect);
  }

  /** Adds a rectangle and returns its index. */
  add(rect: Rect): number {
    const id = this.#rects.push(rect) - 1;
    this.#visited.push(0);
    const { x, y, width, height } = rect;
    if (this.#countCells(x, y, x + width, y + height) > MAX_CELLS) this.#large.push(id);
    else this.#eachCell(x, y, x + width, y + height, (key) => this.#put(key, id));
    return id;
  }

  /** Visits each rectangle that touches an area exactly once. */
  visit(left: number, top: number, right: number, bottom: number, visit: (rect: Rect, id: number) => void) {
    const query = ++this.#query;
    const see = (id: number) => {
      if (this.#visited[id] === query) return;
      this.#visited[id] = query;
      const rect = this.#rects[id] as Rect;
      if (rect.x <= right && rect.x + rect.width >= left && rect.y <= bottom && rect.y + rect.height >= top)
        visit(rect, id);
    };
    if (this.#countCells(left, top, right, bottom) > MAX_CELLS) {
      for (let id = 0; id < this.#rects.length; id++) see(id);
      return;
    }
    for (const id of this.#large) see(id);
    this.#eachCell(left, top, right, bottom, (key) => {
      const ids = this.#cells.get(key);
      if (ids) for (const id of ids) see(id);
    });
  }

  /** Like `visit`, for a rectangle. */
  visitRect({ x, y, width, height }: Rect, visit: (rect: Rect, id: number) => void): void {
    this.visit(x, y, x + width, y + height, visit);
  }

  #put(key: number, id: number): void {
    const ids = this.#cells.get(key);
    if (ids) ids.push(id);
    else this.#cells.set(key, [id]);
  }

  #countCells(left: number, top: number, right: number, bottom: number): number {
    const size = this.#size;
    return (
      (Math.floor(right / size) - Math.floor(left / size) + 1) *
      (Math.floor(bottom / size) - Math.floor(top / size) + 1)
    );
  }

  #eachCell(left: number, top: number, right: number, bottom: number, visit: (key: number) => void): void {
    const size = this.#size;
    const [lastX, lastY] = [Math.floor(right / size), Math.floor(bottom / size)];
    const firstY = Math.floor(top / size);
    for (let x = Math.floor(left / size); x <= lastX; x++)
      for (let y = firstY; y <= lastY; y++) visit(x * 67108864 + y);
  }
}
