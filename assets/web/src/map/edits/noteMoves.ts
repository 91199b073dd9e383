/** Moves and resizes notes, together with components. A frame takes along what is completely inside it. */
import { outermost } from '@/core/containment/containment';
import { updateOperation } from '@/core/model/edits';
import { framesAmong, withFrameContents } from '@/core/notes/hits';
import { noteRect } from '@/core/notes/note';
import { containsRect, type Point, type Rect } from '@/core/scene/geometry';
import type { Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { committedNotes } from '../state/notes';
import { committedRects, currentScene } from '../state/scenes';

/** What moves together. */
export interface MovedItems {
  /** The components that are not inside another one that moves. */
  roots: readonly string[];
  notes: ReadonlySet<string>;
  /** Whether a frame takes components along. They stay in their groups. */
  isCarrying: boolean;
}

/** What moves with the selection. If `isAlone`, frames leave their contents in place. */
export function movedItems(
  components: ReadonlySet<string>,
  notes: ReadonlySet<string>,
  isAlone = false,
): MovedItems {
  const scene = currentScene();
  const all = committedNotes();
  const frames = isAlone ? [] : framesAmong(all, notes);
  if (frames.length === 0)
    return { roots: outermost(scene.containment, components), notes, isCarrying: false };
  const rects = committedRects();
  const inside = scene.nodes.filter((_, at) =>
    frames.some((frame) => containsRect(frame, rects[at] as Rect)),
  );
  const moved = new Set([...components, ...inside.map(({ id }) => id)]);
  return {
    roots: outermost(scene.containment, moved),
    notes: withFrameContents(all, notes),
    isCarrying: inside.length > 0,
  };
}

/** The rectangles of notes, shifted by `by`. */
export function shiftedNotes(ids: ReadonlySet<string>, by: Point): Map<string, Rect> {
  const shifted = new Map<string, Rect>();
  for (const { note, rect } of committedNotes()) {
    if (ids.has(note.id)) shifted.set(note.id, { ...rect, x: rect.x + by.x, y: rect.y + by.y });
  }
  return shifted;
}

/**
 * The operations that write the places of notes. As with components, the last move wins, so that two people who move
 * the same note get no conflict.
 */
export function notePlacements(rows: Rows, placements: ReadonlyMap<string, Rect>): Operation[] {
  return [...placements].flatMap(([id, { x, y, width, height }]) => {
    const row = rows.note.get(id);
    if (!row) return [];
    const before = noteRect(row);
    const isResized = before.width !== width || before.height !== height;
    const fields = { x: Math.round(x), y: Math.round(y), ...(isResized ? { width, height } : {}) };
    return updateOperation('note', id, { ...row, revision: 0 }, fields);
  });
}
