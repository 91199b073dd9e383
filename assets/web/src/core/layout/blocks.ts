/** The parts of a map that are arranged: everything, the selected components of each group, or the inside of a group. */

import { outermost } from '../containment/containment';
import { RectIndex } from '../route/rectIndex';
import type { CardSizes } from '../scene/cardSizes';
import { boundingBox, expandRect, GRID_SIZE, overlaps, type Point, type Rect } from '../scene/geometry';
import {
  GROUP_PADDING,
  GROUP_TITLE_HEIGHT,
  groupFrame,
  nodeRects,
  type Scene,
  type SceneNode,
} from '../scene/scene';
import type { Move } from '../sync/operation';
import { nearestShift, shiftBelow } from './freePosition';
import {
  type Anchor,
  anchoredPositions,
  type LayoutDirection,
  type LayoutPositions,
  type LayoutTask,
  layoutMoves,
  layoutTask,
  type NodeSizes,
  roomySizes,
  withExpandedSizes,
} from './layoutTask';

/** What a layout arranges: the whole map, the selected components within their groups, or the inside of a group. */
export type LayoutScope = 'all' | 'selection' | 'group';

/** Components that are arranged together. */
export interface LayoutBlock {
  task: LayoutTask;
  /** The outermost of them, which have the same parent. */
  roots: readonly string[];
  /** The group that contains them; null outside of groups. */
  parent: string | null;
  anchor: Anchor;
}

/** What a layout arranges by default if these components are selected. */
export function scopeOf(scene: Scene, selected: ReadonlySet<string>): LayoutScope {
  if (rootsOf(scene, 'selection', selected).length > 0) return 'selection';
  return rootsOf(scene, 'group', selected).length > 0 ? 'group' : 'all';
}

/** The outermost components of each block. A single component cannot be arranged. */
function rootsOf(
  scene: Scene,
  scope: LayoutScope,
  selected: ReadonlySet<string>,
): { parent: string | null; roots: string[] }[] {
  const { containment, nodes, indexOf } = scene;
  if (scope === 'all') {
    const roots = nodes.filter(({ parent }) => parent < 0).map(({ id }) => id);
    return [{ parent: null, roots }];
  }
  const chosen = outermost(containment, selected).filter((id) => nodes[indexOf.get(id) ?? -1]?.id === id);
  if (scope === 'selection') {
    const byParent = Map.groupBy(chosen, (id) => containment.parent.get(id) ?? null);
    return [...byParent].flatMap(([parent, roots]) => (roots.length > 1 ? [{ parent, roots }] : []));
  }
  const [group, ...others] = chosen;
  const roots = group === undefined ? [] : [...(containment.children.get(group) ?? [])];
  const isExpanded = group !== undefined && nodes[indexOf.get(group) ?? -1]?.isGroup;
  return group !== undefined && isExpanded && others.length === 0 && roots.length > 1
    ? [{ parent: group, roots }]
    : [];
}

/** The blocks of a layout. The tasks contain cards at the sizes that they have if there is room around them. */
export function layoutBlocks(
  scene: Scene,
  sizes: CardSizes,
  {
    scope,
    selected,
    direction,
  }: { scope: LayoutScope; selected: ReadonlySet<string>; direction: LayoutDirection },
): LayoutBlock[] {
  const rects = nodeRects(scene, null, roomySizes(scene, sizes));
  return rootsOf(scene, scope, selected).map(({ parent, roots }) => ({
    parent,
    roots,
    anchor: anchorOf(scene, rects, scope, parent),
    task: layoutTask(scene, rects, roots, direction),
  }));
}

/** The contents of a group are placed in the corner of its frame, which may be larger than them. */
function anchorOf(
  { indexOf }: Scene,
  rects: readonly Rect[],
  scope: LayoutScope,
  parent: string | null,
): Anchor {
  const frame = scope === 'group' && parent !== null ? rects[indexOf.get(parent) ?? -1] : undefined;
  if (!frame) return scope === 'selection' ? 'center' : 'corner';
  // On the grid, and never outside of the frame, which would grow.
  const onGrid = (value: number) => Math.ceil(value / GRID_SIZE) * GRID_SIZE;
  return {
    x: onGrid(frame.x + GROUP_PADDING),
    y: onGrid(frame.y + GROUP_TITLE_HEIGHT + GROUP_PADDING),
  };
}

/** The moves of a layout, and how it fits into the map. */
export interface PlacedLayout {
  moves: Move[];
  /** Whether a block was moved away from its place because there was not enough room. */
  isShifted: boolean;
  /** The components that are covered because no room was found. */
  covered: readonly string[];
}

/** Places the blocks one after the other, so that they cover no other components. */
export function placeBlocks(
  scene: Scene,
  sizes: CardSizes,
  blocks: readonly (readonly [LayoutBlock, LayoutPositions])[],
): PlacedLayout {
  const moves: Move[] = [];
  const covered = new Set<string>();
  let isShifted = false;
  for (const [block, places] of blocks) {
    const anchored = layoutMoves(scene, block.task, anchoredPositions(block, places));
    const before = rectsWith(scene, withExpandedSizes(scene, sizes), moves);
    const after = rectsWith(scene, withRoom(scene, sizes, block), [...moves, ...anchored]);
    const room = new BlockRoom(scene, block, before, after);
    const by = room.nearest();
    for (const id of room.covered(by)) covered.add(id);
    isShifted ||= by.x !== 0 || by.y !== 0;
    moves.push(...anchored.map(({ id, x, y }) => ({ id, x: x + by.x, y: y + by.y })));
  }
  return { moves, isShifted, covered: [...covered] };
}

function rectsWith(scene: Scene, sizes: NodeSizes, moves: readonly Move[]): Rect[] {
  return nodeRects(scene, new Map(moves.map(({ id, x, y }) => [id, { x, y }])), sizes);
}

/** The sizes with room for the cards of a block to grow. */
function withRoom(scene: Scene, sizes: CardSizes, { task }: LayoutBlock): NodeSizes {
  const roomy = roomySizes(scene, sizes);
  const others = withExpandedSizes(scene, sizes);
  const arranged = new Set(task.nodes.map(({ id }) => id));
  return scene.nodes.map(({ id }, at) => (arranged.has(id) ? roomy[at] : others[at]) ?? null);
}

/** A group around a block, which grows with it. */
interface Frame {
  node: SceneNode;
  /** The bounding box of its contents that stay where they are. */
  rest: readonly Rect[];
  /** The rectangles that it must not grow into. */
  taken: readonly Neighbor[];
}

interface Neighbor {
  id: string;
  rect: Rect;
}

/** The room around a block: what is next to it in its group, and next to the groups that contain it. */
class BlockRoom {
  readonly #roots: Rect[];
  readonly #neighbors: readonly Neighbor[];
  readonly #index: RectIndex;
  readonly #frames: Frame[] = [];
  readonly #isInGroup: boolean;

  constructor(scene: Scene, { roots, parent }: LayoutBlock, before: readonly Rect[], after: readonly Rect[]) {
    const { nodes, indexOf } = scene;
    const byParent = Map.groupBy(nodes.keys(), (at) => (nodes[at] as SceneNode).parent);
    const contents = (at: number, except: ReadonlySet<number>): Neighbor[] =>
      (byParent.get(at) ?? []).flatMap((child) =>
        except.has(child) ? [] : [{ id: (nodes[child] as SceneNode).id, rect: before[child] as Rect }],
      );
    let inner = new Set(roots.flatMap((id) => indexOf.get(id) ?? []));
    this.#roots = [...inner].map((at) => after[at] as Rect);
    this.#isInGroup = parent !== null;
    let at = parent === null ? -1 : (indexOf.get(parent) ?? -1);
    this.#neighbors = contents(at, inner);
    this.#index = new RectIndex(this.#neighbors.map(({ rect }) => rect));
    while (at >= 0) {
      const node = nodes[at] as SceneNode;
      const rect = before[at] as Rect;
      const rest = boundingBox(contents(at, inner).map((neighbor) => neighbor.rect));
      inner = new Set([at]);
      // What was close before may stay close.
      const near = expandRect(rect, GRID_SIZE);
      const taken = contents(node.parent, inner).filter((neighbor) => !overlaps(neighbor.rect, near));
      this.#frames.push({ node, rest: rest ? [rest] : [], taken });
      at = node.parent;
    }
  }

  /** The shortest shift after which the block covers nothing; none if there is no room nearby in its group. */
  nearest(): Point {
    const found = nearestShift((by) => this.#isFree(by));
    if (found) return found;
    if (this.#isInGroup) return { x: 0, y: 0 };
    return shiftBelow(
      this.#roots,
      this.#neighbors.map(({ rect }) => rect),
    );
  }

  /** The components that the block and the groups around it cover after a shift. */
  covered(by: Point): string[] {
    const ids: string[] = [];
    for (const rect of this.#roots)
      for (const neighbor of this.#neighbors)
        if (overlaps(shifted(rect, by), neighbor.rect)) ids.push(neighbor.id);
    for (const [{ taken }, rect] of this.#framesAfter(by))
      for (const neighbor of taken) if (overlaps(rect, neighbor.rect)) ids.push(neighbor.id);
    return ids;
  }

  #isFree(by: Point): boolean {
    for (const rect of this.#roots) {
      const wide = expandRect(shifted(rect, by), GRID_SIZE);
      let isTaken = false;
      this.#index.visitRect(wide, (other) => {
        isTaken ||= overlaps(wide, other);
      });
      if (isTaken) return false;
    }
    return this.#framesAfter(by).every(([{ taken }, rect]) => {
      const wide = expandRect(rect, GRID_SIZE);
      return !taken.some((neighbor) => overlaps(wide, neighbor.rect));
    });
  }

  /** The groups around the block after a shift, innermost first. */
  #framesAfter(by: Point): [Frame, Rect][] {
    const bounds = boundingBox(this.#roots) as Rect;
    let inner = shifted(bounds, by);
    return this.#frames.map((frame) => {
      inner = groupFrame(frame.node.component, [...frame.rest, inner]);
      return [frame, inner];
    });
  }
}

function shifted(rect: Rect, by: Point): Rect {
  return { ...rect, x: rect.x + by.x, y: rect.y + by.y };
}
