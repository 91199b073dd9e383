/**
 * Computes the sizes of cards. A card grows to the right and downward to fit its content, as far as there is free
 * space. Other cards and groups are never moved or covered. The groups that contain a card grow with it, under the same
 * condition.
 */
import type { Component } from '@/api/generated';
import {
  CARD_GAP,
  type CardContent,
  MIN_CARD_SIZE,
  preferredHeight,
  preferredWidth,
  type Size,
} from '../drawing/card';
import metrics from '../drawing/card.json';
import { overlaps, type Rect } from './geometry';
import { GROUP_PADDING, nodeRects, type Scene, type SceneNode } from './scene';

export interface CardSize extends Size {
  content: CardContent;
}

/** The size of each node that is not an expanded group, indexed like the nodes. */
export type CardSizes = readonly (CardSize | null)[];

/** Returns the content of a component's card. */
export type ContentOf = (component: Component, isCollapsedGroup: boolean) => CardContent;

export function cardSizes(scene: Scene, contentOf: ContentOf): CardSizes {
  const sizes = scene.nodes.map(({ component, isGroup, inside }): CardSize | null =>
    isGroup ? null : { ...MIN_CARD_SIZE, content: contentOf(component, inside > 0) },
  );
  const room = new FreeRoom(scene, nodeRects(scene));
  for (const [at, size] of sizes.entries()) {
    if (!size) continue;
    const { width: step, height: row } = metrics;
    const width = room.growRight(at, preferredWidth(size.content), step.step);
    sizes[at] = { ...size, width, height: room.growDown(at, preferredHeight(size.content, width), row.step) };
  }
  return sizes;
}

/** The cell size of the grid used to look up cards. */
const CELL = 320;

/** The rectangles of a scene while cards grow. */
class FreeRoom {
  readonly #nodes: readonly SceneNode[];
  readonly #rects: Rect[];
  readonly #groups: number[] = [];
  readonly #cells = new Map<number, number[]>();

  constructor({ nodes }: Scene, rects: Rect[]) {
    this.#nodes = nodes;
    this.#rects = rects;
    for (const [at, node] of nodes.entries()) {
      if (node.isGroup) this.#groups.push(at);
      else this.#enter(at, rects[at] as Rect);
    }
  }

  /** Widens a card toward `wanted` as far as there is free space. Returns its width. */
  growRight(at: number, wanted: number, step: number): number {
    const { width } = this.#rects[at] as Rect;
    for (let to = wanted; to > width; to -= step) if (this.#grow(at, to - width, 0)) return to;
    return width;
  }

  /** Heightens a card toward `wanted` as far as there is free space. Returns its height. */
  growDown(at: number, wanted: number, step: number): number {
    const { height } = this.#rects[at] as Rect;
    for (let to = wanted; to > height; to -= step) if (this.#grow(at, 0, to - height)) return to;
    return height;
  }

  /** Grows a card and its groups in one direction if the space is free. */
  #grow(at: number, dx: number, dy: number): boolean {
    const grown = new Map<number, Rect>();
    let inner = enlarged(this.#rects[at] as Rect, dx, dy);
    grown.set(at, inner);
    for (let group = this.#parent(at); group >= 0; group = this.#parent(group)) {
      const rect = this.#rects[group] as Rect;
      const right = Math.max(rect.x + rect.width, inner.x + inner.width + GROUP_PADDING);
      const bottom = Math.max(rect.y + rect.height, inner.y + inner.height + GROUP_PADDING);
      if (right === rect.x + rect.width && bottom === rect.y + rect.height) break;
      inner = { ...rect, width: right - rect.x, height: bottom - rect.y };
      grown.set(group, inner);
    }
    for (const [node, rect] of grown) if (!this.#isFree(node, rect)) return false;
    for (const [node, rect] of grown) {
      this.#rects[node] = rect;
      if (node === at) this.#enter(at, rect);
    }
    return true;
  }

  /** Whether the area added to a node, plus a gap, overlaps nothing outside the node. */
  #isFree(at: number, rect: Rect): boolean {
    const before = this.#rects[at] as Rect;
    const added = addedArea(before, rect);
    const isForeign = (other: number) =>
      overlaps(this.#rects[other] as Rect, added) && !this.#isWithin(other, at) && !this.#isWithin(at, other);
    if (this.#groups.some(isForeign)) return false;
    return !cellsOf(added).some((key) => this.#cells.get(key)?.some(isForeign));
  }

  /** Whether a node is `outer` or inside it. */
  #isWithin(at: number, outer: number): boolean {
    for (let node = at; node >= 0; node = this.#parent(node)) if (node === outer) return true;
    return false;
  }

  #parent(at: number): number {
    return this.#nodes[at]?.parent ?? -1;
  }

  #enter(at: number, rect: Rect): void {
    for (const key of cellsOf(rect)) {
      const cell = this.#cells.get(key);
      if (!cell) this.#cells.set(key, [at]);
      else if (!cell.includes(at)) cell.push(at);
    }
  }
}

function enlarged(rect: Rect, dx: number, dy: number): Rect {
  return { ...rect, width: rect.width + dx, height: rect.height + dy };
}

/** The area that must be free for a rectangle to grow to the right or downward. */
function addedArea(before: Rect, after: Rect): Rect {
  const { x, y, diagonal } = CARD_GAP;
  if (after.width > before.width) {
    const right = before.x + before.width;
    return {
      x: right,
      y: before.y - diagonal,
      width: after.width - before.width + x,
      height: before.height + 2 * diagonal,
    };
  }
  return {
    x: before.x - diagonal,
    y: before.y + before.height,
    width: before.width + 2 * diagonal,
    height: after.height - before.height + y,
  };
}

/** Cells that share a key only cost extra comparisons. */
const ROWS = 2 ** 20;

function cellsOf({ x, y, width, height }: Rect): number[] {
  const keys: number[] = [];
  for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++) {
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++) {
      keys.push(column * ROWS + row);
    }
  }
  return keys;
}
