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

/** All nodes in reading order: row by row, left to right. */
export function readingOrder(scene: Scene, rects: readonly Rect[]): string[] {
  const left = scene.nodes.map(({ id }, at) => ({ id, x: rects[at]?.x ?? 0, y: rects[at]?.y ?? 0 }));
  left.sort((a, b) => a.y - b.y || a.x - b.x);
  const rows: { y: number; ids: typeof left }[] = [];
  for (const node of left) {
    const row = rows.at(-1);
    if (row && node.y - row.y < ROW) row.ids.push(node);
    else rows.push({ y: node.y, ids: [node] });
  }
  return rows.flatMap(({ ids }) => ids.sort((a, b) => a.x - b.x).map(({ id }) => id));
}

export type Direction = 'left' | 'right' | 'up' | 'down';

export const DIRECTION_STEP: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/**
 * The neighbor in a direction: the closest connected component, or else the closest component of all. Null if there is
 * none.
 */
export function neighborInDirection(
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
  return best(scene, rects, start, direction, connected) ?? best(scene, rects, start, direction, null);
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
    // Limit to 60° from the direction.
    if (ahead <= 0 || aside > ahead * 1.74) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) {
      least = cost;
      found = id;
    }
  }
  return found;
}
