/** Free room on the map for new, pasted and dropped components, so that none of them covers another. */
import { ancestorsOf, withDescendants } from '@/core/containment/containment';
import type { Size } from '@/core/drawing/card';
import { findFreePosition, findFreeShift, type Placing } from '@/core/layout/freePosition';
import { placeInGroup } from '@/core/layout/placeInGroup';
import { isBehind, placedNotes } from '@/core/notes/note';
import { boundingBox, GRID_SIZE, NODE_SIZE, overlaps, type Point, type Rect } from '@/core/scene/geometry';
import { GROUP_PADDING, GROUP_TITLE_HEIGHT, nodeRects, type Placement } from '@/core/scene/scene';
import { useWorkspace } from '@/workspace/store';
import { committedRects, currentScene } from '../state/scenes';

const NONE: ReadonlySet<string> = new Set();

/**
 * The rectangles that a part of `parent` must not overlap: all cards and groups except the groups that contain it, and
 * except the given components.
 */
export function obstacles(parent: string | null, except: ReadonlySet<string> = NONE): Rect[] {
  const { nodes, containment } = currentScene();
  const around = new Set(parent === null ? [] : [parent, ...ancestorsOf(containment, parent)]);
  return committedRects().filter((_, at) => {
    const id = nodes[at]?.id ?? '';
    return !around.has(id) && !except.has(id);
  });
}

/** The rectangle of a component on the map; undefined if it is hidden in a collapsed group. */
export function rectOf(id: string): Rect | undefined {
  const { indexOf, hidden } = currentScene();
  return hidden.has(id) ? undefined : committedRects()[indexOf.get(id) ?? -1];
}

/** Whether a component is drawn as a frame around its parts. */
export function isExpandedGroup(id: string): boolean {
  const { nodes, indexOf } = currentScene();
  const node = nodes[indexOf.get(id) ?? -1];
  return node?.id === id && node.isGroup;
}

interface RoomOptions {
  /** The size of the component, by default the minimum size of cards. */
  size?: Readonly<Size>;
  /** Components that move too, so that they are not in the way. */
  except?: ReadonlySet<string>;
  /** Other occupied rectangles. */
  taken?: readonly Rect[];
}

/** A free position for a component in `parent`, inside its frame if there is room. Without a group, outside of all. */
export function freePosition(
  parent: string | null,
  preferred: Point,
  { size = NODE_SIZE, except = NONE, taken = [] }: RoomOptions = {},
): Point {
  const frame = parent !== null && isExpandedGroup(parent) ? rectOf(parent) : undefined;
  const occupied = [...obstacles(parent, except), ...taken];
  if (!frame) return findFreePosition(preferred, occupied, { size });
  const within = {
    x: frame.x + GROUP_PADDING,
    y: frame.y + GROUP_TITLE_HEIGHT + GROUP_PADDING,
    width: frame.width - 2 * GROUP_PADDING,
    height: frame.height - GROUP_TITLE_HEIGHT - 2 * GROUP_PADDING,
  };
  const clamped = {
    x: clamp(preferred.x, within.x, within.x + within.width - size.width),
    y: clamp(preferred.y, within.y, within.y + within.height - size.height),
  };
  return findFreePosition(clamped, occupied, { size, within });
}

/** The place in a group that the server chooses for a new component; null if the group has no free room. */
export function expectedPlace(parent: string, size: Readonly<Size> = NODE_SIZE): Point | null {
  const { rows } = useWorkspace.getState();
  const notes = rows ? placedNotes(rows.note) : [];
  const taken = notes.flatMap(({ note, rect }) => (note.kind === 'frame' || isBehind(note) ? [] : [rect]));
  return placeInGroup(currentScene(), taken, parent, size);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}

/** The position below the hidden contents of a collapsed group. */
export function positionInCollapsed(group: string): Point {
  const { containment, hidden } = currentScene();
  const parts = [...withDescendants(containment, containment.children.get(group) ?? [])];
  const bounds = boundingBox(
    parts.flatMap((id) => hidden.get(id) ?? []).map(({ x, y }) => ({ x, y, ...NODE_SIZE })),
  );
  const { x, y, height } = bounds ?? rectOf(group) ?? { x: 0, y: 0, height: 0 };
  return { x, y: y + height + 2 * GRID_SIZE };
}

/** A shift that frees moved components from others, and the name of one that they would have overlapped. */
export interface FreeShift {
  by: Point;
  beside: string;
}

/**
 * The shift by which moved components must be shifted so that they do not cover or straddle others; null if they do
 * not. `roots` are the outermost of them.
 */
export function shiftToFreeRoom(
  moving: ReadonlyMap<string, Placement>,
  roots: readonly string[],
  parentOf: (id: string) => string | null,
): FreeShift | null {
  const scene = currentScene();
  const rects = nodeRects(scene, moving, undefined, new Set(roots));
  const moved = withDescendants(scene.containment, roots);
  const known = new Map<string | null, Rect[]>();
  const all = roots.flatMap((id): Placing[] => {
    const rect = rects[scene.indexOf.get(id) ?? -1];
    const parent = parentOf(id);
    const taken = known.get(parent) ?? obstacles(parent, moved);
    known.set(parent, taken);
    return rect ? [{ rect, taken }] : [];
  });
  const covered = all.flatMap(({ rect, taken }) => taken.filter((other) => overlaps(rect, other)));
  const other = covered.at(-1);
  if (!other) return null;
  const beside = scene.nodes[committedRects().indexOf(other)]?.component.name ?? '';
  return { by: findFreeShift(all), beside };
}
