/** The input and output of layout algorithms. */

import { withParts } from '../scene/family';
import { around, onGrid, type Point, type Rect } from '../scene/geometry';
import { PADDING, type Scene, type SceneNode, TITLE } from '../scene/scene';
import type { Move } from '../sync/operation';

export type Style = 'layered' | 'organic';

/** Above these limits a layered layout is too slow and unreadable. */
const LAYERED_LIMIT = 500;
const DENSE = 3.5;

export interface ArrangeNode extends Rect {
  id: string;
  /** The group that contains the node, if that is part of the task. */
  parent: string | null;
}

export interface ArrangeTask {
  nodes: readonly ArrangeNode[];
  lines: readonly { from: string; to: string }[];
}

/** New top left corners by id. */
export type Places = Readonly<Record<string, Point>>;

/** The layout task for all components, or for `ids` with their contents. */
export function taskOf(scene: Scene, rects: readonly Rect[], ids?: ReadonlySet<string>): ArrangeTask {
  const wanted = ids && ids.size > 0 ? withParts(scene.family, ids) : null;
  const nodes: ArrangeNode[] = [];
  const known = new Set<string>();
  for (const [at, node] of scene.nodes.entries()) {
    if (wanted && !wanted.has(node.id)) continue;
    const parent = scene.nodes[node.parent]?.id;
    known.add(node.id);
    nodes.push({ id: node.id, parent: parent && known.has(parent) ? parent : null, ...(rects[at] as Rect) });
  }
  const lines = scene.lines.flatMap(({ from, to }) => {
    const [source, target] = [(scene.nodes[from] as SceneNode).id, (scene.nodes[to] as SceneNode).id];
    return source !== target && known.has(source) && known.has(target) ? [{ from: source, to: target }] : [];
  });
  return { nodes, lines };
}

/** The default layout of a task. */
export function suits({ nodes, lines }: ArrangeTask): Style {
  return nodes.length <= LAYERED_LIMIT && lines.length <= nodes.length * DENSE ? 'layered' : 'organic';
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

export function elkGraph({ nodes, lines }: ArrangeTask): ElkGraph {
  const made = new Map<string, ElkGraph>();
  const root: ElkGraph = {
    id: '\u0000root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
      'elk.spacing.nodeNode': '40',
      'elk.layered.spacing.nodeNodeBetweenLayers': '100',
      'elk.spacing.componentComponent': '80',
      'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
    },
    children: [],
    edges: lines.map(({ from, to }, at) => ({ id: `line ${at}`, sources: [from], targets: [to] })),
  };
  for (const { id, width, height } of nodes) made.set(id, { id, width, height });
  for (const { id, parent } of nodes) {
    const above = (parent && made.get(parent)) || root;
    above.children ??= [];
    above.children.push(made.get(id) as ElkGraph);
    if (above !== root) {
      above.layoutOptions ??= {
        'elk.padding': `[top=${TITLE + PADDING},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
      };
    }
  }
  return root;
}

/** The positions from the ELK result, in map coordinates. */
export function elkPlaces(graph: ElkGraph): Places {
  const places: Record<string, Point> = {};
  const visit = (children: readonly ElkGraph[], x: number, y: number) => {
    for (const child of children) {
      const here = { x: x + (child.x ?? 0), y: y + (child.y ?? 0) };
      places[child.id] = here;
      visit(child.children ?? [], here.x, here.y);
    }
  };
  visit(graph.children ?? [], 0, 0);
  return places;
}

/**
 * The moves that apply a layout. The top left corner of the result stays where it was; hidden contents of collapsed
 * groups move along.
 */
export function arrangeMoves(scene: Scene, { nodes }: ArrangeTask, places: Places): Move[] {
  const before = around(nodes);
  const after = around(nodes.map((node) => ({ ...node, ...(places[node.id] ?? node) })));
  if (!before || !after) return [];
  const [dx, dy] = [before.x - after.x, before.y - after.y];
  const moves = new Map<string, Move>();
  for (const node of nodes) {
    const place = places[node.id] ?? node;
    const to = { x: onGrid(place.x + dx), y: onGrid(place.y + dy) };
    const by = { x: to.x - node.x, y: to.y - node.y };
    for (const id of withParts(scene.family, [node.id])) {
      const component = id === node.id ? undefined : scene.hidden.get(id);
      if (component) moves.set(id, { id, x: component.x + by.x, y: component.y + by.y });
    }
    moves.set(node.id, { id: node.id, ...to });
  }
  return [...moves.values()];
}
