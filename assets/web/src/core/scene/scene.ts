/**
 * What there is to draw: components and boxes, and the lines between them. Made once for a state of the rows; where
 * things are is kept apart, so that a drag changes places alone.
 */
import type { Component } from '@/api/generated';
import { buildContainment, CONTAINS, type Containment } from '@/core/containment/containment';
import type { Rows } from '../sync/rows';
import { boundingBox, NODE_SIZE, type Point, type Rect } from './geometry';

export interface SceneNode {
  id: string;
  component: Component;
  /** A box is drawn around the parts it has. */
  isGroup: boolean;
  /** Boxes around it. */
  depth: number;
  /** How many components it holds, however deep. */
  inside: number;
  /** Place of the box around it among the nodes; -1 without one. */
  parent: number;
}

export interface SceneLine {
  /** The first of `ids`. */
  id: string;
  /** The relationships it stands for: several where a collapsed box hides their ends. */
  ids: readonly string[];
  /** Places of its ends among the nodes. */
  from: number;
  to: number;
  typeId: string;
  label: string;
  /** Its place among the lines between the same two, from 0. */
  lane: number;
  lanes: number;
}

export interface Scene {
  /** What is drawn, outer boxes before what is in them. */
  nodes: readonly SceneNode[];
  lines: readonly SceneLine[];
  /** Where a node is among them. What a collapsed box hides is found at the box. */
  indexOf: ReadonlyMap<string, number>;
  /** What collapsed boxes hide. */
  hidden: ReadonlyMap<string, Component>;
  containment: Containment;
}

/** The height of a box's title, and the space around what is in it: with things on the grid, boxes are on it too. */
export const GROUP_TITLE_HEIGHT = 40;
export const GROUP_PADDING = 20;

/** The scene of `rows`, with the boxes in `collapsed` drawn as one component. */
export function buildScene(
  rows: Pick<Rows, 'component' | 'relationship'>,
  collapsed: ReadonlySet<string>,
): Scene {
  const containment = buildContainment(rows.relationship.values(), rows.component);
  const nodes: SceneNode[] = [];
  const indexOf = new Map<string, number>();
  const hidden = new Map<string, Component>();
  const hide = (id: string, at: number): number => {
    let count = 0;
    for (const part of containment.children.get(id) ?? []) {
      const component = rows.component.get(part);
      if (component) hidden.set(part, component);
      indexOf.set(part, at);
      count += 1 + hide(part, at);
    }
    return count;
  };
  const show = (id: string, depth: number, parent: number): number => {
    const component = rows.component.get(id);
    if (!component) return 0;
    const parts = containment.children.get(id) ?? [];
    const isGroup = parts.length > 0 && !collapsed.has(id);
    const at = nodes.length;
    const node: SceneNode = { id, component, isGroup, depth, inside: 0, parent };
    nodes.push(node);
    indexOf.set(id, at);
    node.inside = isGroup
      ? parts.reduce((sum, part) => sum + 1 + show(part, depth + 1, at), 0)
      : hide(id, at);
    return node.inside;
  };
  for (const id of rows.component.keys()) if (!containment.parent.has(id)) show(id, 0, -1);
  return { nodes, indexOf, hidden, containment, lines: linesOf(rows, indexOf) };
}

/**
 * The scene again, where nothing but fields of components has changed: what is drawn and which lines there are stays the
 * same. Null where it does not: then it is to be made anew.
 */
export function updateScene(scene: Scene, before: Rows['component'], now: Rows['component']): Scene | null {
  if (before.size !== now.size) return null;
  const ids = now.keys();
  for (const id of before.keys()) if (ids.next().value !== id) return null;
  const fresh = (id: string) => now.get(id) as Component;
  return {
    ...scene,
    nodes: scene.nodes.map((node) => {
      const component = fresh(node.id);
      return component === node.component ? node : { ...node, component };
    }),
    hidden: new Map([...scene.hidden.keys()].map((id) => [id, fresh(id)])),
  };
}

function linesOf(rows: Pick<Rows, 'relationship'>, indexOf: ReadonlyMap<string, number>): SceneLine[] {
  const lines: (SceneLine & { ids: string[] })[] = [];
  const merged = new Map<string, SceneLine & { ids: string[] }>();
  const lanes = new Map<string, SceneLine[]>();
  for (const { id, sourceId, targetId, typeId, label } of rows.relationship.values()) {
    const from = indexOf.get(sourceId);
    const to = indexOf.get(targetId);
    if (from === undefined || to === undefined || typeId === CONTAINS) continue;
    if (from === to && sourceId !== targetId) continue;
    const line = { id, ids: [id], from, to, typeId, label: label ?? '', lane: 0, lanes: 1 };
    // Only what a box hides is drawn together: of two that one can see each has a line of its own.
    const key = `${from} ${to} ${typeId}`;
    const same = merged.get(key);
    if (same && isHidden(rows, same, sourceId, targetId)) {
      same.ids.push(id);
      continue;
    }
    merged.set(key, line);
    lines.push(line);
    const pair = from < to ? `${from} ${to}` : `${to} ${from}`;
    const beside = lanes.get(pair);
    if (beside) beside.push(line);
    else lanes.set(pair, [line]);
  }
  for (const beside of lanes.values()) {
    for (const [lane, line] of beside.entries()) {
      line.lane = lane;
      line.lanes = beside.length;
    }
  }
  return lines;
}

/** Whether the other end of a line, or this one's, is not what is drawn there. */
function isHidden(
  rows: Pick<Rows, 'relationship'>,
  { id }: SceneLine,
  sourceId: string,
  targetId: string,
): boolean {
  const other = rows.relationship.get(id);
  return other !== undefined && (other.sourceId !== sourceId || other.targetId !== targetId);
}

/** Where each node is: where its component is, or what `moved` says instead; a box is around what it holds. */
export function nodeRects(scene: Scene, moved?: ReadonlyMap<string, Point> | null): Rect[] {
  const rects: Rect[] = new Array(scene.nodes.length);
  const inner: Rect[][] = [];
  // What is inside comes after its box, so going backwards every box finds its parts placed.
  for (let at = scene.nodes.length - 1; at >= 0; at--) {
    const { id, component, isGroup, inside, parent } = scene.nodes[at] as SceneNode;
    const { x, y } = moved?.get(id) ?? component;
    const bounds = isGroup ? boundingBox(inner[at] ?? []) : null;
    const folded = inside > 0 && !isGroup ? groupRect(scene, id, moved) : null;
    const rect = bounds ? groupBounds(bounds) : { x: folded?.x ?? x, y: folded?.y ?? y, ...NODE_SIZE };
    rects[at] = rect;
    if (parent >= 0) {
      const siblings = inner[parent];
      if (siblings) siblings.push(rect);
      else inner[parent] = [rect];
    }
  }
  return rects;
}

/** The box that a collapsed one would be: it stands where that begins, so that opening it moves nothing. */
function groupRect(scene: Scene, id: string, moved?: ReadonlyMap<string, Point> | null): Rect | null {
  const rects = (scene.containment.children.get(id) ?? []).flatMap((part) => {
    const component = scene.hidden.get(part);
    const { x, y } = moved?.get(part) ?? component ?? { x: 0, y: 0 };
    return component ? [groupRect(scene, part, moved) ?? { x, y, ...NODE_SIZE }] : [];
  });
  const bounds = boundingBox(rects);
  return bounds && groupBounds(bounds);
}

function groupBounds({ x, y, width, height }: Rect): Rect {
  return {
    x: x - GROUP_PADDING,
    y: y - GROUP_PADDING - GROUP_TITLE_HEIGHT,
    width: Math.max(width + 2 * GROUP_PADDING, NODE_SIZE.width),
    height: height + 2 * GROUP_PADDING + GROUP_TITLE_HEIGHT,
  };
}

/** The part of a box that takes a hand: its title. Of anything else, all. */
export function handleRect({ isGroup }: SceneNode, rect: Rect): Rect {
  return isGroup ? { ...rect, height: GROUP_TITLE_HEIGHT } : rect;
}
