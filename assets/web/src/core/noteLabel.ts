/** The kinds of notes, and their names in sentences. */
import type { Note, NoteKind } from '@/api/generated';
import { truncate } from './text';

/** The names of the kinds at the beginning of a sentence. */
export const NOTE_KINDS: Readonly<Record<NoteKind, string>> = {
  note: 'Note',
  frame: 'Frame',
  image: 'Image',
};

/** Maximum length of a note in a sentence or a list. */
const MAX_TITLE_CHARS = 40;
/** The rest of longer lines is ignored. */
const MAX_LINE_CHARS = 400;

/** The first line of the text without Markdown characters, or the kind. */
export function noteTitle({ kind, text }: Pick<Note, 'kind' | 'text'>, max = MAX_TITLE_CHARS): string {
  const line = (text ?? '')
    .split('\n')
    .map((one) => one.slice(0, MAX_LINE_CHARS))
    .map((one) => (kind === 'note' ? withoutMarks(one) : one.trim()))
    .find(Boolean);
  return line ? truncate(line, max) : kindName(kind);
}

/** The kind and the beginning of the text: `note “Remember”`; without text, only the kind. */
export function noteLabel(note: Pick<Note, 'kind' | 'text'>): string {
  const kind = kindName(note.kind).toLowerCase();
  return (note.text ?? '').trim() ? `${kind} “${noteTitle(note)}”` : kind;
}

/** The kind is unknown if only some fields of a deleted note are known. */
function kindName(kind: NoteKind | undefined): string {
  return NOTE_KINDS[kind ?? 'note'];
}

/** Removes the marks of headings, lists, emphasis, code and links from a line of Markdown. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+|>\s*|```\w*)/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`|\*)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .trim();
}
