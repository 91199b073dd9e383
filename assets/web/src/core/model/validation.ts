/** Client-side validation of values that the server would reject, with messages for the user. */
import {
  MAX_NAME_CHARS,
  MAX_PROPERTIES_BYTES,
  MAX_PROPERTIES_DEPTH,
  MAX_TEXT_CHARS,
  MAX_URL_CHARS,
} from '../limits';

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters to reject them
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** The problem with a name, if any. */
export function nameProblem(name: unknown): string | undefined {
  const text = typeof name === 'string' ? name.trim() : '';
  if (text === '') return 'Enter a name.';
  const length = [...text].length;
  if (length > MAX_NAME_CHARS) return tooLong('Name', length, MAX_NAME_CHARS);
  if (CONTROL.test(text)) return 'Name must be a single line without tabs or control characters.';
  return undefined;
}

/** The problem with a description or label, if any. */
export function textProblem(text: string): string | undefined {
  const length = [...text].length;
  return length > MAX_TEXT_CHARS ? tooLong('Text', length, MAX_TEXT_CHARS) : undefined;
}

/** The problem with properties, if any. */
export function propertiesProblem(properties: Record<string, unknown>): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(properties)).length;
  if (bytes > MAX_PROPERTIES_BYTES) {
    return `Properties must not exceed ${MAX_PROPERTIES_BYTES / 1024} KiB in total, they have ${Math.ceil(bytes / 1024)} KiB. Shorten or remove some.`;
  }
  if (depth(properties) > MAX_PROPERTIES_DEPTH)
    return `Properties must not be nested more than ${MAX_PROPERTIES_DEPTH} levels deep.`;
  return undefined;
}

/** The problem with the URL of a link, if any. */
export function urlProblem(url: string): string | undefined {
  const text = url.trim();
  if (text === '') return 'Enter a URL.';
  if (text.length > MAX_URL_CHARS) return tooLong('URL', text.length, MAX_URL_CHARS);
  if (!/^https?:\/\/[^\s\\]+$/i.test(text))
    return 'URL must start with https:// or http:// and contain no spaces.';
  try {
    const { username, password } = new URL(text);
    return username || password ? 'URL must not contain a user name or password.' : undefined;
  } catch {
    return 'Enter a complete URL, such as https://example.org/page.';
  }
}

function tooLong(subject: string, length: number, limit: number): string {
  const group = (count: number) => count.toLocaleString('en');
  return `${subject} must have at most ${group(limit)} characters, has ${group(length)}. Remove ${group(length - limit)}.`;
}

function depth(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}
