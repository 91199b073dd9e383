/** Converts a layout task to a graph of the layout engine ELK, and its result to positions. */
import { textWidth } from '../drawing/textMetrics';
import rules from '../route/rules.json';
import { GROUP_PADDING, GROUP_TITLE_HEIGHT } from '../scene/scene';
import { forwardLines } from './forwardOrder';
import type { LayoutDirection, LayoutLine, LayoutPositions, LayoutTask } from './layoutTask';
import gaps from './spacing.json';

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

const PADDING = `[top=${GROUP_TITLE_HEIGHT + GROUP_PADDING},left=${GROUP_PADDING},bottom=${GROUP_PADDING},right=${GROUP_PADDING}]`;

export function elkGraph(task: LayoutTask): ElkGraph {
  const { nodes, lines, direction } = task;
  const nodesById = new Map<string, ElkGraph>();
  // ELK does not inherit these options, so groups repeat them.
  const options = { 'elk.direction': direction === 'down' ? 'DOWN' : 'RIGHT', ...spacing(lines, direction) };
  const isForward = forwardLines(task);
  const root: ElkGraph = {
    id: '\u0000root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.aspectRatio': '2.4',
      // Components without connections are packed beside each other only on maps without groups.
      ...(nodes.some(({ parent }) => parent) ? { 'elk.hierarchyHandling': 'INCLUDE_CHILDREN' } : {}),
      ...options,
      'elk.layered.nodePlacement.strategy': isSmall(task) ? 'NETWORK_SIMPLEX' : 'BRANDES_KOEPF',
    },
    children: [],
    edges: lines.map(({ from, to }, at) => ({
      id: `line ${at}`,
      sources: [isForward[at] ? from : to],
      targets: [isForward[at] ? to : from],
    })),
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
    if (above !== root) above.layoutOptions = { ...above.layoutOptions, ...options, 'elk.padding': PADDING };
  }
  return root;
}

/** Maximum size of maps for network simplex, which causes fewer crossings, but overflows the call stack on large maps. */
const MAX_SIMPLEX_NODES = 80;
const MAX_SIMPLEX_LINES = 160;

function isSmall({ nodes, lines }: LayoutTask): boolean {
  return nodes.length <= MAX_SIMPLEX_NODES && lines.length <= MAX_SIMPLEX_LINES;
}

/** The distances between nodes. Layers from left to right are far enough apart for most labels. */
function spacing(lines: readonly LayoutLine[], direction: LayoutDirection): Record<string, string> {
  const widths = lines
    .flatMap(({ label }) => (label ? [textWidth(label, rules.labels.fontSize)] : []))
    .sort((a, b) => a - b);
  const { min, max } = gaps.layer;
  const usual = widths[Math.floor(widths.length * 0.75)] ?? 0;
  const layers = direction === 'right' ? Math.min(max, Math.max(min, usual + 40)) : min;
  return {
    // Moving nodes to the grid can take up to a third of the distance.
    'elk.spacing.nodeNode': String(gaps.node),
    'elk.layered.spacing.nodeNodeBetweenLayers': String(Math.round(layers)),
    'elk.spacing.componentComponent': String(gaps.block),
  };
}

/** Converts the ELK result to map coordinates. */
export function elkPositions(graph: ElkGraph): LayoutPositions {
  const places: Record<string, { x: number; y: number }> = {};
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
