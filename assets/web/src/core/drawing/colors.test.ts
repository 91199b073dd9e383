import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COLORS } from '@/core/model/holderColors';
import { NEUTRAL_COLOR } from '@/core/model/model';
import { type ColorTheme, cardColors, contrastRatio } from './colors';
import parameters from './colors.json';

/** All colors of the catalog, read from the server's source. */
const CATALOG = [
  ...new Set(
    readFileSync(`${import.meta.dirname}/../../../../../src/domain/catalogue.rs`, 'utf8').match(
      /#[0-9A-F]{6}/g,
    ),
  ),
];

/** Custom types may have any color. */
const EXTREMES = ['#000000', '#ffffff', '#ffff00', '#00ff00', '#ff0000', '#0000ff', '#808080'];

const THEMES: readonly ColorTheme[] = ['light', 'dark'];
const ALL = [...CATALOG, ...COLORS, NEUTRAL_COLOR, ...EXTREMES];

describe.each(THEMES)('card colors in the %s theme', (theme) => {
  it.each(ALL)('have readable text and visible outlines for %s', (color) => {
    const { fill, edge, ink, soft } = cardColors(color, theme);
    expect(contrastRatio(ink, fill)).toBeGreaterThanOrEqual(4.5);
    expect(contrastRatio(soft, fill)).toBeGreaterThanOrEqual(4.5);
    expect(contrastRatio(edge, fill)).toBeGreaterThanOrEqual(3);
    expect(contrastRatio(edge, parameters[theme].paper)).toBeGreaterThanOrEqual(3);
  });

  it('have fills that differ from the background, so that lens colors are visible', () => {
    const { sheet } = parameters[theme];
    const fills = CATALOG.map((color) => cardColors(color, theme).fill);
    expect(fills).not.toContain(sheet);
    expect(new Set(fills).size).toBe(CATALOG.length);
  });
});

it('the catalog is found', () => {
  expect(CATALOG.length).toBeGreaterThan(30);
});

it('the palette matches the style sheet', () => {
  const css = readFileSync(`${import.meta.dirname}/../../ui/tokens.css`, 'utf8');
  for (const token of ['paper', 'sheet', 'ink'] as const) {
    const [, light, dark] = new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
    expect([light, dark]).toEqual([parameters.light[token], parameters.dark[token]]);
  }
});
