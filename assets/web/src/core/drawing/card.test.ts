import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type CardContent,
  fittingRows,
  largeNameLines,
  MIN_CARD_SIZE,
  preferredHeight,
  preferredWidth,
} from './card';
import metrics from './card.json';
import { textWidth, wrapText } from './textMetrics';

const content = (over: Partial<CardContent>): CardContent => ({
  shape: 'rectangle',
  name: 'Orders',
  note: 'Service',
  description: '',
  hasOwner: false,
  hasLifecycle: false,
  ...over,
});

describe('card width', () => {
  it('is the minimum for a short name, and larger for a name that would otherwise wrap', () => {
    expect(preferredWidth(content({}))).toBe(metrics.width.min);
    const width = preferredWidth(content({ name: 'Wikidata Query Service' }));
    expect(width).toBeGreaterThan(metrics.width.min);
    expect(width).toBeLessThan(metrics.width.max);
  });

  it('is the narrowest that fits the name on two lines if one line is not enough', () => {
    const name = 'Regional customer notification dispatcher';
    const card = content({ name });
    expect(preferredWidth(card)).toBeLessThan(metrics.width.max);
    expect(fittingRows(card, { width: preferredWidth(card), height: 104 }).nameLines).toBe(2);
  });

  it('fits the technology, lifecycle and owner', () => {
    const note = 'Cache · Apache Traffic Server';
    const bare = preferredWidth(content({ note }));
    expect(bare).toBeGreaterThan(metrics.width.min);
    expect(preferredWidth(content({ note, hasLifecycle: true, hasOwner: true }))).toBeGreaterThan(bare);
  });

  it('is limited to the maximum', () => {
    expect(preferredWidth(content({ name: 'x'.repeat(300), note: 'y'.repeat(300) }))).toBe(metrics.width.max);
  });
});

describe('card rows', () => {
  const rich = content({
    name: 'Regional customer notification dispatcher',
    description: 'Sends every message that a customer gets, in the language of the customer.',
  });

  it('all fit at the wanted height', () => {
    const height = preferredHeight(rich, 180);
    expect(height).toBeGreaterThan(MIN_CARD_SIZE.height);
    expect(fittingRows(rich, { width: 180, height })).toEqual({
      nameLines: 2,
      hasNote: true,
      descriptionLines: 2,
    });
  });

  it('are dropped starting with the least important, but never the name', () => {
    expect(fittingRows(rich, { width: 180, height: 64 })).toEqual({
      nameLines: 2,
      hasNote: true,
      descriptionLines: 0,
    });
    expect(fittingRows({ ...rich, shape: 'cylinder' }, { width: 180, height: 64 })).toEqual({
      nameLines: 2,
      hasNote: false,
      descriptionLines: 0,
    });
    expect(fittingRows(rich, { width: 180, height: 1 }).nameLines).toBe(1);
  });
});

describe('card names', () => {
  it('wrap to two lines before they are truncated', () => {
    const room = 130;
    expect(wrapText('Thumbnail rendering service', 18, room, 2)).toEqual(['Thumbnail', 'rendering service']);
    const [, second = ''] = wrapText('A name of far too many words to fit into two lines', 18, room, 2);
    expect(second).toMatch(/…$/);
    expect(textWidth(second, 18)).toBeLessThanOrEqual(room);
  });

  it('break after hyphens, and inside words that are wider than a line', () => {
    expect(wrapText('gnome-themes-extra-data', 18, 120, 2)).toEqual(['gnome-themes-', 'extra-data']);
    const lines = wrapText('w'.repeat(30), 18, 130, 9);
    expect(lines.join('')).toBe('w'.repeat(30));
    for (const line of lines) expect(textWidth(line, 18)).toBeLessThanOrEqual(130);
  });

  it('stay inside the shape at medium zoom', () => {
    for (const shape of ['rectangle', 'cylinder', 'pipe', 'person', 'stack'] as const) {
      const lines = largeNameLines({ name: 'Regional notification dispatcher', shape }, MIN_CARD_SIZE);
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines)
        expect(textWidth(line, metrics.largeName.size)).toBeLessThan(MIN_CARD_SIZE.width);
    }
  });
});

it('the style sheet of cards matches the sizes in the data file', () => {
  const css = readFileSync(
    `${import.meta.dirname}/../../screens/map/canvas/ComponentNode.module.css`,
    'utf8',
  );
  const rule = (selector: string) => css.slice(css.lastIndexOf(`\n${selector} {`)).split('}')[0] ?? '';
  const sizeOf = (selector: string) => ({
    size: Number(/font-size: (\d+)px/.exec(rule(selector))?.[1]),
    line: Number(/line-height: (\d+)px/.exec(rule(selector))?.[1]),
  });
  expect(metrics.name).toMatchObject(sizeOf('.name'));
  expect(metrics.note).toMatchObject(sizeOf('.noteRow'));
  expect(metrics.description).toMatchObject(sizeOf('.description'));
  expect(metrics.largeName).toMatchObject(sizeOf(':global([data-detail="middle"]) .name'));
  expect(rule('.head')).toContain(`gap: ${metrics.icon.gap}px`);
  expect(rule('.face')).toContain(`gap: ${metrics.description.gap}px`);
  expect(rule('.owner')).toContain(`width: ${metrics.owner.size}px`);
});

it('text widths match the bundled fonts, including accents and wide characters', () => {
  expect(textWidth('i', 1000)).toBeLessThan(textWidth('m', 1000));
  expect(textWidth('é', 1000)).toBe(textWidth('e', 1000));
  expect(textWidth('漢', 1000)).toBe(1000);
  expect(textWidth('Service', 13, 'text')).toBeGreaterThan(textWidth('Service', 13, 'label-600'));
});
