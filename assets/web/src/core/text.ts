/** Text helpers: counts with plurals, and initials. */

/** For example “1 component” or “3,000 components”. */
export function formatCount(count: number, singular: string, many = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : many}`;
}

/** For example “12 of 43 components”, or “43 components” if all are shown. */
export function formatShown(shown: number, all: number, singular: string): string {
  const count = formatCount(all, singular);
  return shown === all ? count : `${shown.toLocaleString('en')} of ${count}`;
}

/** One or two letters of a name: the initials of the first and last word, or the first two letters of a single word. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = ''] = words;
  const last = words.length > 1 ? words.at(-1) : undefined;
  const letters = last ? [[...first][0], [...last][0]] : [...first].slice(0, 2);
  return letters.join('').toUpperCase() || '?';
}

/** Truncates a text to at most `max` characters, ending with an ellipsis. */
export function truncate(text: string, max: number): string {
  // A string has at least as many UTF-16 units as characters, and most strings are short.
  if (text.length <= max) return text;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
