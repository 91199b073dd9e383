/** What the server would refuse, said before it is sent, in words for the person who typed it. */

const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 10_000;
const MAX_PROPERTIES_BYTES = 64 * 1024;
const MAX_PROPERTIES_DEPTH = 32;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is not allowed
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Why this is no name. */
export function nameProblem(name: unknown): string | undefined {
  const text = typeof name === 'string' ? name.trim() : '';
  if (text === '') return 'A name is needed.';
  const length = [...text].length;
  if (length > MAX_NAME_LENGTH) return tooLong('A name', length, MAX_NAME_LENGTH);
  if (CONTROL.test(text)) return 'A name is one line, without tabs or other invisible characters.';
  return undefined;
}

/** Why this is no description or label. */
export function textProblem(text: string): string | undefined {
  const length = [...text].length;
  return length > MAX_TEXT_LENGTH ? tooLong('This', length, MAX_TEXT_LENGTH) : undefined;
}

/** Why these are no properties. */
export function propertiesProblem(properties: Record<string, unknown>): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(properties)).length;
  if (bytes > MAX_PROPERTIES_BYTES) {
    return `All properties together may have 64 KiB; these have ${Math.ceil(bytes / 1024)}. Shorten or remove some.`;
  }
  if (depth(properties) > MAX_PROPERTIES_DEPTH)
    return `Properties may be ${MAX_PROPERTIES_DEPTH} levels deep, no deeper.`;
  return undefined;
}

/** Why this is no address of a link. */
export function urlProblem(url: string): string | undefined {
  const text = url.trim();
  if (text === '') return 'An address is needed.';
  if (text.length > 2048) return tooLong('An address', text.length, 2048);
  if (!/^https?:\/\/[^\s\\]+$/i.test(text))
    return 'An address begins with https:// or http:// and has no spaces.';
  try {
    const { username, password } = new URL(text);
    return username || password ? 'An address here has no name or password in it.' : undefined;
  } catch {
    return 'This is not a complete address, such as https://example.org/page.';
  }
}

function tooLong(what: string, length: number, limit: number): string {
  const group = (count: number) => count.toLocaleString('en');
  return `${what} may have ${group(limit)} characters; this has ${group(length)}. Take out ${group(length - limit)}.`;
}

function depth(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}
