/** The elements' own list, with the same object for what has not changed: then nothing is drawn again. */
import type { Node } from '@xyflow/react';
import type { Rect } from '@/core/scene/geometry';
import type { Scene } from '@/core/scene/scene';

let before = new Map<string, Node>();
let last: { scene: Scene; rects: readonly Rect[]; nodes: Node[] } | null = null;

/** A node for each of the scene, measured ahead. Of a box only the title is an element. */
export function flowNodes(scene: Scene, rects: readonly Rect[], title: number): Node[] {
  if (last?.scene === scene && last.rects === rects) return last.nodes;
  const counts = last?.scene.lines === scene.lines ? null : countsOf(scene);
  const now = new Map<string, Node>();
  for (const [at, node] of scene.nodes.entries()) {
    const { x, y, width, height } = rects[at] as Rect;
    const size = { width, height: node.isGroup ? title : height };
    const old = before.get(node.id);
    const lines = counts ? (counts[at] ?? 0) : (old?.data.lines as number);
    const isSame = old?.data.lines === lines && isAlike(old.data.node as Scene['nodes'][number], node);
    const data = old && isSame ? old.data : { node, lines };
    if (old && isSame && old.position.x === x && old.position.y === y && old.width === width) {
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
      zIndex: node.depth,
    });
  }
  before = now;
  last = { scene, rects, nodes: [...now.values()] };
  return last.nodes;
}

function isAlike(one: Scene['nodes'][number], other: Scene['nodes'][number]): boolean {
  return one.component === other.component && one.isGroup === other.isGroup && one.inside === other.inside;
}

function countsOf(scene: Scene): number[] {
  const counts: number[] = new Array(scene.nodes.length).fill(0);
  for (const { from, to } of scene.lines) {
    counts[from] = (counts[from] ?? 0) + 1;
    if (to !== from) counts[to] = (counts[to] ?? 0) + 1;
  }
  return counts;
}
