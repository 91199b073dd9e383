/**
 * The contents of the map: components, groups and lines. A scene is built once per state of the rows. Positions are
 * computed separately, so that dragging updates only positions.
 */
import type { Component } from '@/api/generated';
import { buildContainment, CONTAINS, type Containment, GROUP_TYPE } from '@/core/containment/containment';
import type { Size } from '../drawing/card';
import type { Rows } from '../sync/rows';
import { boundingBox, NODE_SIZE, type Point, type Rect } from './geometry';
import group from './group.json';
import { type LineLayout, lineLayout } from './lineLayout';

export interface SceneNode {
  id: string;
  component: Component;
  /** Whether the component is drawn as a group around its children. */
  isGroup: boolean;
  /** The number of ancestor groups. */
  depth: number;
  /** The number of descendants. */
  inside: number;
  /** The index of the parent group in `nodes`, or -1. */
  parent: number;
}

/** The number of relationships of a type that a line represents. */
export interface TypeCount {
  typeId: string;
  count: number;
}

export interface SceneLine {
  /** The first of `ids`. */
  id: string;
  /** The relationships that the line represents; several if a collapsed group or the view hides their ends. */
  ids: readonly string[];
  /** Indexes of the ends in `nodes`. */
  from: number;
  to: number;
  /** The most frequent type of its relationships. */
  typeId: string;
  /** The types of its relationships, most frequent first. */
  types: readonly TypeCount[];
  label: string;
  /** The index among the lines between the same nodes, from 0. */
  lane: number;
  lanes: number;
  /** Only for a single relationship between its own components. */
  layout?: LineLayout | undefined;
}

export interface Scene {
  /** The visible nodes, groups before their contents. */
  nodes: readonly SceneNode[];
  lines: readonly SceneLine[];
  /** The index of each component in `nodes`; for hidden components, the index of the collapsed group. */
  indexOf: ReadonlyMap<string, number>;
  /** Components that are hidden in collapsed groups. */
  hidden: ReadonlyMap<string, Component>;
  containment: Containment;
}

/** A temporary position, with a size while a group is resized. */
export type Placement = Point & Partial<Size>;

/** The title height and padding of groups, which the server reads too. As multiples of the grid spacing, they keep groups on the grid. */
export const GROUP_TITLE_HEIGHT = group.title;
export const GROUP_PADDING = group.padding;
/** The size of an empty group without a size of its own. */
export const EMPTY_GROUP_SIZE: Readonly<Size> = group.empty;
/** The minimum size of groups. */
export const MIN_GROUP_SIZE: Readonly<Size> = {
  width: NODE_SIZE.width,
  height: GROUP_TITLE_HEIGHT + 2 * GROUP_PADDING,
};

/** The rows to draw. */
export interface SceneRows extends Pick<Rows, 'component' | 'relationship'> {
  /** For ends of relationships that are not among the components: the component on which the line is drawn. */
  lifted?: ReadonlyMap<string, string> | undefined;
}

/**
 * Builds the scene of `rows`. Groups in `collapsed` are drawn as a single component. Components of type group are drawn
 * as groups even if they are empty.
 */
export function buildScene(rows: SceneRows, collapsed: ReadonlySet<string>): Scene {
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
    const isGroup = parts.length > 0 ? !collapsed.has(id) : component.typeId === GROUP_TYPE;
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
  return { nodes, indexOf, hidden, containment, lines: linesOf(rows, nodes, indexOf) };
}

/**
 * Updates a scene if only fields of components have changed, so that nodes and lines stay the same. Returns null if
 * the scene must be rebuilt.
 */
export function updateScene(scene: Scene, before: Rows['component'], now: Rows['component']): Scene | null {
  if (before.size !== now.size) return null;
  const ids = now.keys();
  for (const id of before.keys()) if (ids.next().value !== id) return null;
  const fresh = (id: string) => now.get(id) as Component;
  // The type determines whether a component without parts is a group.
  const isGroup = ({ typeId }: Component) => typeId === GROUP_TYPE;
  for (const { id, component, inside } of scene.nodes)
    if (inside === 0 && isGroup(component) !== isGroup(fresh(id))) return null;
  return {
    ...scene,
    nodes: scene.nodes.map((node) => {
      const component = fresh(node.id);
      return component === node.component ? node : { ...node, component };
    }),
    hidden: new Map([...scene.hidden.keys()].map((id) => [id, fresh(id)])),
  };
}

type LineInProgress = SceneLine & { ids: string[]; types: TypeCount[] };

function linesOf(
  { relationship, lifted }: Pick<SceneRows, 'relationship' | 'lifted'>,
  nodes: readonly SceneNode[],
  indexOf: ReadonlyMap<string, number>,
): SceneLine[] {
  const lines: LineInProgress[] = [];
  const merged = new Map<string, LineInProgress>();
  for (const { id, sourceId, targetId, typeId, label, line: stored } of relationship.values()) {
    const from = indexOf.get(lifted?.get(sourceId) ?? sourceId);
    const to = indexOf.get(lifted?.get(targetId) ?? targetId);
    if (from === undefined || to === undefined || typeId === CONTAINS) continue;
    if (from === to && sourceId !== targetId) continue;
    const pair = `${from} ${to}`;
    // Relationships between visible components each have a separate line.
    const isRolledUp = nodes[from]?.id !== sourceId || nodes[to]?.id !== targetId;
    const same = isRolledUp ? merged.get(pair) : undefined;
    if (same) {
      addTo(same, id, typeId);
      continue;
    }
    const types = [{ typeId, count: 1 }];
    const layout = isRolledUp ? undefined : lineLayout(stored);
    const line = { id, ids: [id], from, to, typeId, types, label: label ?? '', lane: 0, lanes: 1, layout };
    if (isRolledUp) merged.set(pair, line);
    lines.push(line);
  }
  setLanes(lines);
  return lines;
}

/** Numbers the lines between the same two nodes, in either direction. */
function setLanes(lines: readonly LineInProgress[]): void {
  const lanes = new Map<string, LineInProgress[]>();
  for (const line of lines) {
    const { from, to } = line;
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
}

function addTo(line: LineInProgress, id: string, typeId: string): void {
  line.ids.push(id);
  const known = line.types.find((one) => one.typeId === typeId);
  if (known) known.count++;
  else line.types.push({ typeId, count: 1 });
  line.types.sort((one, other) => other.count - one.count);
  line.typeId = (line.types[0] as TypeCount).typeId;
}

/**
 * Computes the rectangles of nodes from the positions of their components, with `moved` overriding positions. Groups
 * surround their contents, except for nodes in `detached`. Cards have the given sizes, by default the minimum.
 */
export function nodeRects(
  scene: Scene,
  moved?: ReadonlyMap<string, Placement> | null,
  sizes?: readonly (Size | null)[],
  detached?: ReadonlySet<string> | null,
): Rect[] {
  const rects: Rect[] = new Array(scene.nodes.length);
  const inner: Rect[][] = [];
  // Children follow their group in `nodes`, so iterating backward positions them before the group.
  for (let at = scene.nodes.length - 1; at >= 0; at--) {
    const { id, component, isGroup, inside, parent } = scene.nodes[at] as SceneNode;
    const folded = inside > 0 && !isGroup ? groupRect(scene, component, moved) : null;
    const { width, height } = sizes?.[at] ?? NODE_SIZE;
    const { x, y } = folded ?? moved?.get(id) ?? component;
    const rect = isGroup ? groupFrame(component, inner[at] ?? [], moved?.get(id)) : { x, y, width, height };
    rects[at] = rect;
    if (parent < 0 || detached?.has(id)) continue;
    const siblings = inner[parent];
    if (siblings) siblings.push(rect);
    else inner[parent] = [rect];
  }
  return rects;
}

/**
 * The rectangle of a collapsed group when expanded. A collapsed group is drawn at its top left corner, so that
 * expanding it moves nothing.
 */
export function groupRect(
  scene: Scene,
  group: Component,
  moved?: ReadonlyMap<string, Placement> | null,
): Rect {
  const rects = (scene.containment.children.get(group.id) ?? []).flatMap((id) => {
    const component = scene.hidden.get(id);
    if (!component) return [];
    const isGroup = scene.containment.children.has(id) || component.typeId === GROUP_TYPE;
    const { x, y } = moved?.get(id) ?? component;
    return [isGroup ? groupRect(scene, component, moved) : { x, y, ...NODE_SIZE }];
  });
  return groupFrame(group, rects, moved?.get(group.id));
}

/** The rectangle of a group: around its contents, and around the area at its position if it has a size. */
export function groupFrame(
  group: Point & Partial<Pick<Component, 'width' | 'height'>>,
  contents: readonly Rect[],
  moved?: Placement,
): Rect {
  const { x, y } = moved ?? group;
  const width = moved?.width ?? group.width;
  const height = moved?.height ?? group.height;
  const bounds = boundingBox(contents);
  if (!bounds) {
    return { x, y, width: width ?? EMPTY_GROUP_SIZE.width, height: height ?? EMPTY_GROUP_SIZE.height };
  }
  const around = groupBounds(bounds);
  return width && height ? (boundingBox([around, { x, y, width, height }]) as Rect) : around;
}

/** The smallest rectangle of a group with these contents. */
export function groupBounds({ x, y, width, height }: Rect): Rect {
  return {
    x: x - GROUP_PADDING,
    y: y - GROUP_PADDING - GROUP_TITLE_HEIGHT,
    width: Math.max(width + 2 * GROUP_PADDING, NODE_SIZE.width),
    height: height + 2 * GROUP_PADDING + GROUP_TITLE_HEIGHT,
  };
}

/** The draggable part of a node: the title of a group, or the whole card. */
export function handleRect({ isGroup }: SceneNode, rect: Rect): Rect {
  return isGroup ? { ...rect, height: GROUP_TITLE_HEIGHT } : rect;
}
