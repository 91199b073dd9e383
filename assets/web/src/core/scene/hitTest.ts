/** Hit testing by point, selection frame and direction, and the reading order of nodes. */
import { center, containsPoint, containsRect, overlaps, type Point, type Rect } from './geometry';
import { handleRect, type Scene, type SceneNode } from './scene';

/** The innermost node at a point. Groups are hit only at their title. */
export function nodeAt(scene: Scene, rects: readonly Rect[], point: Point): SceneNode | null {
  for (let at = scene.nodes.length - 1; at >= 0; at--) {
    const node = scene.nodes[at] as SceneNode;
    if (containsPoint(handleRect(node, rects[at] as Rect), point)) return node;
  }
  return null;
}

/** The innermost group whose area contains a point. */
export function groupAt(scene: Scene, rects: readonly Rect[], point: Point): SceneNode | null {
  return innermostAt(scene, rects, point, ({ isGroup }) => isGroup);
}

/** Like `groupAt`, including collapsed groups, but without groups in `except`. */
export function dropTargetAt(
  scene: Scene,
  rects: readonly Rect[],
  point: Point,
  except: ReadonlySet<string>,
): SceneNode | null {
  return innermostAt(
    scene,
    rects,
    point,
    ({ id, isGroup, inside }) => (isGroup || inside > 0) && !except.has(id),
  );
}

function innermostAt(
  scene: Scene,
  rects: readonly Rect[],
  point: Point,
  isWanted: (node: SceneNode) => boolean,
): SceneNode | null {
  for (let at = scene.nodes.length - 1; at >= 0; at--) {
    const node = scene.nodes[at] as SceneNode;
    if (isWanted(node) && containsPoint(rects[at] as Rect, point)) return node;
  }
  return null;
}

/** The nodes in a selection frame: components that intersect it and groups that are entirely inside. */
export function nodesIn(scene: Scene, rects: readonly Rect[], frame: Rect): string[] {
  return scene.nodes
    .filter(({ isGroup }, at) =>
      isGroup ? containsRect(frame, rects[at] as Rect) : overlaps(frame, rects[at] as Rect),
    )
    .map(({ id }) => id);
}

/** Nodes whose vertical distance is smaller are in the same row. */
const ROW = 48;

/** Sorts items in reading order: row by row, left to right. */
export function inReadingOrder<T extends Point>(items: readonly T[]): T[] {
  const left = items.toSorted((a, b) => a.y - b.y || a.x - b.x);
  const rows: { y: number; items: T[] }[] = [];
  for (const item of left) {
    const row = rows.at(-1);
    if (row && item.y - row.y < ROW) row.items.push(item);
    else rows.push({ y: item.y, items: [item] });
  }
  return rows.flatMap(({ items: some }) => some.sort((a, b) => a.x - b.x));
}

export type Direction = 'left' | 'right' | 'up' | 'down';

export const DIRECTION_STEP: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** The closest connected component in a direction; null if there is none. */
export function connectedInDirection(
  scene: Scene,
  rects: readonly Rect[],
  id: string,
  direction: Direction,
): string | null {
  const start = scene.indexOf.get(id);
  if (start === undefined) return null;
  const connected = new Set<number>();
  for (const { from, to } of scene.lines) {
    if (from === start) connected.add(to);
    if (to === start) connected.add(from);
  }
  connected.delete(start);
  const candidates = [...connected].map((at) => ({ id: scene.nodes[at]?.id ?? '', rect: rects[at] as Rect }));
  return closestInDirection(rects[start] as Rect, candidates, direction)?.id ?? null;
}

/** The closest of these items in a direction; undefined if there is none. */
export function closestInDirection<T extends { rect: Rect }>(
  from: Rect,
  candidates: readonly T[],
  direction: Direction,
): T | undefined {
  const start = center(from);
  const { x: ux, y: uy } = DIRECTION_STEP[direction];
  let found: T | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of candidates) {
    const to = center(item.rect);
    const ahead = (to.x - start.x) * ux + (to.y - start.y) * uy;
    const aside = Math.abs((to.x - start.x) * uy + (to.y - start.y) * ux);
    // Limit to 60° from the direction.
    if (ahead <= 0 || aside > ahead * 1.74) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) {
      least = cost;
      found = item;
    }
  }
  return found;
}
