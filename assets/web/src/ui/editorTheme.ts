/** The editor theme, based on the design tokens. */
import { EditorView } from '@codemirror/view';

export const editorTheme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--sheet)', color: 'var(--ink)', fontSize: 'var(--size-2)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-content': { caretColor: 'var(--accent)', padding: 'var(--gap-2) 0' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--well)',
    color: 'var(--ink-soft)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--accent-wash), transparent 55%)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--accent-wash)', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent), transparent 72%)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--warn-wash)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--alarm)',
    textUnderlineOffset: '0.2em',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--round)',
    backgroundColor: 'var(--sheet)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--text)', borderLeftColor: 'var(--alarm)' },
  '.cm-panels': { backgroundColor: 'var(--well)', color: 'var(--ink)' },
  '.cm-word': { color: 'var(--accent)', fontWeight: '600' },
  '.cm-arrow': { color: 'var(--warn)', fontWeight: '600' },
  '.cm-alias': { color: 'var(--good)' },
  '.cm-comment': { color: 'var(--ink-soft)', fontStyle: 'italic' },
});
