import { expect, it } from 'vitest';

/** Phrases to avoid in user-facing texts. IDs and comments are not checked. */
const UNUSUAL =
  /\b(nobody|whoever|somebody|anybody|everybody|anew|afresh|meanwhile|let go|take back|taken back|e-mail|set-up|neighbour|any more|ran out)\b|\d %|[a-z]!(?=['"`<])/i;

const COMMENT = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g;
/** String literals that contain a space, and text between tags. */
const TEXT = /'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"|`[^`\n]* [^`\n]*`|>[^<>{}=;]+</g;

it('user-facing texts use plain words', () => {
  const sources = import.meta.glob<string>(
    ['./**/*.{ts,tsx}', '!./**/*.test.ts', '!./**/testing.ts', '!./api/generated.ts'],
    { query: '?raw', import: 'default', eager: true },
  );
  expect(Object.keys(sources).length).toBeGreaterThan(300);
  const found = Object.entries(sources).flatMap(([file, source]) =>
    (source.replace(COMMENT, '').match(TEXT) ?? [])
      .filter((text) => UNUSUAL.test(text))
      .map((text) => `${file}: ${text.trim()}`),
  );
  expect(found).toEqual([]);
});
