/** Names in the overview. */
import { describe, expect, it } from 'vitest';
import { expandRect, overlaps, type Rect } from '@/core/scene/geometry';
import { buildScene, nodeRects } from '@/core/scene/scene';
import { testRows } from '@/core/scene/testing';
import type { DrawingContext, MapDrawing } from './drawing';
import { paint } from './paint';
import { overviewNames } from './paintNames';

const SPOTS = Array.from({ length: 100 }, (_, at): readonly [string, number, number] => [
  `component ${at}`,
  (at % 10) * 240,
  Math.floor(at / 10) * 140,
]);
const rows = testRows(
  [['the group', 0, 0], ...SPOTS],
  [
    ['the group', 'contains', 'component 0'],
    ['the group', 'contains', 'component 1'],
    ...SPOTS.slice(1).map(([id]) => ['component 55', 'calls', id] as const),
  ],
);
const scene = buildScene(rows, new Set());

const palette = new Proxy(
  { card: () => ({ fill: 'fill', edge: 'edge', ink: 'ink', soft: 'soft' }) } as Record<string, unknown>,
  { get: (of, name: string) => of[name] ?? name },
);

function drawing(zoom: number, over: Partial<MapDrawing> = {}): MapDrawing {
  const appearance = {
    passes: () => true,
    passesRelation: () => true,
    componentAppearance: () => ({ label: '', color: '#888888', mark: '' }),
  };
  return {
    scene,
    rects: nodeRects(scene),
    viewport: { x: 50, y: 50, zoom },
    width: 1440,
    height: 900,
    appearance,
    colors: palette,
    isOverview: true,
    lines: false,
    selectedComponents: new Set(),
    selectedRelationships: new Set(),
    hovered: [],
    highlight: null,
    highlights: new Map(),
    ...over,
  } as unknown as MapDrawing;
}

const SEEN: Rect = { x: -5000, y: -5000, width: 50_000, height: 50_000 };

/** The texts painted in a drawing, with the font size on the screen. */
function written(of: MapDrawing): { text: string; size: number }[] {
  const texts: { text: string; size: number }[] = [];
  const state: Record<string, unknown> = {
    font: '',
    fillText: (text: string) => {
      const size = Number(/([\d.]+)px/.exec(String(state.font))?.[1]);
      texts.push({ text, size: Math.round(size * of.viewport.zoom) });
    },
  };
  const context = new Proxy(state, { get: (from, name: string) => (name in from ? from[name] : () => {}) });
  paint(context as unknown as DrawingContext, of);
  return texts;
}

describe('names in the overview', () => {
  it('are shown for groups and the most connected component at 9% zoom, in a readable size', () => {
    const texts = written(drawing(0.09));
    expect(texts.map(({ text }) => text)).toContain('the group');
    expect(texts.map(({ text }) => text).join(' ')).toContain('55');
    for (const { size } of texts) expect(size).toBeGreaterThanOrEqual(12);
  });

  it.each([0.05, 0.09, 0.2, 0.34])('do not overlap at zoom %d', (zoom) => {
    const names = overviewNames(drawing(zoom), SEEN);
    expect(names.length).toBeGreaterThan(1);
    for (const [at, { rect }] of names.entries()) {
      for (const other of names.slice(0, at)) expect(overlaps(expandRect(other.rect, 3), rect)).toBe(false);
    }
  });

  it('are shown only for components in view', () => {
    const names = overviewNames(drawing(0.3), { x: -100, y: -100, width: 700, height: 300 });
    expect(names.map(({ node }) => node.id).sort()).toEqual(
      [
        'component 0',
        'component 1',
        'component 10',
        'component 11',
        'component 12',
        'component 2',
        'the group',
      ].sort(),
    );
  });
});

it('are not shown in the minimap, even for wide groups', () => {
  expect(written(drawing(0.09, { names: false }))).toEqual([]);
});
