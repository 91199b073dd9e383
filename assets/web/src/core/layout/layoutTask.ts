/** Input and output of layout algorithms. */

import { withDescendants } from '../containment/containment';
import { preferredHeight, preferredWidth, type Size } from '../drawing/card';
import type { CardSizes } from '../scene/cardSizes';
import { boundingBox, center, type Point, type Rect, snapToGrid } from '../scene/geometry';
import { groupRect, type Scene, type SceneNode } from '../scene/scene';
import type { Move } from '../sync/operation';

export type LayoutStyle = 'layered' | 'organic';

/** The direction in which most lines of a layered layout lead. */
export type LayoutDirection = 'right' | 'down';

/** Above these limits, a layered layout is slow and unreadable. */
const MAX_LAYERED_NODES = 500;
const MAX_LAYERED_LINES_PER_NODE = 3.5;
/** Above these limits, a layered layout can take more than about 5 seconds. It depends most on the lines. */
const MAX_QUICK_NODES = 400;
const MAX_QUICK_LINES = 500;

export interface LayoutNode extends Rect {
  id: string;
  typeId: string;
  /** The minimum size of a group with a size of its own. */
  minimum?: Size;
  /** The group that contains the node, if the group is part of the task. */
  parent: string | null;
}

export interface LayoutLine {
  from: string;
  to: string;
  label: string;
}

export interface LayoutTask {
  nodes: readonly LayoutNode[];
  lines: readonly LayoutLine[];
  direction: LayoutDirection;
}

/** What keeps its position: the top left corner or the center of the arranged components, or a corner that they get. */
export type Anchor = 'corner' | 'center' | Point;

/** New top left corners by ID. */
export type LayoutPositions = Readonly<Record<string, Point>>;

/** Creates the layout task for the given components and their contents. */
export function layoutTask(
  scene: Scene,
  rects: readonly Rect[],
  ids: Iterable<string>,
  direction: LayoutDirection = 'right',
): LayoutTask {
  const included = withDescendants(scene.containment, ids);
  const nodes: LayoutNode[] = [];
  const known = new Set<string>();
  for (const [at, node] of scene.nodes.entries()) {
    if (!included.has(node.id)) continue;
    const parent = scene.nodes[node.parent]?.id;
    known.add(node.id);
    const { width, height, typeId } = node.component;
    nodes.push({
      id: node.id,
      typeId,
      parent: parent && known.has(parent) ? parent : null,
      ...(rects[at] as Rect),
      ...(node.isGroup && width && height ? { minimum: { width, height } } : {}),
    });
  }
  const lines = scene.lines.flatMap(({ from, to, label }) => {
    const [source, target] = [(scene.nodes[from] as SceneNode).id, (scene.nodes[to] as SceneNode).id];
    return source !== target && known.has(source) && known.has(target)
      ? [{ from: source, to: target, label }]
      : [];
  });
  return { nodes, lines, direction };
}

type TaskSize = Pick<LayoutTask, 'nodes' | 'lines'>;

/** Whether a layered layout can be computed and is readable. */
export function canBeLayered({ nodes, lines }: TaskSize): boolean {
  return nodes.length <= MAX_LAYERED_NODES && lines.length <= nodes.length * MAX_LAYERED_LINES_PER_NODE;
}

/** The default layout of a task. */
export function suitableStyle(task: TaskSize): LayoutStyle {
  const isQuick = task.nodes.length <= MAX_QUICK_NODES && task.lines.length <= MAX_QUICK_LINES;
  return isQuick && canBeLayered(task) ? 'layered' : 'organic';
}

/** The size of each node that is not an expanded group. */
export type NodeSizes = readonly (Size | null)[];

/**
 * The sizes of cards in a layout: those at which nothing on them is cut, because the layout leaves the room for cards
 * to grow.
 */
export function roomySizes(scene: Scene, sizes: CardSizes): NodeSizes {
  const roomy = sizes.map((size): Size | null => {
    if (!size) return null;
    const width = Math.max(size.width, preferredWidth(size.content));
    return { width, height: Math.max(size.height, preferredHeight(size.content, width)) };
  });
  return withExpandedSizes(scene, roomy);
}

/** The sizes with those that collapsed groups have when they are expanded, as others may see them. */
export function withExpandedSizes(scene: Scene, sizes: NodeSizes): NodeSizes {
  return scene.nodes.map(({ component, inside, isGroup }, at) => {
    const size = sizes[at] ?? null;
    if (inside === 0 || isGroup) return size;
    const { width, height } = groupRect(scene, component);
    return { width: Math.max(width, size?.width ?? 0), height: Math.max(height, size?.height ?? 0) };
  });
}

/** The positions of the nodes of a task on the grid. */
export function anchoredPositions(
  { task, anchor }: { task: LayoutTask; anchor: Anchor },
  places: LayoutPositions,
): ReadonlyMap<string, Point> {
  const before = boundingBox(task.nodes);
  const after = boundingBox(task.nodes.map((node) => ({ ...node, ...(places[node.id] ?? node) })));
  if (!before || !after) return new Map();
  const [start, end] =
    anchor === 'center' ? [center(before), center(after)] : [anchor === 'corner' ? before : anchor, after];
  const by = { x: start.x - end.x, y: start.y - end.y };
  return new Map(
    task.nodes.map((node) => {
      const { x, y } = places[node.id] ?? node;
      return [node.id, { x: snapToGrid(x + by.x), y: snapToGrid(y + by.y) }];
    }),
  );
}

/** The moves that place a block's nodes. Hidden contents of collapsed groups move with the group. */
export function layoutMoves(
  scene: Scene,
  { nodes }: LayoutTask,
  positions: ReadonlyMap<string, Point>,
): Move[] {
  const moves = new Map<string, Move>();
  for (const node of nodes) {
    const to = positions.get(node.id) ?? node;
    const by = { x: to.x - node.x, y: to.y - node.y };
    for (const id of withDescendants(scene.containment, [node.id])) {
      const component = id === node.id ? undefined : scene.hidden.get(id);
      if (component) moves.set(id, { id, x: component.x + by.x, y: component.y + by.y });
    }
    moves.set(node.id, { id: node.id, x: to.x, y: to.y });
  }
  return [...moves.values()];
}
