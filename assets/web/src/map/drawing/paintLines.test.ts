import { describe, expect, it } from 'vitest';
import { type LineRoutes, NO_ROUTES } from '@/core/route/mapRoutes';
import { buildScene, nodeRects } from '@/core/scene/scene';
import { testRows } from '@/core/scene/testing';
import { type Highlight, highlightLineId } from '../state/view';
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
    ['till', 300, 600],
  ],
  [
    ['web', 'calls', 'api'],
    ['api', 'calls', 'mail'],
    ['shop', 'contains', 'desk'],
    ['shop', 'contains', 'till'],
    ['desk', 'calls', 'api'],
    ['till', 'calls', 'api'],
    ['desk', 'reads', 'api'],
    ['shop', 'uses', 'api'],
  ],
);

/** A context that records painted texts, their fonts, line colors and opacities, and rounded bends. */
function pen() {
  const texts: string[] = [];
  const colors: string[] = [];
  const alphas: number[] = [];
  const fonts: string[] = [];
  const bends: number[] = [];
  /** The start of each path; arrowheads start at their tip. */
  const arrows: number[] = [];
  const state: Record<string, unknown> = {
    fillText: (text: string) => {
      texts.push(text);
      fonts.push(String(state.font));
    },
    arcTo: (x: number) => bends.push(x),
    moveTo: (x: number) => arrows.push(Math.round(x)),
    measureText: (text: string) => ({ width: text.length }),
    stroke: () => {
      colors.push(String(state.strokeStyle));
      alphas.push(Number(state.globalAlpha ?? 1));
    },
  };
  const context = new Proxy(state, { get: (of, name: string) => (name in of ? of[name] : () => {}) });
  return { texts, colors, alphas, fonts, bends, arrows, context: context as unknown as DrawingContext };
}

interface Options {
  /** A relationship type that is hidden by filters. */
  hides?: string;
  zoom?: number;
  routes?: LineRoutes;
  /** The selected component. */
  selected?: string;
}

function drawn(
  highlight: Highlight | null,
  collapsed: readonly string[] = [],
  { hides = '', zoom = 1, routes = NO_ROUTES, selected }: Options = {},
) {
  const scene = buildScene(rows, new Set(collapsed));
  const palette = new Proxy({}, { get: (_, name) => (name === 'lightened' ? () => 'plain' : String(name)) });
  const relation = (id: string) => ({
    id,
    name: id,
    color: '#888888',
    directed: true,
    dependsOn: 'target' as const,
  });
  const appearance = {
    passes: () => true,
    passesRelation: (id: string) => id !== hides,
    relationOf: relation,
  };
  const { context, ...record } = pen();
  const parts = paintLinesIncrementally(
    context,
    {
      scene,
      rects: nodeRects(scene),
      viewport: { x: 0, y: 0, zoom },
      width: 1000,
      height: 1000,
      appearance,
      colors: palette,
      isOverview: false,
      selectedComponents: new Set(selected ? [selected] : []),
      selectedRelationships: new Set(),
      related: selected ? new Set([selected]) : null,
      hovered: [],
      highlight,
      highlights: nodeHighlights(scene, highlight),
    } as unknown as MapDrawing,
    routes,
    { x: 0, y: 0, width: 1000, height: 1000 },
  );
  for (const _ of parts);
  return record;
}

const highlightOf = (over: Partial<Highlight>): Highlight => ({
  components: new Map(),
  relationships: new Map(),
  dimOthers: true,
  ...over,
});

describe('a highlighted step', () => {
  it('draws its relationship in the color of the step, with a mark, on top of all others', () => {
    const { texts, colors } = drawn(highlightOf({ relationships: new Map([['r0', 'current']]) }));
    expect(colors.at(-1)).toBe('accent');
    expect(colors.filter((color) => color === 'accent')).toHaveLength(1);
    expect(texts).toEqual(['▶ calls']);
  });

  it('draws a separate line if there is no relationship', () => {
    const { texts, colors } = drawn(highlightOf({ lines: [{ from: 'web', to: 'mail', label: 'Hello?' }] }));
    expect(colors.at(-1)).toBe('accent');
    expect(texts).toEqual(['▶ Hello?']);
  });

  it('follows the route of that line', () => {
    const highlight = highlightOf({ lines: [{ from: 'web', to: 'mail', label: 'Hello?' }] });
    const route = [
      { x: 180, y: 32 },
      { x: 290, y: 32 },
      { x: 290, y: 332 },
      { x: 400, y: 332 },
    ];
    const points = new Map([[highlightLineId({ from: 'web', to: 'mail' }), route]]);
    expect(drawn(highlight).bends).toEqual([]);
    expect(drawn(highlight, [], { routes: { ...NO_ROUTES, points } }).bends).toEqual([290, 290]);
  });

  it('has its own color and direction next to previous steps of the same type', () => {
    const relationships = new Map([
      ['r0', 'visited'],
      ['r1', 'current'],
    ] as const);
    const { colors } = drawn(highlightOf({ relationships }));
    expect(colors.slice(-2).sort()).toEqual(['accent', 'soft']);
  });

  it('points to the receiver of its message and has no label, because the message is shown there', () => {
    const relationships = new Map([['r0', 'current']] as const);
    const message = {
      relationship: 'r0',
      steps: '1',
      text: 'Hello',
      isReply: false,
      tone: 'current',
    } as const;
    const ends = ([from, to]: [string, string]) =>
      drawn(highlightOf({ relationships, messages: [{ ...message, from, to }] }));
    expect(ends(['web', 'api']).texts).toEqual([]);
    expect(ends(['web', 'api']).arrows.at(-1)).toBe(400);
    expect(ends(['api', 'web']).arrows.at(-1)).toBe(180);
  });

  it('ends at the collapsed group that hides the target, and draws nothing inside a group', () => {
    const hidden = drawn(highlightOf({ lines: [{ from: 'web', to: 'desk', label: 'In' }] }), ['shop']);
    expect(hidden.texts).toEqual(['▶ In']);
    const inside = drawn(highlightOf({ lines: [{ from: 'shop', to: 'desk', label: 'In' }] }), ['shop']);
    expect(inside.texts).toEqual([]);
  });

  it('highlights the collapsed group of its component', () => {
    const scene = buildScene(rows, new Set(['shop']));
    const tones = nodeHighlights(scene, highlightOf({ components: new Map([['desk', 'current']]) }));
    expect([...tones]).toEqual([['shop', 'current']]);
  });
});

describe('a selected group', () => {
  it('leaves the lines of its parts clear, and dims the others', () => {
    const clear = (selected: string) => drawn(null, [], { selected }).alphas.filter((alpha) => alpha > 0.5);
    expect(clear('shop')).toHaveLength(4);
    expect(clear('web')).toHaveLength(1);
  });
});

describe('a line that represents several relationships', () => {
  it('shows the number of each type, excluding relationships of the group itself', () => {
    const { texts } = drawn(null, ['shop']);
    expect(texts).toEqual(['2 calls, 1 reads']);
  });

  it('counts only relationships that match the filters', () => {
    expect(drawn(null, ['shop'], { hides: 'calls' }).texts).toEqual(['1 reads']);
  });

  it('shows the text of each relationship when the group is expanded', () => {
    expect(drawn(null).texts).toEqual([]);
  });
});

describe('a comparison', () => {
  it('marks removed relationships', () => {
    const { texts, colors } = drawn(
      highlightOf({ lines: [{ from: 'web', to: 'mail', label: 'calls', tone: 'removed' }] }),
    );
    expect(colors.at(-1)).toBe('alarm');
    expect(texts).toEqual(['− calls']);
  });
});

describe('labels at 60% zoom', () => {
  it('are hidden, because they would be too small to read', () => {
    expect(drawn(null, ['shop'], { zoom: 0.6 }).texts).toEqual([]);
    expect(drawn(null, ['shop'], { zoom: 0.7 }).texts).toEqual(['2 calls, 1 reads']);
  });

  it('are enlarged if they belong to a highlighted step', () => {
    const highlight = highlightOf({ relationships: new Map([['r0', 'current']]) });
    const { texts, fonts } = drawn(highlight, [], { zoom: 0.6 });
    expect(texts).toEqual(['▶ calls']);
    expect(Number.parseFloat(fonts[0]?.split(' ')[1] ?? '') * 0.6).toBeGreaterThanOrEqual(11);
  });
});
