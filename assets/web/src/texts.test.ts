import { expect, it } from 'vitest';
import words from '../../../tests/words.json';

/** Phrases to avoid, spaces before a percent sign, and exclamation marks. IDs and comments are not checked. */
const UNUSUAL = new RegExp(
  `(?<![\\w-])(${Object.keys(words).join('|')})(?![\\w-])|\\d %|[a-z]!(?=['"\`<])`,
  'i',
);

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
