import { expect, it } from 'vitest';
import { organizationSlug } from './slug';

it.each([
  ['Analytical Engines', 'analytical-engines'],
  ['  Café & Söhne  ', 'cafe-sohne'],
  ['漢字', ''],
  ['x'.repeat(60), 'x'.repeat(50)],
])('“%s” becomes “%s”', (name, slug) => {
  expect(organizationSlug(name)).toBe(slug);
});
