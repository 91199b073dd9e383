import Elk, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import type { Component } from '@/api/generated';
import {
  boundingBox,
  containsRect,
  GRID_SIZE,
  NODE_SIZE,
  overlaps,
  type Point,
  type Rect,
} from '../scene/geometry';
import { buildScene, nodeRects, type Scene } from '../scene/scene';
import { testRows } from '../scene/testing';
import { aligned, distributed, outsideFrames } from './align';
import { parseClipboard } from './clipboard';
import { type ElkGraph, elkGraph, elkPositions } from './elkGraph';
import { findFreePosition, findFreePositionBeside, findFreeShift, isFree } from './freePosition';
import {
  anchoredPositions,
  canBeLayered,
  type LayoutPositions,
  layoutMoves,
  layoutTask,
  suitableStyle,
} from './layoutTask';
import { organicLayout } from './organic';

/** A seeded pseudorandom number generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
}

function randomRects(seed: number): Rect[] {
  const next = numbers(seed);
  return Array.from({ length: 5 + next(60) }, () => ({
    x: next(1600) - 800,
    y: next(1200) - 600,
    ...NODE_SIZE,
  }));
}

describe('a new component', () => {
  it('is placed at the requested position, on the grid, if it is free', () => {
    expect(findFreePosition({ x: 93, y: -11 }, [])).toEqual({ x: 100, y: -20 });
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'does not overlap others and is on the grid (crowd %i)',
    (seed) => {
      const taken = randomRects(seed);
      const spots = [
        findFreePosition({ x: 7, y: 13 }, taken),
        findFreePositionBeside(taken[0] as Rect, { x: 1, y: 0 }, taken),
        findFreePositionBeside(taken[1] as Rect, { x: 0, y: -1 }, taken),
      ];
      for (const spot of spots) {
        expect(isFree(spot, taken)).toBe(true);
        expect([Math.abs(spot.x % GRID_SIZE), Math.abs(spot.y % GRID_SIZE)]).toEqual([0, 0]);
      }
    },
  );

  it('gets a position on any map', () => {
    const full = Array.from({ length: 10_000 }, (_, at) => ({
      x: (at % 100) * 190 - 9500,
      y: Math.floor(at / 100) * 70 - 3500,
      ...NODE_SIZE,
    }));
    const spot = findFreePosition({ x: 0, y: 0 }, full);
    expect(isFree(spot, full)).toBe(true);
  });

  it('is placed next to the connected component', () => {
    const web = { x: 0, y: 0, ...NODE_SIZE };
    const first = findFreePositionBeside(web, { x: 1, y: 0 }, [web]);
    const second = findFreePositionBeside(web, { x: 1, y: 0 }, [web, { ...first, ...NODE_SIZE }]);
    expect(first).toEqual({ x: 260, y: 0 });
    expect(second.x).toBe(260);
    expect(second.y).not.toBe(0);
  });
});

describe('a component in a group', () => {
  const within = { x: 20, y: 60, width: 420, height: 140 };

  it('is placed inside the group as long as there is room', () => {
    const taken: Rect[] = [];
    for (let count = 0; count < 2; count++) {
      const rect = { ...findFreePosition({ x: 0, y: 0 }, taken, { within }), ...NODE_SIZE };
      expect(containsRect(within, rect)).toBe(true);
      taken.push(rect);
    }
    expect(taken.every((rect, at) => taken.slice(at + 1).every((other) => !overlaps(rect, other)))).toBe(
      true,
    );
  });

  it('is placed beside its parts even if its size is given as a rectangle elsewhere', () => {
    const elsewhere = { x: 5000, y: 5000, ...NODE_SIZE };
    const part = { x: 20, y: 60, ...NODE_SIZE };
    const spot = findFreePosition({ x: 20, y: 60 }, [part], { size: elsewhere, within });
    expect(overlaps({ ...NODE_SIZE, ...spot }, part)).toBe(false);
    expect(containsRect(within, { ...NODE_SIZE, ...spot })).toBe(true);
  });

  it('is placed close to the group if it is full', () => {
    const spot = findFreePosition({ x: 0, y: 0 }, [within], { within });
    expect(isFree(spot, [within])).toBe(true);
  });
});

describe('dropped components', () => {
  const rect = { x: 0, y: 0, ...NODE_SIZE };

  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'are shifted together to where they overlap nothing (crowd %i)',
    (seed) => {
      const taken = randomRects(seed);
      const all = [rect, { ...rect, x: 220 }].map((rect) => ({ rect, taken }));
      const { x, y } = findFreeShift(all);
      for (const { rect } of all) {
        const shifted = { ...rect, x: rect.x + x, y: rect.y + y };
        expect(taken.some((other) => overlaps(shifted, other))).toBe(false);
      }
      expect([Math.abs(x % GRID_SIZE), Math.abs(y % GRID_SIZE)]).toEqual([0, 0]);
    },
  );

  it('are shifted the shortest way, with a gap', () => {
    expect(findFreeShift([{ rect, taken: [{ ...rect, y: -60 }] }])).toEqual({ x: 0, y: 40 });
  });

  it('are placed below everything if there is no room nearby', () => {
    const taken = [{ x: -5000, y: -5000, width: 10_000, height: 8000 }];
    const { y } = findFreeShift([{ rect, taken }]);
    expect(y).toBeGreaterThanOrEqual(3000);
  });
});

describe('aligning', () => {
  const three = [
    { id: 'a', rect: { x: 0, y: 0, width: 100, height: 50 } },
    { id: 'b', rect: { x: 130, y: 40, width: 100, height: 50 } },
    { id: 'c', rect: { x: 400, y: 20, width: 100, height: 50 } },
  ];

  it('aligns with the bounding box and omits components that would not move', () => {
    expect(aligned(three, 'left')).toEqual([
      { id: 'b', x: 0, y: 40 },
      { id: 'c', x: 0, y: 20 },
    ]);
    expect(aligned(three, 'bottom').map(({ id, y }) => [id, y])).toEqual([
      ['a', 40],
      ['c', 40],
    ]);
  });

  it('distributes evenly between the outermost components', () => {
    expect(distributed(three, 'x')).toEqual([{ id: 'b', x: 200, y: 40 }]);
    expect(distributed(three.slice(0, 2), 'x')).toEqual([]);
  });

  it('leaves out what is inside a frame, which takes it along', () => {
    const item = (id: string, x: number, size: number, isFrame = false) => ({
      id,
      rect: { x, y: 0, width: size, height: size },
      isFrame,
    });
    const ids = (...all: ReturnType<typeof item>[]) => outsideFrames(all).map(({ id }) => id);
    const outer = item('outer', 0, 100, true);
    expect(ids(outer, item('in', 10, 50), item('partly', 90, 50), item('inner', 0, 90, true))).toEqual([
      'outer',
      'partly',
    ]);
    // Other items take nothing along, and of two frames in the same place, one remains.
    expect(ids(item('group', 0, 100), item('in', 10, 50))).toEqual(['group', 'in']);
    expect(ids(item('card', 0, 100), outer, item('same', 0, 100, true))).toEqual(['outer']);
  });
});

const wholeMap = (scene: Scene) =>
  layoutTask(
    scene,
    nodeRects(scene),
    scene.nodes.map(({ id }) => id),
  );

function movesTo(scene: Scene, places: LayoutPositions) {
  const task = wholeMap(scene);
  return layoutMoves(scene, task, anchoredPositions({ task, anchor: 'corner' }, places));
}

describe('a layout', () => {
  const rows = testRows(
    [
      ['shop', 100, 100],
      ['web', 300, 200],
      ['api', 340, 220],
      ['mail', 360, 210],
    ],
    [
      ['shop', 'contains', 'web'],
      ['shop', 'contains', 'api'],
      ['web', 'calls', 'api'],
      ['api', 'calls', 'mail'],
    ],
  );

  it('passes groups with their contents to ELK', () => {
    const scene = buildScene(rows, new Set());
    const graph = elkGraph(wholeMap(scene));
    expect(graph.children?.map(({ id }) => id)).toEqual(['shop', 'mail']);
    expect(graph.children?.[0]?.children?.map(({ id }) => id)).toEqual(['web', 'api']);
    expect(graph.edges).toHaveLength(2);
  });

  it('keeps the same gaps inside groups as outside, and the size of groups', async () => {
    const parts = ['a', 'b', 'c', 'd'];
    const rows = testRows(
      ['g', ...parts, 'x', 'y'].map((id) => [id, 0, 0] as const),
      [
        ...parts.map((id) => ['g', 'contains', id] as const),
        ['a', 'calls', 'b'],
        ['a', 'calls', 'c'],
        ['x', 'calls', 'y'],
      ],
    );
    const group = { ...rows.component.get('g'), width: 1200, height: 900 } as Component;
    const scene = buildScene({ ...rows, component: new Map(rows.component).set('g', group) }, new Set());
    const elk = new Elk();
    const graph = await elk.layout(elkGraph(wholeMap(scene)) as ElkNode);
    const drawn = graph.children?.find(({ id }) => id === 'g');
    expect([drawn?.width, drawn?.height]).toEqual([1200, 900]);
    const places = elkPositions(graph as ElkGraph);
    const at = (id: string) => places[id] as Point;
    expect(at('b').x - at('a').x - NODE_SIZE.width).toBeCloseTo(100);
    expect(at('y').x - at('x').x - NODE_SIZE.width).toBeCloseTo(100);
    expect(Math.abs(at('b').y - at('c').y) - NODE_SIZE.height).toBeCloseTo(60);
  });

  it('converts ELK positions to map coordinates', () => {
    const graph = { id: 'root', children: [{ id: 'a', x: 10, y: 20, children: [{ id: 'b', x: 1, y: 2 }] }] };
    expect(elkPositions(graph)).toEqual({ a: { x: 10, y: 20 }, b: { x: 11, y: 22 } });
  });

  it('keeps its top left corner, and moves the contents of collapsed groups', () => {
    const scene = buildScene(rows, new Set(['shop']));
    const task = wholeMap(scene);
    const before = boundingBox(task.nodes);
    const moves = movesTo(scene, { shop: { x: 0, y: 0 }, mail: { x: 400, y: 0 } });
    expect(moves.map(({ id }) => id).sort()).toEqual(['api', 'mail', 'shop', 'web']);
    const moved = nodeRects(scene, new Map(moves.map((move) => [move.id, move])));
    const after = boundingBox(moved);
    expect(Math.abs((after?.x ?? 0) - (before?.x ?? 0))).toBeLessThan(GRID_SIZE);
    const [web, api] = [moves.find(({ id }) => id === 'web'), moves.find(({ id }) => id === 'api')];
    expect((api?.x ?? 0) - (web?.x ?? 0)).toBe(40);
  });

  it('has no overlaps if organic, and moves groups as a whole', () => {
    const scene = buildScene(rows, new Set());
    const task = wholeMap(scene);
    const moves = movesTo(scene, organicLayout(task));
    const rects = nodeRects(scene, new Map(moves.map((move) => [move.id, move])));
    const [shop, web, api, mail] = ['shop', 'web', 'api', 'mail'].map(
      (id) => rects[scene.indexOf.get(id) as number] as Rect,
    ) as [Rect, Rect, Rect, Rect];
    expect(overlaps(shop, mail)).toBe(false);
    expect(containsRect(shop, web) && containsRect(shop, api)).toBe(true);
    expect([api.x - web.x, api.y - web.y]).toEqual([40, 20]);
  });

  it('is layered only for small maps', () => {
    const nodes = Array.from({ length: 600 }, (_, at) => ({
      id: `${at}`,
      typeId: 'service',
      parent: null,
      x: 0,
      y: 0,
      ...NODE_SIZE,
    }));
    expect(suitableStyle({ nodes: nodes.slice(0, 400), lines: [] })).toBe('layered');
    expect(suitableStyle({ nodes, lines: [] })).toBe('organic');
    const slow = { nodes: nodes.slice(0, 500), lines: [] };
    expect([suitableStyle(slow), canBeLayered(slow)]).toEqual(['organic', true]);
    expect(canBeLayered({ nodes, lines: [] })).toBe(false);
    const line = { from: '0', to: '1', label: '' };
    const dense = { nodes: nodes.slice(0, 200), lines: new Array(600).fill(line) };
    expect([suitableStyle(dense), canBeLayered(dense)]).toEqual(['organic', true]);
  });
});

describe('the clipboard', () => {
  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{"components":[]}',
    '{"components":[null]}',
    '{"components":[{"id":"a"}]}',
  ])('rejects %j with a message', (text) =>
    expect(parseClipboard(text)).toContain('does not contain components'),
  );

  it('accepts copied components, without incomplete relationships', () => {
    const component = { id: 'a', typeId: 'service', name: 'A', x: 1, y: 2 };
    const content = parseClipboard(
      JSON.stringify({ components: [component], relationships: [{ sourceId: 'a' }] }),
    );
    expect(content).toMatchObject({ components: [{ ...component, properties: {} }], relationships: [] });
  });

  it('names the component whose name is too long', () => {
    const component = { id: 'a', typeId: 'service', name: 'x'.repeat(300), x: 1, y: 2 };
    expect(parseClipboard(JSON.stringify({ components: [component] }))).toContain('has 300');
  });
});
