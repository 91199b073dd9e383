/** Input and output of layout algorithms. */

import { withDescendants } from '../containment/containment';
import type { Size } from '../drawing/card';
import { boundingBox, type Point, type Rect, snapToGrid } from '../scene/geometry';
import { GROUP_PADDING, GROUP_TITLE_HEIGHT, type Scene, type SceneNode } from '../scene/scene';
import type { Move } from '../sync/operation';

export type LayoutStyle = 'layered' | 'organic';

/** Above these limits, a layered layout is slow and unreadable. */
const MAX_LAYERED_NODES = 500;
const MAX_LAYERED_LINES_PER_NODE = 3.5;

export interface LayoutNode extends Rect {
  id: string;
  /** The minimum size of a group with a size of its own. */
  minimum?: Size;
  /** The group that contains the node, if the group is part of the task. */
  parent: string | null;
}

export interface LayoutTask {
  nodes: readonly LayoutNode[];
  lines: readonly { from: string; to: string }[];
}

/** New top left corners by ID. */
export type LayoutPositions = Readonly<Record<string, Point>>;

/** Creates the layout task for all components, or for `ids` and their contents. */
export function layoutTask(scene: Scene, rects: readonly Rect[], ids?: ReadonlySet<string>): LayoutTask {
  const included = ids && ids.size > 0 ? withDescendants(scene.containment, ids) : null;
  const nodes: LayoutNode[] = [];
  const known = new Set<string>();
  for (const [at, node] of scene.nodes.entries()) {
    if (included && !included.has(node.id)) continue;
    const parent = scene.nodes[node.parent]?.id;
    known.add(node.id);
    const { width, height } = node.component;
    nodes.push({
      id: node.id,
      parent: parent && known.has(parent) ? parent : null,
      ...(rects[at] as Rect),
      ...(node.isGroup && width && height ? { minimum: { width, height } } : {}),
    });
  }
  const lines = scene.lines.flatMap(({ from, to }) => {
    const [source, target] = [(scene.nodes[from] as SceneNode).id, (scene.nodes[to] as SceneNode).id];
    return source !== target && known.has(source) && known.has(target) ? [{ from: source, to: target }] : [];
  });
  return { nodes, lines };
}

/** The default layout of a task. */
export function suitableStyle({ nodes, lines }: LayoutTask): LayoutStyle {
  return nodes.length <= MAX_LAYERED_NODES && lines.length <= nodes.length * MAX_LAYERED_LINES_PER_NODE
    ? 'layered'
    : 'organic';
}

/** The task as an ELK graph. */
export interface ElkGraph {
  id: string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  layoutOptions?: Record<string, string>;
  children?: ElkGraph[];
  edges?: { id: string; sources: string[]; targets: string[] }[];
}

/** ELK does not inherit these options, so groups repeat them. */
const SPACING = {
  'elk.spacing.nodeNode': '40',
  'elk.layered.spacing.nodeNodeBetweenLayers': '100',
  'elk.spacing.componentComponent': '80',
} as const;

export function elkGraph({ nodes, lines }: LayoutTask): ElkGraph {
  const nodesById = new Map<string, ElkGraph>();
  const root: ElkGraph = {
    id: '\u0000root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
      ...SPACING,
      'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
    },
    children: [],
    edges: lines.map(({ from, to }, at) => ({ id: `line ${at}`, sources: [from], targets: [to] })),
  };
  for (const { id, width, height, minimum } of nodes) {
    const layoutOptions = minimum && {
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${minimum.width},${minimum.height})`,
    };
    nodesById.set(id, { id, width, height, ...(layoutOptions ? { layoutOptions } : {}) });
  }
  for (const { id, parent } of nodes) {
    const above = (parent && nodesById.get(parent)) || root;
    above.children ??= [];
    above.children.push(nodesById.get(id) as ElkGraph);
    if (above !== root) {
      above.layoutOptions = {
        ...above.layoutOptions,
        ...SPACING,
        'elk.padding': `[top=${GROUP_TITLE_HEIGHT + GROUP_PADDING},left=${GROUP_PADDING},bottom=${GROUP_PADDING},right=${GROUP_PADDING}]`,
      };
    }
  }
  return root;
}

/** Converts the ELK result to map coordinates. */
export function elkPositions(graph: ElkGraph): LayoutPositions {
  const places: Record<string, Point> = {};
  const visit = (children: readonly ElkGraph[], x: number, y: number) => {
    for (const child of children) {
      const position = { x: x + (child.x ?? 0), y: y + (child.y ?? 0) };
      places[child.id] = position;
      visit(child.children ?? [], position.x, position.y);
    }
  };
  visit(graph.children ?? [], 0, 0);
  return places;
}

/**
 * The moves that apply a layout. The top left corner of the result keeps its position. Hidden contents of collapsed
 * groups move with the group.
 */
export function layoutMoves(scene: Scene, { nodes }: LayoutTask, places: LayoutPositions): Move[] {
  const before = boundingBox(nodes);
  const after = boundingBox(nodes.map((node) => ({ ...node, ...(places[node.id] ?? node) })));
  if (!before || !after) return [];
  const [dx, dy] = [before.x - after.x, before.y - after.y];
  const moves = new Map<string, Move>();
  for (const node of nodes) {
    const place = places[node.id] ?? node;
    const to = { x: snapToGrid(place.x + dx), y: snapToGrid(place.y + dy) };
    const by = { x: to.x - node.x, y: to.y - node.y };
    for (const id of withDescendants(scene.containment, [node.id])) {
      const component = id === node.id ? undefined : scene.hidden.get(id);
      if (component) moves.set(id, { id, x: component.x + by.x, y: component.y + by.y });
    }
    moves.set(node.id, { id: node.id, ...to });
  }
  return [...moves.values()];
}
