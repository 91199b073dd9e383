/** Lists of tags and technologies as text: separated by commas, as users type them. */
import { MAX_KEYWORD_CHARS, MAX_KEYWORDS } from '../limits';

/** Formats a list for editing. Lists of rows that an earlier version stored in the browser may be missing. */
export function formatKeywords(keywords: readonly string[] | undefined): string {
  return (keywords ?? []).join(', ');
}

/** Parses a comma-separated list. Empty and repeated items are removed. */
export function parseKeywords(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items)].filter(Boolean);
}

/** The problem with a comma-separated list, if any. */
export function keywordsProblem(text: string): string | undefined {
  const keywords = parseKeywords(text);
  if (keywords.length > MAX_KEYWORDS) return `At most ${MAX_KEYWORDS} items, found ${keywords.length}.`;
  const long = keywords.find((keyword) => [...keyword].length > MAX_KEYWORD_CHARS);
  return long ? `At most ${MAX_KEYWORD_CHARS} characters per item. Separate items with commas.` : undefined;
}
