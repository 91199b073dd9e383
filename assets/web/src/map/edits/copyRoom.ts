/** Where copies are placed: in free room, inside the groups of their originals where those exist. */
import type { ClipboardContent } from '@/core/layout/clipboard';
import { findFreeShift, type Placing } from '@/core/layout/freePosition';
import { boundingBox, overlaps, type Point, type Rect, snapToGrid } from '@/core/scene/geometry';
import { buildScene, GROUP_PADDING, GROUP_TITLE_HEIGHT, nodeRects, type Scene } from '@/core/scene/scene';
import { useWorkspace } from '@/workspace/store';
import { currentScene } from '../state/scenes';
import { isExpandedGroup, obstacles, rectOf } from './room';

export interface CopyRoom {
  /** The distance between a component and its copy. */
  shiftOf(id: string): Point;
  /** The distance between a note and its copy. */
  noteShift: Point;
  /** The groups of the outermost copies, by the IDs of the originals. */
  parents: ReadonlyMap<string, string>;
}

/** A copy that is not part of another copy, at the preferred place. */
interface Root {
  id: string;
  rect: Rect;
}

/**
 * The places closest to the given offset at which copies cover nothing. In another workspace, copies are placed in
 * groups that have the ID or the name of the groups of their originals.
 */
export function roomForCopies(clip: ClipboardContent, offset: Point): CopyRoom {
  const component = new Map(
    clip.components.map((row) => [row.id, { ...row, x: row.x + offset.x, y: row.y + offset.y }]),
  );
  const relationship = new Map(clip.relationships.map((row) => [row.id, row]));
  const copies = buildScene({ component, relationship }, new Set());
  const rects = nodeRects(copies);
  const roots = copies.nodes.flatMap(({ id, parent }, at) =>
    parent < 0 ? [{ id, rect: rects[at] as Rect }] : [],
  );
  const isSameWorkspace = clip.workspaceId === useWorkspace.getState().workspaceId;
  const groupOf = isSameWorkspace ? ownGroup : groupFinder(clip);
  const parents = new Map(roots.flatMap(({ id }) => entry(id, groupOf(id))));
  const shifts = isSameWorkspace ? shiftedTogether(roots, parents) : shiftedByGroup(roots, parents);
  const plus = (by: Point): Point => ({ x: offset.x + by.x, y: offset.y + by.y });
  return {
    shiftOf: (id) => plus(shifts.get(rootOf(copies, id)) ?? NO_SHIFT),
    noteShift: plus(
      roots.map(({ id }) => (parents.has(id) ? undefined : shifts.get(id))).find(Boolean) ?? NO_SHIFT,
    ),
    parents,
  };
}

const NO_SHIFT: Point = { x: 0, y: 0 };

function entry(id: string, group: string | undefined): [string, string][] {
  return group !== undefined && isExpandedGroup(group) ? [[id, group]] : [];
}

function ownGroup(id: string): string | undefined {
  return currentScene().containment.parent.get(id);
}

/** Finds the group in this workspace with the ID, or the name, of the group of an original. */
function groupFinder({ groups }: ClipboardContent): (id: string) => string | undefined {
  const here = currentScene().nodes.filter(({ isGroup }) => isGroup);
  const found = new Map(
    groups.map(({ componentId, id, name }) => {
      const same =
        here.find((node) => node.id === id) ?? here.find(({ component }) => component.name === name);
      return [componentId, same?.id];
    }),
  );
  return (id) => found.get(id);
}

function rootOf({ nodes, indexOf }: Scene, id: string): string {
  let node = nodes[indexOf.get(id) ?? -1];
  while (node && node.parent >= 0) node = nodes[node.parent];
  return node?.id ?? id;
}

/** One shift for all copies, which keeps their arrangement. */
function shiftedTogether(
  roots: readonly Root[],
  parents: ReadonlyMap<string, string>,
): ReadonlyMap<string, Point> {
  const shift = freeShift(roots.map(({ id, rect }) => ({ rect, taken: obstacles(parents.get(id) ?? null) })));
  return new Map(roots.map(({ id }) => [id, shift]));
}

/** One shift for the copies in each group, which are placed from its top left corner, and one for those in no group. */
function shiftedByGroup(
  roots: readonly Root[],
  parents: ReadonlyMap<string, string>,
): ReadonlyMap<string, Point> {
  const shifts = new Map<string, Point>();
  const placed: Rect[] = [];
  for (const [group, part] of Map.groupBy(roots, ({ id }) => parents.get(id) ?? null)) {
    const start = startOf(group, part);
    const taken = [...obstacles(group), ...placed];
    const moved = part.map(({ rect }) => shifted(rect, start));
    const free = freeShift(moved.map((rect) => ({ rect, taken })));
    for (const [at, { id }] of part.entries()) {
      shifts.set(id, { x: start.x + free.x, y: start.y + free.y });
      placed.push(shifted(moved[at] as Rect, free));
    }
  }
  return shifts;
}

/** The shift to the top left corner of a group. */
function startOf(group: string | null, part: readonly Root[]): Point {
  const frame = group === null ? undefined : rectOf(group);
  const bounds = boundingBox(part.map(({ rect }) => rect));
  if (!frame || !bounds) return NO_SHIFT;
  return {
    x: snapToGrid(frame.x + GROUP_PADDING - bounds.x),
    y: snapToGrid(frame.y + GROUP_TITLE_HEIGHT + GROUP_PADDING - bounds.y),
  };
}

function shifted(rect: Rect, by: Point): Rect {
  return { ...rect, x: rect.x + by.x, y: rect.y + by.y };
}

function freeShift(all: readonly Placing[]): Point {
  const isCovering = all.some(({ rect, taken }) => taken.some((other) => overlaps(rect, other)));
  return isCovering ? findFreeShift(all) : NO_SHIFT;
}
