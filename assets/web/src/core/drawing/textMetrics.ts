/** Text measurement and line breaking without a DOM, based on the advance widths of the bundled fonts. */
import advances from './advances.json';

export type Face = keyof typeof advances;

/** Width of full-width characters (Chinese, Japanese, Korean, emoji) relative to the font size. */
const WIDE = 1;
const FULL =
  /[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3ffff}]/u;
/** Longer texts are truncated before they are measured. */
const MAX_LENGTH = 400;

const tables = new Map<Face, ReadonlyMap<string, number>>();

/** The advance widths of a font by character, relative to the font size. */
function tableOf(face: Face): ReadonlyMap<string, number> {
  const known = tables.get(face);
  if (known) return known;
  const table = new Map<string, number>();
  for (const [width, characters] of Object.entries(advances[face].advances)) {
    for (const character of characters) table.set(character, Number(width) / 1000);
  }
  tables.set(face, table);
  return table;
}

export function textWidth(text: string, size: number, face: Face = 'label-600'): number {
  const table = tableOf(face);
  const fallback = advances[face].fallback / 1000;
  let width = 0;
  for (const character of text) {
    width += table.get(character) ?? (FULL.test(character) ? WIDE : fallback);
  }
  return width * size;
}

/**
 * Breaks a text into at most `most` lines no wider than `width`: between words, after hyphens and slashes, and inside
 * words that are wider than a line. If the text does not fit, the last line ends with “…”.
 */
export function wrapText(
  text: string,
  size: number,
  width: number,
  most: number,
  face: Face = 'label-600',
): string[] {
  if (text.length <= MAX_LENGTH && !/\s\s|^\s|\s$/.test(text) && textWidth(text, size, face) <= width)
    return [text];
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces(text, size, width, face)) {
    if (line === '' || textWidth((line + piece).trimEnd(), size, face) <= width) line += piece;
    else {
      lines.push(line);
      line = piece;
      if (lines.length > most) break;
    }
  }
  lines.push(line);
  const shown = lines.slice(0, most).map((one) => one.trimEnd());
  const last = shown.length - 1;
  if (lines.length <= most && text.length <= MAX_LENGTH) return shown;
  return shown.map((one, at) => (at === last ? cutToWidth(`${one}…`, size, width, face) : one));
}

/** Splits a text at possible line breaks. */
function* pieces(text: string, size: number, width: number, face: Face): Generator<string> {
  const words =
    text
      .slice(0, MAX_LENGTH)
      .replace(/\s+/gu, ' ')
      .trim()
      .match(/[^\s\-/]*(?:[-/]+|\s|$)/gu) ?? [];
  for (const word of words) {
    if (textWidth(word.trimEnd(), size, face) <= width) {
      if (word) yield word;
      continue;
    }
    let part = '';
    for (const character of word) {
      if (part && textWidth(part + character, size, face) > width) {
        yield part;
        part = '';
      }
      part += character;
    }
    yield part;
  }
}

function cutToWidth(text: string, size: number, width: number, face: Face): string {
  if (textWidth(text, size, face) <= width) return text;
  let kept = '';
  let used = textWidth('…', size, face);
  for (const character of text) {
    used += textWidth(character, size, face);
    if (used > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
