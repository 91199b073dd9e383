/** Breaks the text of a note into positioned rows, for images. On the map, the browser breaks the same text. */
import { type Face, textWidth } from '../drawing/textMetrics';
import type { Block, Line, Run } from './markdown';
import metrics from './note.json';

export interface PlacedRun extends Run {
  x: number;
  width: number;
}

export interface Row {
  /** The vertical center of the row, below the top of the text. */
  middle: number;
  size: number;
  isHeading: boolean;
  runs: readonly PlacedRun[];
}

export interface TextLayout {
  rows: readonly Row[];
  /** The vertical positions of horizontal rules. */
  rules: readonly number[];
  height: number;
}

interface TextStyle {
  size: number;
  line: number;
  isHeading: boolean;
}

/** Bold text of the variable font is wider than the regular text that was measured. */
const BOLD_WIDTH = 1.06;
/** Widths relative to the font size in monospaced fonts. */
const MONO_WIDTH = 0.6;

/** Lays out the text of a note within a width. */
export function layoutText(blocks: readonly Block[], width: number): TextLayout {
  const rows: Row[] = [];
  const rules: number[] = [];
  let y = 0;
  for (const [at, block] of blocks.entries()) {
    const style = styleOf(block);
    if (at > 0) y += gapBefore(block, blocks[at - 1] as Block);
    if (block.kind === 'rule') {
      rules.push(y + metrics.gap / 2);
      y += metrics.gap;
      continue;
    }
    const marker = block.marker === undefined ? 0 : metrics.indent;
    const left = block.depth * metrics.indent + marker;
    const wrapped = block.lines.flatMap((line) =>
      wrapLine(line, style, left, Math.max(width - left, style.size)),
    );
    for (const [place, runs] of wrapped.entries()) {
      const bullet = place === 0 && block.marker ? [markerRun(block.marker, left - metrics.indent)] : [];
      const { size, isHeading } = style;
      rows.push({ middle: y + style.line / 2, size, isHeading, runs: [...bullet, ...runs] });
      y += style.line;
    }
  }
  return { rows, rules, height: y };
}

function styleOf({ kind, level }: Block): TextStyle {
  if (kind === 'heading')
    return { ...(metrics.headings[(level ?? 3) - 1] as { size: number; line: number }), isHeading: true };
  return { ...metrics.text, isHeading: false };
}

/** List items follow each other without a gap. */
function gapBefore(block: Block, before: Block): number {
  return block.kind === 'item' && before.kind === 'item' ? 0 : metrics.gap;
}

function markerRun(text: string, x: number): PlacedRun {
  return { text, x, width: metrics.indent };
}

/** Breaks a line between words, and inside words that are wider than the line. */
function wrapLine(line: Line, style: TextStyle, left: number, width: number): PlacedRun[][] {
  const rows: PlacedRun[][] = [[]];
  let x = 0;
  for (const run of line) {
    for (const piece of piecesOf(run, style, width)) {
      const pieceWidth = widthOf(piece, run, style);
      const isBroken = x > 0 && x + widthOf(piece.trimEnd(), run, style) > width;
      if (isBroken) {
        rows.push([]);
        x = 0;
      }
      const row = rows.at(-1) as PlacedRun[];
      const last = row.at(-1);
      if (last && isSameStyle(last, run)) {
        row[row.length - 1] = { ...last, text: last.text + piece, width: last.width + pieceWidth };
      } else {
        row.push({ ...run, text: piece, x: left + x, width: pieceWidth });
      }
      x += pieceWidth;
    }
  }
  return rows;
}

/** Words with the space after them; parts of words that are wider than a line. */
function* piecesOf(run: Run, style: TextStyle, width: number): Generator<string> {
  for (const word of run.text.match(/\S+\s*|\s+/gu) ?? []) {
    if (widthOf(word.trimEnd(), run, style) <= width) {
      yield word;
      continue;
    }
    let part = '';
    for (const character of word) {
      if (part && widthOf(part + character, run, style) > width) {
        yield part;
        part = '';
      }
      part += character;
    }
    yield part;
  }
}

function widthOf(text: string, { bold, code }: Run, { size, isHeading }: TextStyle): number {
  if (code) return [...text].length * size * MONO_WIDTH * metrics.codeScale;
  const face: Face = isHeading ? 'label-600' : 'text';
  return textWidth(text, size, face) * (bold && !isHeading ? BOLD_WIDTH : 1);
}

function isSameStyle(a: Run, b: Run): boolean {
  return (
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.code === b.code &&
    a.struck === b.struck &&
    a.href === b.href
  );
}

/** The height of a note whose text fits. */
export function fittingHeight(blocks: readonly Block[], width: number): number {
  const { padding } = metrics;
  return Math.ceil(layoutText(blocks, width - 2 * padding).height + 2 * padding);
}
