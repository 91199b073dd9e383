/** Text measurement and line breaks without a DOM. */

/** Width of a character of the condensed font, relative to the font size. */
const NARROW = 0.45;
/** Width of full-width characters: Chinese, Japanese, Korean, emoji. */
const WIDE = 1;
const FULL =
  /[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3ffff}]/u;

export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const sign of text) width += FULL.test(sign) ? WIDE : NARROW;
  return width * size;
}

/** Breaks a text into lines no wider than `width`; the last line ends with “…” if the text does not fit. */
export function wrapText(text: string, size: number, width: number, most: number): string[] {
  // No more than can be shown is looked at, however long a name is.
  const words = text.replace(/\s+/gu, ' ').trim().slice(0, 400).split(' ');
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const next = line ? `${line} ${word}` : word;
    if (textWidth(next, size) <= width || !line) line = next;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] = `${shown[most - 1]} ${lines[most]}`;
  return shown.map((one) => cutToWidth(one, size, width));
}

function cutToWidth(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = '';
  let used = textWidth('…', size);
  for (const sign of text) {
    used += textWidth(sign, size);
    if (used > width) break;
    kept += sign;
  }
  return `${kept.trimEnd()}…`;
}
