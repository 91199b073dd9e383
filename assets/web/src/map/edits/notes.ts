/** Creates and changes notes, frames and images of the open workspace. */

import type { Note, NoteColor } from '@/api/generated';
import { updateOperation, updateRow } from '@/core/model/edits';
import { newId } from '@/core/newId';
import { noteLabel } from '@/core/noteLabel';
import type { Block } from '@/core/notes/markdown';
import { defaultLayer, defaultSize, noteRect } from '@/core/notes/note';
import { changedLayers, type LayerChange } from '@/core/notes/order';
import { NOTE_HANDLES, resizedInProportion, resizedNote } from '@/core/notes/resize';
import { fittingHeight } from '@/core/notes/textLayout';
import { center, GRID_SIZE, type Point, type Rect, snapToGrid } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction } from '@/core/scene/hitTest';
import type { ResizeHandle } from '@/core/scene/resize';
import { formatCount } from '@/core/text';
import { showToast } from '@/ui/Toasts';
import { canEdit } from '@/workspace/model';
import { useCamera, visibleRect } from '../state/camera';
import { type NoteDraft, useInteraction } from '../state/interaction';
import { committedNotes } from '../state/notes';
import { openView } from '../state/openView';
import { showInspector } from '../state/panels';
import { focusComponent } from '../state/selection';
import { setSelection, useView } from '../state/view';
import { goToView } from '../state/viewNavigation';
import { checkCanEdit, commitPlacements, edit, rows } from './edits';
import { notePlacements } from './noteMoves';
import { commitOnRelease } from './release';

/** Whether the user can add notes here; otherwise says why not. */
export function checkCanAddNotes(): boolean {
  if (!checkCanEdit()) return false;
  if (!openView()?.layout) return true;
  showToast('Notes are on the map. This view has its own positions, so it does not show them.', {
    label: 'Show the map',
    run: () => goToView(null),
  });
  return false;
}

/** Waits for the click or drag that places a new note. */
export function startPlacing(kind: 'note' | 'frame'): void {
  if (!checkCanAddNotes()) return;
  const announcement = `Placing a ${kind}. Press Enter to place it in the center of the view, or Escape to cancel.`;
  useInteraction.setState({ placing: kind, announcement });
  focusComponent(null);
}

/** Opens the editor of a new note of the default size, centered at a point. */
export function placeNote(kind: 'note' | 'frame', at: Point): void {
  const { width, height } = defaultSize(kind);
  const rect = { x: snapToGrid(at.x - width / 2), y: snapToGrid(at.y - height / 2), width, height };
  startNoteDraft({ kind, rect });
}

/** Opens the editor of a new note in the center of the view. */
export function placeNoteInView(kind: 'note' | 'frame'): void {
  placeNote(kind, center(visibleRect()));
}

export function startNoteDraft(draft: NoteDraft): void {
  if (!checkCanAddNotes()) return;
  setSelection([]);
  useInteraction.setState({ placing: null, noteDraft: draft, announcement: '' });
}

/** Creates the note of a draft. Returns its ID. */
export function addNote({ kind, rect }: NoteDraft, text: string, blocks: readonly Block[]): string {
  const id = newId();
  const height = kind === 'note' ? Math.max(rect.height, grownHeight(blocks, rect.width)) : rect.height;
  const fields = { kind, text, ...rect, height, layer: defaultLayer(kind) };
  edit(`Add ${noteLabel({ kind, text })}`, [{ op: 'create', kind: 'note', id, fields }]);
  setSelection([], [], [id]);
  return id;
}

/** Creates the note of an uploaded image. Returns its ID. */
export function addImage(imageId: string, rect: Rect, text: string): string {
  const id = newId();
  const fields = { kind: 'image', text, imageId, ...rect, layer: defaultLayer('image') };
  edit(`Add ${noteLabel({ kind: 'image', text })}`, [{ op: 'create', kind: 'note', id, fields }]);
  setSelection([], [], [id]);
  return id;
}

/** The height of a note whose text fits, on the grid. */
function grownHeight(blocks: readonly Block[], width: number): number {
  return Math.ceil(fittingHeight(blocks, width) / GRID_SIZE) * GRID_SIZE;
}

/**
 * Saves a text. `before` is the note when editing began. A note on the map grows if its text would not fit otherwise.
 */
export function setNoteText(before: Note, text: string, blocks: readonly Block[]): void {
  const { id, kind, text: old } = before;
  if ((old ?? '') === text) return;
  const rect = noteRect(rows().note.get(id) ?? before);
  const needed = kind === 'note' ? grownHeight(blocks, rect.width) : 0;
  edit(`Edit text of ${noteLabel(before)}`, [
    ...updateOperation('note', id, before, { text }),
    ...(needed > rect.height ? updateOperation('note', id, before, { height: needed }) : []),
  ]);
}

/** The selected notes. */
export function selectedNotes(): Note[] {
  const { note } = rows();
  return [...useView.getState().selectedNotes].flatMap((id) => note.get(id) ?? []);
}

/** Sets the color of notes and frames. Images have none. */
export function setNoteColor(ids: Iterable<string>, color: NoteColor): void {
  const all = [...ids].filter((id) => rows().note.get(id)?.kind !== 'image');
  const operations = all.flatMap((id) => updateRow(rows(), 'note', id, { color }));
  if (operations.length > 0) edit(`Change color of ${describeNotes(all)}`, operations);
}

function describeNotes(ids: readonly string[]): string {
  const [first = ''] = ids;
  const only = ids.length === 1 ? rows().note.get(first) : undefined;
  return only ? noteLabel(only) : formatCount(ids.length, 'note');
}

const LAYER_LABELS: Readonly<Record<LayerChange, { label: (what: string) => string; none: string }>> = {
  forward: {
    label: (what) => `Bring ${what} forward`,
    none: 'Already in front of everything that it overlaps.',
  },
  backward: { label: (what) => `Send ${what} backward`, none: 'Already behind everything that it overlaps.' },
  front: { label: (what) => `Bring ${what} to front`, none: 'Already in front.' },
  back: { label: (what) => `Send ${what} to back`, none: 'Already at the back.' },
};

/** Moves the selected notes in front of others or behind them. */
export function changeLayer(change: LayerChange): void {
  if (!checkCanEdit()) return;
  const ids = useView.getState().selectedNotes;
  const layers = changedLayers(committedNotes(), ids, change);
  const { label, none } = LAYER_LABELS[change];
  if (layers.size === 0) {
    showToast(none, undefined, 'layer');
    return;
  }
  edit(
    label(describeNotes([...layers.keys()])),
    [...layers].flatMap(([id, layer]) => updateRow(rows(), 'note', id, { layer })),
  );
}

/** Edits the text of a note on the map. For images, touch and viewers, the inspector shows it. */
export function openNote(note: Note, isTouched = false): void {
  setSelection([], [], [note.id]);
  if (isTouched || !canEdit() || note.kind === 'image') {
    showInspector();
    return;
  }
  const { camera } = useView.getState();
  if (useCamera.getState().isOverview) camera?.revealNote(note.id);
  useInteraction.setState({ editingNote: note.id });
}

/** The rectangle of a note after one of its handles was moved. */
export function resizedBy(note: Note, handle: ResizeHandle, by: Point, isExact = false): Rect {
  const rect = noteRect(note);
  return note.kind === 'image'
    ? resizedInProportion(rect, handle, by)
    : resizedNote(rect, handle, by, isExact);
}

/** The handles of a note. */
export function handlesOf({ kind }: Note): readonly ResizeHandle[] {
  return kind === 'image' ? NOTE_HANDLES.filter(({ x, y }) => x !== 0 && y !== 0) : NOTE_HANDLES;
}

/** Saves the size that is shown. */
export function commitNoteResize(): void {
  const { movingNotes } = useInteraction.getState();
  useInteraction.setState({ movingNotes: null });
  const [id = ''] = movingNotes?.keys() ?? [];
  const note = rows().note.get(id);
  if (movingNotes && note) commitPlacements([], `Resize ${noteLabel(note)}`, movingNotes);
}

/** Saves a size that was typed. */
export function setNoteSize(note: Note, size: { width?: number; height?: number }): void {
  const rect = { ...noteRect(note), ...size };
  edit(`Resize ${noteLabel(note)}`, notePlacements(rows(), new Map([[note.id, rect]])));
}

let total: Point = { x: 0, y: 0 };

/** Moves the right or bottom edge of a note by a grid step. The size is saved when the key is released. */
export function resizeNoteByKey(id: string, direction: Direction): void {
  if (!checkCanEdit()) return;
  commitOnRelease(commitKeys);
  const note = rows().note.get(id);
  if (!note) return;
  const step = DIRECTION_STEP[direction];
  total = { x: total.x + step.x * GRID_SIZE, y: total.y + step.y * GRID_SIZE };
  const handle: ResizeHandle = { x: total.x === 0 ? 0 : 1, y: total.y === 0 ? 0 : 1 };
  const rect = noteRect(note);
  const to = resizedBy(note, handle, total);
  // Steps beyond the minimum size do not count. The other side of an image follows.
  if (note.kind !== 'image') total = { x: to.width - rect.width, y: to.height - rect.height };
  useInteraction.setState({ movingNotes: new Map([[id, to]]) });
}

function commitKeys(): void {
  total = { x: 0, y: 0 };
  commitNoteResize();
}
