/** The node list for React Flow. Unchanged nodes keep their object, so that they are not rendered again. */
import type { Node as FlowNode } from '@xyflow/react';
import type { CardSize, CardSizes } from '@/core/scene/cardSizes';
import type { Rect } from '@/core/scene/geometry';
import type { Scene, SceneNode } from '@/core/scene/scene';

export interface NodeData extends Record<string, unknown> {
  node: SceneNode;
  /** The number of relationships connected to the component. */
  lines: number;
  /** Null for an expanded group. */
  card: CardSize | null;
}

/** Larger than the depth of any group. */
const MOVING_Z_INDEX = 1000;

let before = new Map<string, FlowNode>();
let last: { scene: Scene; rects: readonly Rect[]; nodes: FlowNode[] } | null = null;

/**
 * The React Flow nodes of a scene, with sizes. For groups, only the title is an element. Components that are being moved
 * are above the others.
 */
export function flowNodes(
  scene: Scene,
  rects: readonly Rect[],
  sizes: CardSizes,
  title: number,
  isMoving: (id: string) => boolean = () => false,
): FlowNode[] {
  if (last?.scene === scene && last.rects === rects) return last.nodes;
  const counts = last?.scene.lines === scene.lines ? null : countsOf(scene);
  const now = new Map<string, FlowNode>();
  for (const [at, node] of scene.nodes.entries()) {
    const { x, y, width, height } = rects[at] as Rect;
    const size = { width, height: node.isGroup ? title : height };
    const old = before.get(node.id);
    const lines = counts ? (counts[at] ?? 0) : (old?.data.lines as number);
    const card = sizes[at] ?? null;
    const known = old?.data as NodeData | undefined;
    const isSame = known?.lines === lines && isEqualNode(known.node, node) && isSameCard(known.card, card);
    const data: NodeData = known && isSame ? known : { node, lines, card };
    const zIndex = node.depth + (isMoving(node.id) ? MOVING_Z_INDEX : 0);
    const isInPlace = old?.position.x === x && old.position.y === y && old.zIndex === zIndex;
    if (old && isSame && isInPlace && old.width === width) {
      now.set(node.id, old);
      continue;
    }
    now.set(node.id, {
      id: node.id,
      type: 'component',
      position: { x, y },
      data,
      ...size,
      measured: size,
      handles: [],
      zIndex,
    });
  }
  before = now;
  last = { scene, rects, nodes: [...now.values()] };
  return last.nodes;
}

function isSameCard(a: CardSize | null, b: CardSize | null): boolean {
  if (!a || !b) return a === b;
  return a.content === b.content && a.width === b.width && a.height === b.height;
}

function isEqualNode(a: SceneNode, b: SceneNode): boolean {
  return a.component === b.component && a.isGroup === b.isGroup && a.inside === b.inside;
}

function countsOf(scene: Scene): number[] {
  const counts: number[] = new Array(scene.nodes.length).fill(0);
  for (const { ids, from, to } of scene.lines) {
    counts[from] = (counts[from] ?? 0) + ids.length;
    if (to !== from) counts[to] = (counts[to] ?? 0) + ids.length;
  }
  return counts;
}
