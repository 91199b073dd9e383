/**
 * The notes of the map and where they are drawn, including the current drag. Notes have positions on the map, so views
 * with an own layout show none.
 */
import { type PlacedNote, placedNotes } from '@/core/notes/note';
import type { Rect } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import { useWorkspace } from '@/workspace/store';
import { useInteraction } from './interaction';
import { openView, useOpenView } from './openView';

const NONE: readonly PlacedNote[] = [];

const moved = memoizeLast((all: readonly PlacedNote[], moving: ReadonlyMap<string, Rect>) =>
  all.map((placed) => {
    const rect = moving.get(placed.note.id);
    return rect ? { ...placed, rect } : placed;
  }),
);

/** The notes in drawing order, excluding the current drag. */
export function committedNotes(): readonly PlacedNote[] {
  const { rows } = useWorkspace.getState();
  return rows && !openView()?.layout ? placedNotes(rows.note) : NONE;
}

/** The notes in drawing order, including the current drag. */
export function currentNotes(): readonly PlacedNote[] {
  const { movingNotes } = useInteraction.getState();
  return movingNotes ? moved(committedNotes(), movingNotes) : committedNotes();
}

export function useNotes(): readonly PlacedNote[] {
  useOpenView();
  useWorkspace((state) => state.rows?.note);
  useInteraction((interaction) => interaction.movingNotes);
  return currentNotes();
}

/** The notes, excluding the current drag. */
export function useCommittedNotes(): readonly PlacedNote[] {
  useOpenView();
  useWorkspace((state) => state.rows?.note);
  return committedNotes();
}

export function placedNote(id: string): PlacedNote | undefined {
  return currentNotes().find(({ note }) => note.id === id);
}
