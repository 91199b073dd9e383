/** What lights lines, seen by a pen that only takes notes. */
import { describe, expect, it } from 'vitest';
import { buildScene, nodeRects } from '@/core/scene/scene';
import { testRows } from '@/core/scene/testing';
import type { Highlight } from '../state/view';
import type { DrawingContext, MapDrawing } from './drawing';
import { nodeHighlights } from './highlights';
import { paintLinesIncrementally } from './paintLines';

const rows = testRows(
  [
    ['web', 0, 0],
    ['api', 400, 0],
    ['mail', 400, 300],
    ['shop', 0, 0],
    ['desk', 0, 600],
  ],
  [
    ['web', 'calls', 'api'],
    ['api', 'calls', 'mail'],
    ['shop', 'contains', 'desk'],
  ],
);

/** Notes of what a pen wrote, and of the colours of its lines. */
function pen() {
  const texts: string[] = [];
  const colors: string[] = [];
  const state: Record<string, unknown> = {
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: text.length }),
    stroke: () => colors.push(String(state.strokeStyle)),
  };
  const context = new Proxy(state, { get: (of, name: string) => (name in of ? of[name] : () => {}) });
  return { texts, colors, context: context as unknown as DrawingContext };
}

function drawn(highlight: Highlight, collapsed: readonly string[] = []) {
  const scene = buildScene(rows, new Set(collapsed));
  const palette = new Proxy({}, { get: (_, name) => (name === 'lightened' ? () => 'plain' : String(name)) });
  const relation = { id: 'calls', name: 'calls', color: '#888888', directed: true };
  const appearance = { passes: () => true, passesRelation: () => true, relationOf: () => relation };
  const { texts, colors, context } = pen();
  const parts = paintLinesIncrementally(
    context,
    {
      scene,
      rects: nodeRects(scene),
      viewport: { x: 0, y: 0, zoom: 1 },
      width: 1000,
      height: 1000,
      appearance,
      colors: palette,
      isOverview: false,
      lines: true,
      selectedComponents: new Set(),
      selectedRelationships: new Set(),
      hovered: [],
      highlight,
      highlights: nodeHighlights(scene, highlight),
    } as unknown as MapDrawing,
    { x: 0, y: 0, width: 1000, height: 1000 },
  );
  for (const _ of parts);
  return { texts, colors };
}

const light = (over: Partial<Highlight>): Highlight => ({
  components: new Map(),
  relationships: new Map(),
  dimOthers: true,
  ...over,
});

describe('a step that is lit', () => {
  it('has its relationship in the colour of the step and says so with a sign, over all others', () => {
    const { texts, colors } = drawn(light({ relationships: new Map([['r0', 'current']]) }));
    expect(colors).toEqual(['plain', 'accent']);
    expect(texts).toEqual(['▶ calls']);
  });

  it('has a line of its own where no relationship is', () => {
    const { texts, colors } = drawn(light({ lines: [{ from: 'web', to: 'mail', label: 'Hello?' }] }));
    expect(colors.at(-1)).toBe('accent');
    expect(texts).toEqual(['▶ Hello?']);
  });

  it('ends at the collapsed box that hides who is meant, and is nothing inside of one', () => {
    const hidden = drawn(light({ lines: [{ from: 'web', to: 'desk', label: 'In' }] }), ['shop']);
    expect(hidden.texts).toEqual(['▶ In']);
    const inside = drawn(light({ lines: [{ from: 'shop', to: 'desk', label: 'In' }] }), ['shop']);
    expect(inside.texts).toEqual([]);
  });

  it('lights the collapsed box of whom it is about', () => {
    const scene = buildScene(rows, new Set(['shop']));
    const tones = nodeHighlights(scene, light({ components: new Map([['desk', 'current']]) }));
    expect([...tones]).toEqual([['shop', 'current']]);
  });
});

describe('a comparison', () => {
  it('draws what is missing as missing', () => {
    const { texts, colors } = drawn(
      light({ lines: [{ from: 'web', to: 'mail', label: 'calls', tone: 'removed' }] }),
    );
    expect(colors.at(-1)).toBe('alarm');
    expect(texts).toEqual(['− calls']);
  });
});
