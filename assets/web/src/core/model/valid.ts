/** Client-side validation of what the server would reject, with messages for the user. */

const NAME_LIMIT = 200;
const TEXT_LIMIT = 10_000;
const PROPERTIES_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 32;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it rejects
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** The problem with a name, if any. */
export function problemOfName(name: unknown): string | undefined {
  const text = typeof name === 'string' ? name.trim() : '';
  if (text === '') return 'Enter a name.';
  const length = [...text].length;
  if (length > NAME_LIMIT) return tooLong('Name', length, NAME_LIMIT);
  if (CONTROL.test(text)) return 'Name must be a single line without tabs or control characters.';
  return undefined;
}

/** The problem with a description or label, if any. */
export function problemOfText(text: string): string | undefined {
  const length = [...text].length;
  return length > TEXT_LIMIT ? tooLong('Text', length, TEXT_LIMIT) : undefined;
}

/** The problem with properties, if any. */
export function problemOfProperties(properties: Record<string, unknown>): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(properties)).length;
  if (bytes > PROPERTIES_LIMIT) {
    return `Properties must not exceed 64 KiB in total, they have ${Math.ceil(bytes / 1024)} KiB. Shorten or remove some.`;
  }
  if (depth(properties) > DEPTH_LIMIT)
    return `Properties must not be nested more than ${DEPTH_LIMIT} levels deep.`;
  return undefined;
}

/** The problem with the URL of a link, if any. */
export function problemOfAddress(url: string): string | undefined {
  const text = url.trim();
  if (text === '') return 'Enter a URL.';
  if (text.length > 2048) return tooLong('URL', text.length, 2048);
  if (!/^https?:\/\/[^\s\\]+$/i.test(text))
    return 'URL must start with https:// or http:// and contain no spaces.';
  try {
    const { username, password } = new URL(text);
    return username || password ? 'URL must not contain a user name or password.' : undefined;
  } catch {
    return 'Enter a complete URL, such as https://example.org/page.';
  }
}

function tooLong(what: string, length: number, limit: number): string {
  const group = (count: number) => count.toLocaleString('en');
  return `${what} must have at most ${group(limit)} characters, has ${group(length)}. Remove ${group(length - limit)}.`;
}

function depth(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}
