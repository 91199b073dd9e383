/** Finds the position of a JSON syntax error. Engines report it in different formats or not at all. */

const SPACE = /\s*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const PLAIN = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The expected next token. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'after';

/** The position of the first invalid character; the length of the text if it ends too early. */
export function jsonErrorPosition(text: string): number {
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  let at = skip(SPACE, text, 0);
  while (at < text.length) {
    const step = take(text, at, next, open);
    if (!step) return at;
    next = step.next;
    at = skip(SPACE, text, step.end);
    if (next === 'after' && open.length === 0) return at;
  }
  return text.length;
}

function take(
  text: string,
  at: number,
  next: Next,
  open: ('{' | '[')[],
): { next: Next; end: number } | undefined {
  const sign = text.charAt(at);
  const end = at + 1;
  if (mayClose(sign, next, open.at(-1))) {
    open.pop();
    return { next: 'after', end };
  }
  if (next === 'colon') return sign === ':' ? { next: 'value', end } : undefined;
  if (next === 'after') {
    return sign === ',' ? { next: open.at(-1) === '{' ? 'key' : 'value', end } : undefined;
  }
  const pastText = skip(STRING, text, at);
  if (next === 'key' || next === 'first key') {
    return pastText > at ? { next: 'colon', end: pastText } : undefined;
  }
  if (sign === '{' || sign === '[') {
    open.push(sign);
    return { next: sign === '{' ? 'first key' : 'first value', end };
  }
  const past = Math.max(pastText, skip(PLAIN, text, at));
  return past > at ? { next: 'after', end: past } : undefined;
}

function mayClose(sign: string, next: Next, opened: string | undefined): boolean {
  if (sign === '}') return opened === '{' && (next === 'after' || next === 'first key');
  return sign === ']' && opened === '[' && (next === 'after' || next === 'first value');
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
