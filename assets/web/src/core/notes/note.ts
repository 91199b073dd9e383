/** Notes, frames and images on the map. They are rows of a workspace, but never components. */
import type { Note, NoteColor, NoteKind } from '@/api/generated';
import { GRID_SIZE, type Rect } from '../scene/geometry';
import { plainBlocks } from './markdown';
import metrics from './note.json';
import { fittingHeight } from './textLayout';

export const NOTE_COLORS: readonly { id: NoteColor; name: string; value: string }[] = [
  { id: 'yellow', name: 'Yellow', value: '#f2c230' },
  { id: 'orange', name: 'Orange', value: '#f08c2e' },
  { id: 'red', name: 'Red', value: '#e5484d' },
  { id: 'pink', name: 'Pink', value: '#e668a7' },
  { id: 'purple', name: 'Purple', value: '#9a6ee0' },
  { id: 'blue', name: 'Blue', value: '#4a90e2' },
  { id: 'green', name: 'Green', value: '#46a758' },
  { id: 'gray', name: 'Gray', value: '#8a94a0' },
];

/** The server reads the sizes too, to leave room for notes and images when it places components. */
const DEFAULTS: Readonly<
  Record<NoteKind, { color: NoteColor; width: number; height: number; layer: number }>
> = {
  note: { color: 'yellow', ...metrics.sizes.note, layer: 0 },
  frame: { color: 'gray', ...metrics.sizes.frame, layer: -1 },
  image: { color: 'gray', ...metrics.sizes.image, layer: 0 },
};

/** The minimum size of a note of each kind. Two steps of the grid leave room for a word. */
export const MIN_NOTE_SIZE = { width: 40, height: 40 } as const;
export const MAX_NOTE_SIDE = 20_000;

export function defaultSize(kind: NoteKind): { width: number; height: number } {
  const { width, height } = DEFAULTS[kind];
  return { width, height };
}

export function defaultLayer(kind: NoteKind): number {
  return DEFAULTS[kind].layer;
}

/** The color of a note, or the default of its kind. */
export function colorOf({ kind, color }: Pick<Note, 'kind' | 'color'>): NoteColor {
  return color ?? DEFAULTS[kind].color;
}

/** The color as `#rrggbb`, before it is adjusted to a theme. */
export function colorValue(note: Pick<Note, 'kind' | 'color'>): string {
  const id = colorOf(note);
  return NOTE_COLORS.find((color) => color.id === id)?.value ?? '';
}

export function noteRect({
  kind,
  text,
  x,
  y,
  width,
  height,
}: Pick<Note, 'kind' | 'text' | 'x' | 'y' | 'width' | 'height'>): Rect {
  const size = DEFAULTS[kind];
  const wide = width ?? size.width;
  return { x, y, width: wide, height: height ?? contentHeight(kind, text, wide) };
}

/** The height of a note without one: that of its text, on the grid. */
function contentHeight(kind: NoteKind, text: string, width: number): number {
  const { height } = DEFAULTS[kind];
  if (kind !== 'note') return height;
  return Math.max(height, Math.ceil(fittingHeight(plainBlocks(text), width) / GRID_SIZE) * GRID_SIZE);
}

/** Whether a note is drawn under the components and lines. */
export function isBehind({ layer }: Pick<Note, 'layer'>): boolean {
  return layer < 0;
}

/** A note and where it is drawn. */
export interface PlacedNote {
  note: Note;
  rect: Rect;
}

const placed = new WeakMap<ReadonlyMap<string, Note>, readonly PlacedNote[]>();

/** Unchanged notes keep their object, so that they are not rendered again. */
const placedByNote = new WeakMap<Note, PlacedNote>();

function placedNote(note: Note): PlacedNote {
  const known = placedByNote.get(note) ?? { note, rect: noteRect(note) };
  placedByNote.set(note, known);
  return known;
}

/** The notes in drawing order: by layer, then in order of creation. */
export function placedNotes(notes: ReadonlyMap<string, Note>): readonly PlacedNote[] {
  const known = placed.get(notes);
  if (known) return known;
  const all = [...notes.values()].sort((a, b) => a.layer - b.layer).map(placedNote);
  placed.set(notes, all);
  return all;
}
