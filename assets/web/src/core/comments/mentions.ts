/** Mentions in comments: `@login` of a user and `#id` of a component. */

/** A piece of text: plain, or with what it refers to. */
export interface Piece {
  text: string;
  login?: string;
  componentId?: string;
}

/** `@` or `#` at the beginning of a word. */
const REFERENCE = /(?<![\p{L}\p{N}@/#])[@#][^\s@#]\S*/gu;

/** The word, and the word without the punctuation at its end, longest first. */
function candidates(word: string): string[] {
  const all = [word];
  for (let end = word.length - 1; end > 0; end--) {
    // Letters and digits end a name; what is behind them can be punctuation.
    if (!/[\p{L}\p{N}]/u.test(word.charAt(end))) all.push(word.slice(0, end));
  }
  return all;
}

/** Splits a text at its mentions. `isLogin` and `isComponent` decide what exists; everything else is plain text. */
export function splitMentions(
  text: string,
  isLogin: (login: string) => boolean,
  isComponent: (id: string) => boolean,
): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(REFERENCE)) {
    const exists = found.startsWith('@') ? isLogin : isComponent;
    const name = candidates(found.slice(1)).find(exists);
    if (name === undefined) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    const end = index + 1 + name.length;
    pieces.push({
      text: text.slice(index, end),
      ...(found.startsWith('@') ? { login: name } : { componentId: name }),
    });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** A mention that is being typed. */
export interface OpenMention {
  sign: '@' | '#';
  /** What was typed after the sign. */
  typed: string;
  /** The position of the sign. */
  from: number;
}

/** The mention before the caret, if one is being typed. */
export function openMention(text: string, caret: number): OpenMention | null {
  const before = text.slice(0, caret);
  const match = /(?<![\p{L}\p{N}@/#])([@#])([^\s@#]*)$/u.exec(before);
  if (!match) return null;
  return { sign: match[1] as '@' | '#', typed: match[2] ?? '', from: match.index };
}

/** The text with a completed mention, and the position of the caret behind it. */
export function complete(
  text: string,
  caret: number,
  { sign, from }: OpenMention,
  name: string,
): { text: string; caret: number } {
  const inserted = `${sign}${name} `;
  const rest = text.slice(caret).replace(/^ /, '');
  return { text: text.slice(0, from) + inserted + rest, caret: from + inserted.length };
}
