/** Ranks search results: whole words before prefixes, prefixes before substrings. */

/** A searchable item. */
export interface Searchable {
  title: string;
  /** Other names: IDs, types, people. */
  words?: readonly string[];
  /** Longer text, in which only whole terms match. */
  text?: string;
}

/** The search terms, all of which must match. */
export function searchTerms(query: string): string[] {
  return normalize(query).split(/\s+/).filter(Boolean);
}

/** Only characters of ASCII. */
const ASCII = /^[\0-\x7f]*$/;

/** Removes case and accents. */
function normalize(text: string): string {
  // Most texts have no accents, and searching for them takes ten times as long.
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

const LETTER = /[\p{L}\p{N}]/u;

/** The score of a match; 0 if there is none. The texts of `thing` must be normalized, for example by `prepareEntry`. */
export function matchScore(terms: readonly string[], thing: Searchable): number {
  let total = 0;
  for (const term of terms) {
    const inTitle = fuzzyScore(term, thing.title);
    const inWords = Math.max(0, ...(thing.words ?? []).map((word) => substringScore(term, word) * 0.7));
    const inText = thing.text?.includes(term) ? 8 : 0;
    const best = Math.max(inTitle, inWords, inText);
    if (best === 0) return 0;
    total += best;
  }
  return total / Math.max(1, terms.length) - Math.min(thing.title.length, 60) / 100;
}

/** Whether all terms match, faster than by the score. Without terms, nothing matches. */
export function matchesTerms(terms: readonly string[], { title, words, text }: Searchable): boolean {
  const isFound = (term: string) =>
    title.includes(term) ||
    words?.some((word) => word.includes(term)) ||
    text?.includes(term) ||
    fuzzyScore(term, title) > 0;
  return terms.length > 0 && terms.every(isFound);
}

/** Normalizes the texts of an item. */
export function prepareEntry({ title, words, text }: Searchable): Searchable {
  return {
    title: normalize(title),
    ...(words ? { words: words.map(normalize) } : {}),
    ...(text ? { text: normalize(text) } : {}),
  };
}

/** The matches, best first; equal scores keep their order. */
export function rank<T>(things: Iterable<readonly [T, Searchable]>, query: string, limit: number): T[] {
  const terms = searchTerms(query);
  const found: { thing: T; score: number }[] = [];
  for (const [thing, searchable] of things) {
    const score = matchScore(terms, searchable);
    if (score > 0) found.push({ thing, score });
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ thing }) => thing);
}

/** Like `substringScore`, but also matches letters in order with gaps: `pmt` matches `payment`. */
function fuzzyScore(term: string, text: string): number {
  const plainly = substringScore(term, text);
  if (plainly > 0 || term.length < 2) return plainly;
  let at = -1;
  let gaps = 0;
  for (const letter of term) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return 0;
    if (at >= 0) gaps += next - at - 1;
    else if (next > 0 && LETTER.test(text[next - 1] ?? '')) return 0;
    at = next;
  }
  return gaps > term.length * 3 ? 0 : Math.max(2, 20 - gaps);
}

function substringScore(term: string, text: string): number {
  if (text === term) return 100;
  let best = 0;
  for (let at = text.indexOf(term); at >= 0 && best < 60; at = text.indexOf(term, at + 1)) {
    if (at === 0) return 80;
    best = LETTER.test(text[at - 1] ?? '') ? 35 : 60;
  }
  return best;
}
