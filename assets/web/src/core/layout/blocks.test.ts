/** What a layout arranges, and where it is placed. */
import Elk, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import type { Component } from '@/api/generated';
import { boundingBox, center, containsRect, overlaps, type Rect } from '../scene/geometry';
import { buildScene, nodeRects, type Scene } from '../scene/scene';
import { testRows } from '../scene/testing';
import { layoutBlocks, placeBlocks, scopeOf } from './blocks';
import { type ElkGraph, elkGraph, elkPositions } from './elkGraph';
import type { LayoutPositions } from './layoutTask';

const OPEN: ReadonlySet<string> = new Set();
const ids = (...selected: string[]) => new Set(selected);
const direction = 'right' as const;

/** Two groups with a nested one, and components around them. */
const rows = testRows(
  [
    ['left', 0, 0],
    ['a', 0, 0],
    ['b', 0, 200],
    ['c', 0, 400],
    ['inner', 0, 0],
    ['d', 0, 600],
    ['e', 0, 800],
    ['right', 0, 0],
    ['f', 500, 0],
    ['g', 500, 200],
    ['h', 900, 0],
    ['i', 900, 200],
  ],
  [
    ['left', 'contains', 'a'],
    ['left', 'contains', 'b'],
    ['left', 'contains', 'c'],
    ['left', 'contains', 'inner'],
    ['inner', 'contains', 'd'],
    ['inner', 'contains', 'e'],
    ['right', 'contains', 'f'],
    ['right', 'contains', 'g'],
    ['a', 'calls', 'b'],
    ['h', 'calls', 'i'],
  ],
);
const scene = buildScene(rows, OPEN);
const sizes = scene.nodes.map(() => null);

function rootsFor(scope: 'all' | 'selection' | 'group', selected: ReadonlySet<string>) {
  return layoutBlocks(scene, sizes, { scope, selected, direction }).map(({ parent, roots }) => [
    parent,
    ...roots,
  ]);
}

/** The rectangles after placing one block of these components at these positions. */
function placed(map: Scene, selected: ReadonlySet<string>, places: LayoutPositions) {
  const cards = map.nodes.map(() => null);
  const blocks = layoutBlocks(map, cards, { scope: scopeOf(map, selected), selected, direction });
  const result = placeBlocks(
    map,
    cards,
    blocks.map((block) => [block, places]),
  );
  const rects = nodeRects(map, new Map(result.moves.map((move) => [move.id, move])));
  return { ...result, blocks, rectOf: (id: string) => rects[map.indexOf.get(id) as number] as Rect };
}

describe('what a layout arranges', () => {
  it('is the selection, the inside of a selected group, or everything', () => {
    expect(scopeOf(scene, ids())).toBe('all');
    expect(scopeOf(scene, ids('a'))).toBe('all');
    expect(scopeOf(scene, ids('a', 'b'))).toBe('selection');
    expect(scopeOf(scene, ids('left', 'right'))).toBe('selection');
    expect(scopeOf(scene, ids('left'))).toBe('group');
    expect(scopeOf(scene, ids('left', 'a', 'd'))).toBe('group');
    // Components of different groups cannot be arranged without leaving them.
    expect(scopeOf(scene, ids('a', 'f', 'h'))).toBe('all');
    expect(scopeOf(buildScene(rows, ids('left')), ids('left'))).toBe('all');
  });

  it('are the components of each group separately', () => {
    expect(rootsFor('selection', ids('a', 'b', 'f', 'g', 'h'))).toEqual([
      ['left', 'a', 'b'],
      ['right', 'f', 'g'],
    ]);
    expect(rootsFor('selection', ids('h', 'right'))).toEqual([[null, 'h', 'right']]);
    expect(rootsFor('group', ids('left'))).toEqual([['left', 'a', 'b', 'c', 'inner']]);
    expect(rootsFor('all', ids('a'))).toEqual([[null, 'left', 'right', 'h', 'i']]);
  });

  it('includes the contents of groups, and the lines between them', () => {
    const [block] = layoutBlocks(scene, sizes, { scope: 'group', selected: ids('left'), direction });
    expect(block?.task.nodes.map(({ id, parent }) => [id, parent])).toContainEqual(['d', 'inner']);
    expect(block?.task.nodes).toHaveLength(6);
    expect(block?.task.lines).toEqual([{ from: 'a', to: 'b', label: '' }]);
  });
});

describe('an arranged selection', () => {
  it('keeps its center, and moves nothing else', () => {
    const free = buildScene(
      testRows([
        ['p', 0, 0],
        ['q', 0, 400],
        ['far', 3000, 0],
      ]),
      OPEN,
    );
    const before = nodeRects(free);
    const { moves, isShifted, covered, rectOf } = placed(free, ids('p', 'q'), {
      p: { x: 0, y: 0 },
      q: { x: 300, y: 0 },
    });
    expect([isShifted, covered]).toEqual([false, []]);
    expect(moves.map(({ id }) => id)).toEqual(['p', 'q']);
    const [was, is] = [boundingBox(before.slice(0, 2)), boundingBox([rectOf('p'), rectOf('q')])] as [
      Rect,
      Rect,
    ];
    expect(Math.abs(center(was).x - center(is).x)).toBeLessThanOrEqual(10);
    expect(Math.abs(center(was).y - center(is).y)).toBeLessThanOrEqual(10);
  });

  it('is shifted to free room instead of covering others', () => {
    const { rectOf, isShifted, covered } = placed(scene, ids('h', 'i'), {
      // Wide enough to reach the group on the left.
      h: { x: 0, y: 0 },
      i: { x: 900, y: 0 },
    });
    expect([isShifted, covered]).toEqual([true, []]);
    for (const id of ['h', 'i'])
      for (const other of ['left', 'right']) expect(overlaps(rectOf(id), rectOf(other))).toBe(false);
  });

  it('does not let its group grow over others', () => {
    // Side by side, the parts would let the group grow over its neighbor.
    const { rectOf, covered } = placed(scene, ids('a', 'b', 'c'), {
      a: { x: 0, y: 0 },
      b: { x: 260, y: 0 },
      c: { x: 520, y: 0 },
    });
    expect(covered).toEqual([]);
    expect(containsRect(rectOf('left'), boundingBox([rectOf('a'), rectOf('b'), rectOf('c')]) as Rect)).toBe(
      true,
    );
    expect(overlaps(rectOf('left'), rectOf('right'))).toBe(false);
    expect(rectOf('f')).toMatchObject({ x: 500, y: 0 });
    expect(overlaps(rectOf('a'), rectOf('inner'))).toBe(false);
  });

  it('reports what it covers if there is no room', () => {
    // The group is between two walls and cannot grow to the side.
    const walled = testRows(
      [
        ['room', 0, 0],
        ['p', 0, 0],
        ['q', 0, 100],
        ['west', 0, 0],
        ['east', 0, 0],
      ],
      [
        ['room', 'contains', 'p'],
        ['room', 'contains', 'q'],
      ],
    );
    const wall = (id: string, x: number) =>
      ({ ...walled.component.get(id), typeId: 'group', x, y: -2000, width: 2000, height: 4000 }) as Component;
    const component = new Map(walled.component)
      .set('west', wall('west', -2060))
      .set('east', wall('east', 240));
    const map = buildScene({ ...walled, component }, OPEN);
    const { covered, isShifted } = placed(map, ids('room'), { p: { x: 0, y: 0 }, q: { x: 300, y: 0 } });
    expect(covered).toEqual(['east']);
    expect(isShifted).toBe(false);
  });
});

describe('a collapsed group', () => {
  it('has room for its contents when it is expanded', async () => {
    const collapsed = buildScene(rows, ids('left'));
    const cards = collapsed.nodes.map(() => null);
    const [block] = layoutBlocks(collapsed, cards, { scope: 'all', selected: ids(), direction });
    if (!block) throw new Error('nothing to arrange');
    const graph = (await new Elk().layout(elkGraph(block.task) as ElkNode)) as ElkGraph;
    const { moves } = placeBlocks(collapsed, cards, [[block, elkPositions(graph)]]);
    const rects = nodeRects(scene, new Map(moves.map((move) => [move.id, move])));
    const outer = scene.nodes.flatMap(({ parent }, at) => (parent < 0 ? [rects[at] as Rect] : []));
    for (const [at, one] of outer.entries())
      expect(outer.slice(at + 1).some((other) => overlaps(one, other))).toBe(false);
  });
});

describe('the inside of a group', () => {
  it('uses the room of a frame that is larger than its contents', () => {
    const large = {
      ...rows.component.get('right'),
      typeId: 'group',
      x: 473,
      y: -67,
      width: 600,
      height: 400,
    };
    const aside = { ...rows.component.get('h'), x: 1200, y: 0 };
    const below = { ...rows.component.get('i'), x: 1200, y: 200 };
    const parts = { f: { x: 780, y: 200 }, g: { x: 860, y: 260 } };
    const component = new Map(rows.component).set('right', large as Component);
    for (const row of [aside, below]) component.set(String(row.id), row as Component);
    for (const [id, at] of Object.entries(parts))
      component.set(id, { ...component.get(id), ...at } as Component);
    const map = buildScene({ ...rows, component }, OPEN);
    const { rectOf, isShifted } = placed(map, ids('right'), { f: { x: 0, y: 0 }, g: { x: 300, y: 0 } });
    expect(isShifted).toBe(false);
    expect(rectOf('right')).toEqual({ x: 473, y: -67, width: 600, height: 400 });
    expect([rectOf('f'), rectOf('g')]).toMatchObject([
      { x: 500, y: 0 },
      { x: 800, y: 0 },
    ]);
  });

  it('keeps its corner, and the group grows into free room', () => {
    const before = nodeRects(scene);
    const was = before[scene.indexOf.get('left') as number] as Rect;
    const { rectOf, covered } = placed(scene, ids('left'), {
      a: { x: 0, y: 0 },
      b: { x: 0, y: 100 },
      c: { x: 0, y: 200 },
      inner: { x: 0, y: 300 },
      d: { x: 20, y: 360 },
      e: { x: 20, y: 1400 },
    });
    expect(covered).toEqual([]);
    expect(rectOf('left')).toMatchObject({ x: was.x, y: was.y });
    expect(rectOf('left').height).toBeGreaterThan(was.height);
    expect(containsRect(rectOf('inner'), rectOf('d')) && containsRect(rectOf('left'), rectOf('inner'))).toBe(
      true,
    );
    expect(rectOf('right')).toEqual(before[scene.indexOf.get('right') as number]);
  });
});
