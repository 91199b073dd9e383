/** Lists of tags and technologies as text: separated by commas, as users type them. */
import { MAX_KEYWORD_CHARS, MAX_KEYWORDS } from '../limits';

/** The fields of components that are lists of keywords. */
export type KeywordField = 'tags' | 'technology';

/** Formats a list for editing. Lists of rows that an earlier version stored in the browser may be missing. */
export function formatKeywords(keywords: readonly string[] | undefined): string {
  return (keywords ?? []).join(', ');
}

/** Parses a comma-separated list. Empty and repeated items are removed. */
export function parseKeywords(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items)].filter(Boolean);
}

/** The problem with a list, or with a comma-separated list, if any. */
export function keywordsProblem(text: string | readonly string[]): string | undefined {
  const keywords = typeof text === 'string' ? parseKeywords(text) : text;
  if (keywords.length > MAX_KEYWORDS) return `At most ${MAX_KEYWORDS} items, found ${keywords.length}.`;
  const long = keywords.find((keyword) => [...keyword].length > MAX_KEYWORD_CHARS);
  return long ? `At most ${MAX_KEYWORD_CHARS} characters per item. Separate items with commas.` : undefined;
}

/** All values of a field, most frequent first. */
export function usedKeywords(rows: Iterable<readonly string[] | undefined>): string[] {
  return keywordCounts(rows).map(([keyword]) => keyword);
}

/** All values of a field with the number of rows that have them, most frequent first. */
export function keywordCounts(rows: Iterable<readonly string[] | undefined>): [string, number][] {
  const counts = new Map<string, number>();
  for (const keywords of rows)
    for (const keyword of keywords ?? []) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  return [...counts].sort(([one, count], [other, more]) => more - count || one.localeCompare(other));
}

/**
 * Values that complete the last item of a comma-separated list: first those that begin with it, then those that contain
 * it. Values that are already in the list are left out.
 */
export function suggestKeywords(text: string, known: readonly string[], limit: number): string[] {
  const { before, last } = splitLast(text);
  const taken = new Set(parseKeywords(before).map((one) => one.toLocaleLowerCase()));
  const typed = last.trim().toLocaleLowerCase();
  const rank = (keyword: string) => {
    const lower = keyword.toLocaleLowerCase();
    if (taken.has(lower) || !lower.includes(typed) || keyword === last.trim()) return -1;
    return lower.startsWith(typed) ? 0 : 1;
  };
  const found = new Map<string, { keyword: string; rank: number }>();
  for (const keyword of known) {
    const key = keyword.toLocaleLowerCase();
    if (rank(keyword) >= 0 && !found.has(key)) found.set(key, { keyword, rank: rank(keyword) });
  }
  return [...found.values()]
    .sort((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ keyword }) => keyword);
}

/** Replaces the last item of a comma-separated list. */
export function completeKeyword(text: string, keyword: string): string {
  return formatKeywords([...parseKeywords(splitLast(text).before), keyword]);
}

function splitLast(text: string): { before: string; last: string } {
  const at = text.lastIndexOf(',');
  return { before: text.slice(0, Math.max(at, 0)), last: text.slice(at + 1) };
}
