/** Edits the text of a note, or the title of a frame, in place. Leaving the field, Escape and Ctrl+Enter finish. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Note } from '@/api/generated';
import { textProblem } from '@/core/model/validation';
import { colorValue, noteRect } from '@/core/notes/note';
import type { Rect } from '@/core/scene/geometry';
import { addNote, setNoteText } from '@/map/edits/notes';
import { useCamera } from '@/map/state/camera';
import { panRectIntoView } from '@/map/state/framing';
import { type NoteDraft, useInteraction } from '@/map/state/interaction';
import { focusComponent, focusNote } from '@/map/state/selection';
import { loadNoteParser, noteBlocks } from '@/ui/noteBlocks';
import { noteStyle } from '@/ui/noteStyle';
import { registerPendingInput } from '@/workspace/outboxes';
import { useWorkspace } from '@/workspace/store';
import styles from './Note.module.css';

/** The editor of an existing note. */
export function NoteEditor({ id }: { id: string }) {
  const note = useWorkspace((state) => state.rows?.note.get(id));
  // The note when editing began, to detect changes by other users.
  const [before] = useState(note);
  if (!before) return null;
  const done = (text: string) => {
    useInteraction.setState({ editingNote: null });
    setNoteText(before, text, noteBlocks(text));
    focusNote(id);
  };
  return (
    <TextEditor
      kind={before.kind}
      rect={noteRect(note ?? before)}
      color={colorValue(before)}
      text={before.text ?? ''}
      onDone={done}
    />
  );
}

/** The editor of a new note. Without text, no note is created; a frame needs no title. */
export function DraftNoteEditor({ draft }: { draft: NoteDraft }) {
  const done = (text: string) => {
    useInteraction.setState({ noteDraft: null });
    if (draft.kind === 'note' && text.trim() === '') return focusComponent(null);
    focusNote(addNote(draft, draft.kind === 'note' ? text : text.trim(), noteBlocks(text)));
  };
  return (
    <TextEditor
      kind={draft.kind}
      rect={draft.rect}
      color={colorValue({ kind: draft.kind, color: null })}
      text=""
      onDone={done}
    />
  );
}

interface Props {
  kind: Note['kind'];
  rect: Rect;
  color: string;
  text: string;
  onDone: (text: string) => void;
}

/** The minimum width of the editor of a note, in pixels. */
const MIN_EDITOR_WIDTH = 160;

function TextEditor({ kind, rect, color, text: initial, onDone }: Props) {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const problem = textProblem(text);
  const { finish } = useFinish(text, problem, onDone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the editor opens
  useEffect(() => {
    void loadNoteParser().catch(() => {});
    panRectIntoView(rect);
    field.current?.focus({ preventScroll: true });
    // An existing text is continued, not replaced.
    field.current?.setSelectionRange(initial.length, initial.length);
  }, []);
  const isFrame = kind === 'frame';
  // When zoomed out, keep the text at its normal size. The title of a frame always has it.
  const scale = useCamera(({ viewport }) => (isFrame ? 1 : Math.max(1, 1 / viewport.zoom)));
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const isDone =
      event.key === 'Escape' || (event.key === 'Enter' && (isFrame || event.ctrlKey || event.metaKey));
    if (!isDone) return;
    event.preventDefault();
    finish();
  };
  const common = {
    ref: field,
    value: text,
    'aria-label': isFrame ? 'Frame title' : 'Note text',
    'aria-invalid': problem ? true : undefined,
    onBlur: finish,
    onKeyDown,
  };
  const { x, y, width, height } = rect;
  return (
    <div
      className={styles.editor}
      data-note-kind={kind}
      style={{
        transform: `translate(${x}px, ${y}px) scale(${scale})`,
        width: isFrame ? width : Math.max(MIN_EDITOR_WIDTH, width / scale),
        height: height / scale,
        ...noteStyle(color),
      }}
      data-own-pointer
    >
      {isFrame ? (
        <input
          {...common}
          className={styles.titleInput}
          placeholder="Frame title"
          onChange={(event) => setText(event.target.value)}
        />
      ) : (
        <textarea
          {...common}
          className={styles.textInput}
          placeholder="Type a note. **bold**, - list, # heading"
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The editors that are open. */
const openEditors = new Set<{ finish: () => boolean }>();

registerPendingInput({
  flush: () => {
    for (const { finish } of openEditors) finish();
  },
  count: () => openEditors.size,
});

/** Saves the text once: when the user finishes, or when the editor closes. An invalid text stays in the field. */
function useFinish(text: string, problem: string | undefined, onDone: (text: string) => void) {
  const isDone = useRef(false);
  const latest = useRef({ text, problem, onDone });
  latest.current = { text, problem, onDone };
  const [finish] = useState(() => () => {
    const { text: typed, problem: wrong, onDone: save } = latest.current;
    if (isDone.current || wrong) return isDone.current;
    isDone.current = true;
    save(typed);
    return true;
  });
  useEffect(() => {
    const editor = { finish };
    openEditors.add(editor);
    return () => {
      openEditors.delete(editor);
      // In development, React runs effects twice.
      queueMicrotask(() => {
        if (![...openEditors].some((open) => open.finish === finish)) finish();
      });
    };
  }, [finish]);
  return { finish };
}
