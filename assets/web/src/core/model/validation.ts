/** What the server would refuse, said before it is sent, in words for the person who typed it. */

const NAME_LIMIT = 200;
const TEXT_LIMIT = 10_000;
const PROPERTIES_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 32;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is not allowed
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Why this is no name. */
export function problemOfName(name: unknown): string | undefined {
  const text = typeof name === 'string' ? name.trim() : '';
  if (text === '') return 'A name is needed.';
  const length = [...text].length;
  if (length > NAME_LIMIT) return tooLong('A name', length, NAME_LIMIT);
  if (CONTROL.test(text)) return 'A name is one line, without tabs or other invisible characters.';
  return undefined;
}

/** Why this is no description or label. */
export function problemOfText(text: string): string | undefined {
  const length = [...text].length;
  return length > TEXT_LIMIT ? tooLong('This', length, TEXT_LIMIT) : undefined;
}

/** Why these are no properties. */
export function problemOfProperties(properties: Record<string, unknown>): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(properties)).length;
  if (bytes > PROPERTIES_LIMIT) {
    return `All properties together may have 64 KiB; these have ${Math.ceil(bytes / 1024)}. Shorten or remove some.`;
  }
  if (depth(properties) > DEPTH_LIMIT) return `Properties may be ${DEPTH_LIMIT} levels deep, no deeper.`;
  return undefined;
}

/** Why this is no address of a link. */
export function problemOfAddress(url: string): string | undefined {
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
