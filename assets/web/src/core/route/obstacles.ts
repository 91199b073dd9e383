/** Obstacles for line routing, and distances to them. */
import { boundingBox, overlaps, type Point, type Rect } from '../scene/geometry';
import { RectIndex } from './rectIndex';
import rules from './rules.json';
import { EAST, type RouteNode, SOUTH, WEST } from './types';

const { clearance, wideGap, margin } = rules.tracks;

export class Obstacles {
  /** Indexes of the cards and groups in the window. */
  readonly cards: readonly number[];
  readonly groups: readonly number[];
  /** The tracks end at these bounds. */
  readonly bounds: Rect;
  readonly nodes: readonly RouteNode[];
  /** Cards and titles, which lines must not cross. */
  readonly #solid: RectIndex;
  /** The node that each solid rectangle belongs to. */
  readonly #owners: number[] = [];
  readonly #groupIndex: RectIndex;

  /** Only nodes that overlap the window are obstacles. `points` extend the bounds. */
  constructor(nodes: readonly RouteNode[], window: Rect | null, points: readonly Point[]) {
    this.nodes = nodes;
    const seen = [...nodes.keys()].filter((at) => !window || overlaps(nodes[at] as Rect, window));
    this.cards = seen.filter((at) => !nodes[at]?.isGroup);
    this.groups = seen.filter((at) => nodes[at]?.isGroup);
    this.#solid = new RectIndex([]);
    for (const at of this.cards) {
      this.#solid.add(nodes[at] as Rect);
      this.#owners.push(at);
    }
    for (const at of this.groups) {
      for (const title of (nodes[at] as RouteNode).titles) {
        this.#solid.add(title);
        this.#owners.push(at);
      }
    }
    this.#groupIndex = new RectIndex(
      this.groups.map((at) => nodes[at] as Rect),
      1024,
    );
    this.bounds = boundsOf(
      seen.map((at) => nodes[at] as Rect),
      window,
      points,
    );
  }

  /** Visits the cards and titles that touch an area. */
  visitSolid(
    left: number,
    top: number,
    right: number,
    bottom: number,
    visit: (rect: Rect, owner: number) => void,
  ): void {
    this.#solid.visit(left, top, right, bottom, (rect, id) => visit(rect, this.#owners[id] as number));
  }

  /** Visits the groups that touch an area. */
  visitGroups(
    left: number,
    top: number,
    right: number,
    bottom: number,
    visit: (rect: Rect, owner: number) => void,
  ): void {
    this.#groupIndex.visit(left, top, right, bottom, (rect, id) => visit(rect, this.groups[id] as number));
  }

  /** Distance from a side of a node to the nearest border; infinite if there is none within `wideGap`. */
  gap(node: number, side: number): number {
    const from = this.nodes[node] as Rect;
    let best = Number.POSITIVE_INFINITY;
    const consider = (distance: number) => {
      if (distance >= -0.01 && distance < best) best = distance;
    };
    const see = (rect: Rect, owner: number, isGroup: boolean) => {
      if (owner === node) return;
      const [near, far] = bordersFrom(rect, side, from);
      consider(near);
      if (isGroup) consider(far);
    };
    const area = areaBeside(from, side);
    this.visitSolid(...area, (rect, owner) => see(rect, owner, false));
    this.visitGroups(...area, (rect, owner) => see(rect, owner, true));
    return best;
  }

  /** How far a track can extend from a point in a direction (1 or -1) before it gets too close to a card or title. */
  reach(isVertical: boolean, position: number, from: number, direction: 1 | -1): number {
    const end = this.#boundary(isVertical, direction);
    let step = 512;
    for (let start = from; ; step *= 2) {
      const to = start + direction * step;
      const stop = this.#stopBetween(isVertical, position, from, start, to, direction);
      if (Number.isFinite(stop)) return stop;
      if (direction > 0 ? to >= end : to <= end) return end;
      start = to;
    }
  }

  #boundary(isVertical: boolean, direction: 1 | -1): number {
    const { x, y, width, height } = this.bounds;
    if (direction > 0) return isVertical ? y + height : x + width;
    return isVertical ? y : x;
  }

  #stopBetween(
    isVertical: boolean,
    position: number,
    from: number,
    start: number,
    to: number,
    direction: 1 | -1,
  ): number {
    // Slightly less than the clearance, so that tracks at exactly that distance pass.
    const reach = clearance - 0.6;
    let best = direction * Number.POSITIVE_INFINITY;
    const [low, high] = [Math.min(start, to), Math.max(start, to)];
    const see = (rect: Rect) => {
      const [near, far] = isVertical ? [rect.y, rect.y + rect.height] : [rect.x, rect.x + rect.width];
      const [one, other] = isVertical ? [rect.x, rect.x + rect.width] : [rect.y, rect.y + rect.height];
      if (position <= one - reach || position >= other + reach) return;
      if (direction > 0 && far > from) best = Math.min(best, Math.max(from, near - clearance));
      if (direction < 0 && near < from) best = Math.max(best, Math.min(from, far + clearance));
    };
    if (isVertical) this.visitSolid(position - reach, low, position + reach, high, see);
    else this.visitSolid(low, position - reach, high, position + reach, see);
    return best;
  }
}

/** The area next to a side, as left, top, right, bottom. */
function areaBeside({ x, y, width, height }: Rect, side: number): readonly [number, number, number, number] {
  const [right, bottom] = [x + width, y + height];
  if (side === EAST) return [right, y - 4, right + wideGap, bottom + 4];
  if (side === WEST) return [x - wideGap, y - 4, x, bottom + 4];
  if (side === SOUTH) return [x - 4, bottom, right + 4, bottom + wideGap];
  return [x - 4, y - wideGap, right + 4, y];
}

/** Distances from a side to the near and far borders of a rectangle. */
function bordersFrom(rect: Rect, side: number, from: Rect): readonly [number, number] {
  const [right, bottom] = [from.x + from.width, from.y + from.height];
  if (side === EAST) return [rect.x - right, rect.x + rect.width - right];
  if (side === WEST) return [from.x - rect.x - rect.width, from.x - rect.x];
  if (side === SOUTH) return [rect.y - bottom, rect.y + rect.height - bottom];
  return [from.y - rect.y - rect.height, from.y - rect.y];
}

function boundsOf(rects: readonly Rect[], window: Rect | null, points: readonly Point[]): Rect {
  const all = boundingBox([...rects, ...points.map(({ x, y }) => ({ x, y, width: 0, height: 0 }))]);
  const { x, y, width, height } = all ?? { x: 0, y: 0, width: 0, height: 0 };
  const [left, top] = [x - margin, y - margin];
  const [right, bottom] = [x + width + margin, y + height + margin];
  if (!window) return { x: left, y: top, width: right - left, height: bottom - top };
  const cut = { x: Math.max(left, window.x), y: Math.max(top, window.y) };
  return {
    ...cut,
    width: Math.min(right, window.x + window.width) - cut.x,
    height: Math.min(bottom, window.y + window.height) - cut.y,
  };
}
