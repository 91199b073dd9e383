/** A text editor with line numbers, error markers and its own undo history. Tab moves the focus out of the editor. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import styles from './Editor.module.css';
import { editorTheme } from './editorTheme';

/** Errors with one-based line and column. */
export interface EditorMark {
  line: number;
  column: number;
  message: string;
}

export interface EditorHandle {
  /** Moves the cursor to a position. */
  jump(line: number, column?: number): void;
}

interface Props {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Ctrl+S, or Cmd+S on a Mac. */
  onSave?: () => void;
  /** The accessible name. */
  label: string;
  marks: readonly EditorMark[];
  /** The syntax highlighting; must not change while the editor is mounted. */
  language?: Extension;
  ref?: Ref<EditorHandle>;
}

const NONCE = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export function Editor({ value, onChange, onBlur, onSave, label, marks, language, ref }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const handlers = useRef({ onChange, onBlur, onSave });
  useEffect(() => {
    handlers.current = { onChange, onBlur, onSave };
  });
  // The editor is created once. The effects below pass changes to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `value` is only the initial text
  useEffect(() => {
    if (!host.current) return;
    const extensions = [
      NONCE ? EditorView.cspNonce.of(NONCE) : [],
      base(label),
      language ?? [],
      updateListener(handlers),
    ];
    const editor = new EditorView({
      state: EditorState.create({ doc: value, extensions }),
      parent: host.current,
    });
    view.current = editor;
    const resized = new ResizeObserver(() => keepCursor(editor));
    resized.observe(host.current);
    return () => {
      resized.disconnect();
      editor.destroy();
    };
  }, [label, language]);
  useEffect(() => replace(view.current, value), [value]);
  useEffect(() => {
    const editor = view.current;
    // Error markers depend on the text and are updated when either changes.
    if (editor) editor.dispatch(setDiagnostics(editor.state, located(editor, marks)));
  }, [marks]);
  useImperativeHandle(ref, () => ({
    jump(line, column = 1) {
      const editor = view.current;
      if (!editor) return;
      const at = place(editor, line, column);
      editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      editor.focus();
    },
  }));
  return <div ref={host} className={styles.editor} />;
}

/** Keeps the cursor visible when the viewport shrinks, for example when an on-screen keyboard opens. */
function keepCursor(editor: EditorView): void {
  if (!editor.hasFocus) return;
  editor.dispatch({ effects: EditorView.scrollIntoView(editor.state.selection.main.head, { y: 'nearest' }) });
}

type EditorHandlers = Readonly<{ current: Pick<Props, 'onChange' | 'onBlur' | 'onSave'> }>;

function base(label: string): Extension {
  return [
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    history(),
    drawSelection(),
    lintGutter(),
    editorTheme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      autocapitalize: 'off',
      tabindex: '0',
    }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  ];
}

function updateListener(handlers: EditorHandlers): Extension {
  const save = () => {
    handlers.current.onSave?.();
    return true;
  };
  return [
    keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) handlers.current.onChange(update.state.doc.toString());
    }),
    EditorView.domEventHandlers({ blur: () => handlers.current.onBlur?.(), beforeinput: overSelection }),
  ];
}

/**
 * Replaces the selection with typed text. The browser would preserve the formatting of the selection in a `style`
 * attribute, which violates the CSP.
 */
function overSelection(event: InputEvent, view: EditorView): boolean {
  const isPlain = event.inputType === 'insertText' && event.data !== null;
  if (!isPlain || view.composing || view.state.selection.ranges.every(({ empty }) => empty)) return false;
  view.dispatch(view.state.replaceSelection(event.data ?? ''), {
    userEvent: 'input.type',
    scrollIntoView: true,
  });
  return true;
}

/** Replaces only the changed part of the text, to preserve the cursor position. */
function replace(editor: EditorView | null, value: string): void {
  if (!editor) return;
  const now = editor.state.doc.toString();
  // The editor only uses line feeds, so texts that differ in line breaks are equal.
  const next = value.replace(/\r\n?/g, '\n');
  if (now === next) return;
  let start = 0;
  const limit = Math.min(now.length, next.length);
  while (start < limit && now[start] === next[start]) start++;
  let end = 0;
  while (end < limit - start && now[now.length - 1 - end] === next[next.length - 1 - end]) end++;
  const changes = { from: start, to: now.length - end, insert: next.slice(start, next.length - end) };
  editor.dispatch({ changes });
}

function place({ state }: EditorView, line: number, column: number): number {
  const { from, to } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  return Math.min(from + Math.max(0, column - 1), to);
}

function located(editor: EditorView, marks: readonly EditorMark[]) {
  return marks
    .map(({ line, column, message }) => {
      const from = place(editor, line, column);
      const { to } = editor.state.doc.lineAt(from);
      const start = from === to ? editor.state.doc.lineAt(from).from : from;
      return { from: start, to, severity: 'error' as const, message };
    })
    .sort((a, b) => a.from - b.from);
}
