/** Syntax highlighting of sequence diagrams: keywords, arrows, messages and comments. */
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

const WORDS =
  /^\s*(sequenceDiagram|participant|actor|create|destroy|activate|deactivate|autonumber|loop|alt|else|opt|par|par_over|and|critical|option|break|rect|box|end|note|title|link|links|accTitle|accDescr)\b/i;
const INNER = /\b(?:as|over|left of|right of)\b/gi;
const ARROW = /<<-{1,2}>>|-{1,2}(?:>>|>|\)|x|\|\\|\|\/|\\\\|\/\/)[+-]?/g;
const COMMENT = /^\s*%%/;

const mark = {
  word: Decoration.mark({ class: 'cm-word' }),
  arrow: Decoration.mark({ class: 'cm-arrow' }),
  alias: Decoration.mark({ class: 'cm-alias' }),
  comment: Decoration.mark({ class: 'cm-comment' }),
};

interface Found {
  from: number;
  to: number;
  as: Decoration;
}

/** The ranges to highlight in a line. */
function inLine(text: string): Found[] {
  if (COMMENT.test(text)) return text ? [{ from: 0, to: text.length, as: mark.comment }] : [];
  const colon = text.indexOf(':');
  const head = colon < 0 ? text : text.slice(0, colon);
  const word = WORDS.exec(text);
  if (word?.[1]) {
    const from = word[0].length - word[1].length;
    const found: Found[] = [{ from, to: word[0].length, as: mark.word }];
    if (/^(participant|actor|create|note)$/i.test(word[1])) {
      for (const { index, 0: inner } of head.matchAll(INNER)) {
        if (index >= word[0].length) found.push({ from: index, to: index + inner.length, as: mark.word });
      }
    }
    return found;
  }
  const arrow = [...head.matchAll(ARROW)][0];
  if (!arrow) return [];
  const source = head.slice(0, arrow.index);
  const target = arrow.index + arrow[0].length;
  return [
    { from: source.search(/\S|$/), to: source.trimEnd().length, as: mark.alias },
    { from: arrow.index, to: target, as: mark.arrow },
    { from: target, to: head.trimEnd().length, as: mark.alias },
  ].filter(({ from, to }) => to > from);
}

function colored(view: EditorView): DecorationSet {
  const set = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      // Skip extremely long lines.
      if (line.length < 2000) {
        for (const found of inLine(line.text))
          set.add(line.from + found.from, line.from + found.to, found.as);
      }
      at = line.to + 1;
    }
  }
  return set.finish();
}

export const sequenceLanguage: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = colored(view);
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate) {
      if (docChanged || viewportChanged) this.decorations = colored(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
