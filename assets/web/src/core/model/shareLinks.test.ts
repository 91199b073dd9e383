import { expect, test } from 'vitest';
import type { ShareLink, SharingRules } from '@/api/generated';
import { defaultExpiry, embedCode, expiryChoices, expiryIn, linesOf, patchOf } from './shareLinks';

const rules = (maxDays: number | null): SharingRules => ({ mode: 'links', maxDays, passwordRequired: false });

test('only expiries that the rules allow can be chosen', () => {
  expect(expiryChoices(rules(null))).toEqual([7, 30, 90, 365, null]);
  expect(expiryChoices(rules(365))).toEqual([7, 30, 90, 365]);
  expect(expiryChoices(rules(45))).toEqual([7, 30, 45]);
  expect(expiryChoices(rules(3))).toEqual([3]);
});

test('a link expires after 90 days by default, or earlier if the rules require it', () => {
  expect(defaultExpiry(rules(null))).toBe(90);
  expect(defaultExpiry(rules(30))).toBe(30);
  expect(expiryIn(1, 5)).toBe(86_400_005);
  expect(expiryIn(null, 5)).toBeNull();
});

test('the name of a link stays text in the code to embed it', () => {
  const code = embedCode({ url: 'https://a.example/s/x.y', name: '"><script>' });
  expect(code).toContain('title="&quot;&gt;&lt;script&gt;"');
  expect(code).toContain('src="https://a.example/s/x.y/embed"');
});

test('origins are separated by lines, spaces or commas', () => {
  expect(linesOf(' https://a.example,\nhttps://b.example  https://c.example\n')).toEqual([
    'https://a.example',
    'https://b.example',
    'https://c.example',
  ]);
});

test('an edit sends only what it changes', () => {
  const before = {
    name: 'Wiki',
    theme: 'auto',
    shows: ['notes'],
    embedOrigins: [],
    hasPassword: true,
    expiresAt: 5,
  };
  const patch = (after: object) => patchOf(before as unknown as ShareLink, after);
  expect(patch({ name: 'Wiki', theme: 'dark', shows: ['notes'], embedOrigins: [] })).toEqual({
    theme: 'dark',
  });
  expect(patch({ password: null, expiresAt: undefined })).toEqual({ password: null });
  expect(patch({ password: undefined, expiresAt: null })).toEqual({ expiresAt: null });
});
