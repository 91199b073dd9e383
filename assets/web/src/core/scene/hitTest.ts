/** What is where: under a point, in a frame, next to something, and in which order things are read. */
import { center, containsPoint, containsRect, overlaps, type Point, type Rect } from './geometry';
import { distanceToPath, linePath } from './linePath';
import { handleRect, type Scene, type SceneNode } from './scene';

/** The node under a point, the innermost first. Boxes are met at their title alone. */
export function nodeAt(scene: Scene, rects: readonly Rect[], point: Point): SceneNode | null {
  for (let at = scene.nodes.length - 1; at >= 0; at--) {
    const node = scene.nodes[at] as SceneNode;
    if (containsPoint(handleRect(node, rects[at] as Rect), point)) return node;
  }
  return null;
}

/** The innermost box in whose body a point is. */
export function groupAt(scene: Scene, rects: readonly Rect[], point: Point): SceneNode | null {
  for (let at = scene.nodes.length - 1; at >= 0; at--) {
    const node = scene.nodes[at] as SceneNode;
    if (node.isGroup && containsPoint(rects[at] as Rect, point)) return node;
  }
  return null;
}

/** The relationships whose line passes within `reach` of a point, the nearest line's. */
export function lineAt(
  scene: Scene,
  rects: readonly Rect[],
  point: Point,
  reach: number,
): readonly string[] | null {
  let best = reach;
  let found: readonly string[] | null = null;
  for (const line of scene.lines) {
    const distance = distanceToPath(linePath(scene, rects, line), point);
    if (distance <= best) {
      best = distance;
      found = line.ids;
    }
  }
  return found;
}

/** What a frame takes: components it touches, boxes that are all in it. */
export function nodesIn(scene: Scene, rects: readonly Rect[], frame: Rect): string[] {
  return scene.nodes
    .filter(({ isGroup }, at) =>
      isGroup ? containsRect(frame, rects[at] as Rect) : overlaps(frame, rects[at] as Rect),
    )
    .map(({ id }) => id);
}

/** Heights nearer than this are one row to a reader. */
const ROW = 48;

/** All nodes as one reads: by rows, and from left to right in a row. */
export function readingOrder(scene: Scene, rects: readonly Rect[]): string[] {
  const left = scene.nodes.map(({ id }, at) => ({ id, x: rects[at]?.x ?? 0, y: rects[at]?.y ?? 0 }));
  left.sort((one, other) => one.y - other.y || one.x - other.x);
  const rows: { y: number; ids: typeof left }[] = [];
  for (const one of left) {
    const row = rows.at(-1);
    if (row && one.y - row.y < ROW) row.ids.push(one);
    else rows.push({ y: one.y, ids: [one] });
  }
  return rows.flatMap(({ ids }) => ids.sort((one, other) => one.x - other.x).map(({ id }) => id));
}

export type Direction = 'left' | 'right' | 'up' | 'down';

export const DIRECTION_STEP: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/**
 * Where one gets by walking in a direction: to the best placed of those it has a line with, else to the best placed of
 * all. None when nothing is there.
 */
export function neighborInDirection(
  scene: Scene,
  rects: readonly Rect[],
  id: string,
  direction: Direction,
): string | null {
  const here = scene.indexOf.get(id);
  if (here === undefined) return null;
  const connected = new Set<number>();
  for (const { from, to } of scene.lines) {
    if (from === here) connected.add(to);
    if (to === here) connected.add(from);
  }
  return best(scene, rects, here, direction, connected) ?? best(scene, rects, here, direction, null);
}

function best(
  scene: Scene,
  rects: readonly Rect[],
  here: number,
  direction: Direction,
  among: ReadonlySet<number> | null,
): string | null {
  const start = center(rects[here] as Rect);
  const { x: ux, y: uy } = DIRECTION_STEP[direction];
  let found: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, { id, isGroup }] of scene.nodes.entries()) {
    if (at === here || (among ? !among.has(at) : isGroup)) continue;
    const to = center(rects[at] as Rect);
    const ahead = (to.x - start.x) * ux + (to.y - start.y) * uy;
    const aside = Math.abs((to.x - start.x) * uy + (to.y - start.y) * ux);
    // Within 60° of the direction: what is further aside is found by another key.
    if (ahead <= 0 || aside > ahead * 1.74) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) {
      least = cost;
      found = id;
    }
  }
  return found;
}
