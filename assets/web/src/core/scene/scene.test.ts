import { describe, expect, it } from 'vitest';
import { withDescendants } from '@/core/containment/containment';
import { containsRect, NODE_SIZE, type Rect } from './geometry';
import {
  closestInDirection,
  connectedInDirection,
  groupAt,
  inReadingOrder,
  nodeAt,
  nodesIn,
} from './hitTest';
import { distanceToPath, flattenPath, linePath } from './linePath';
import { buildScene, nodeRects, updateScene } from './scene';
import { snap } from './snap';
import { testRows } from './testing';
import { formatMapQuery, parseMapQuery } from './urlQuery';

const OPEN: ReadonlySet<string> = new Set();

const shop = testRows(
  [
    ['shop', 900, 900],
    ['web', 0, 0],
    ['data', 900, 900],
    ['db', 400, 0],
    ['mail', 400, 300],
  ],
  [
    ['shop', 'contains', 'web'],
    ['shop', 'contains', 'data'],
    ['data', 'contains', 'db'],
    ['web', 'calls', 'db'],
    ['web', 'reads', 'db'],
    ['db', 'calls', 'web'],
    ['mail', 'calls', 'mail'],
    ['db', 'calls', 'mail'],
  ],
);

const at = (scene: ReturnType<typeof buildScene>, rects: readonly Rect[], id: string) =>
  rects[scene.indexOf.get(id) as number] as Rect;

describe('groups', () => {
  it('surround all their descendants and precede them', () => {
    const scene = buildScene(shop, OPEN);
    const rects = nodeRects(scene);
    expect(containsRect(at(scene, rects, 'shop'), at(scene, rects, 'data'))).toBe(true);
    expect(containsRect(at(scene, rects, 'data'), at(scene, rects, 'db'))).toBe(true);
    expect(scene.nodes.map(({ id }) => id)).toEqual(['shop', 'web', 'data', 'db', 'mail']);
    expect(scene.nodes[0]).toMatchObject({ isGroup: true, inside: 3, depth: 0 });
  });

  it('keep their top left corner when they collapse, also while they are moved', () => {
    const open = buildScene(shop, OPEN);
    const closed = buildScene(shop, new Set(['shop']));
    const { x, y } = at(open, nodeRects(open), 'shop');
    expect(at(closed, nodeRects(closed), 'shop')).toEqual({ x, y, ...NODE_SIZE });
    const moved = new Map(
      [...withDescendants(closed.containment, ['shop'])].map((id) => [id, { x: 5000, y: 5000 }]),
    );
    expect(at(closed, nodeRects(closed, moved), 'shop').x).toBeGreaterThan(4000);
  });

  it('take over the lines of hidden components when they collapse, merged by type', () => {
    const scene = buildScene(shop, new Set(['shop']));
    expect(scene.lines.map(({ ids }) => ids)).toEqual([['r6'], ['r7']]);
    expect(scene.indexOf.get('db')).toBe(scene.indexOf.get('shop'));
  });

  it('have one line for all types between the same two nodes when collapsed, most frequent type first', () => {
    const rows = testRows(
      [
        ['box', 0, 0],
        ['a', 0, 0],
        ['b', 0, 100],
        ['x', 500, 0],
      ],
      [
        ['box', 'contains', 'a'],
        ['box', 'contains', 'b'],
        ['a', 'reads', 'x'],
        ['a', 'calls', 'x'],
        ['b', 'calls', 'x'],
        ['box', 'uses', 'x'],
        ['x', 'calls', 'b'],
      ],
    );
    const lines = buildScene(rows, new Set(['box'])).lines;
    expect(lines.map(({ ids }) => ids)).toEqual([['r2', 'r3', 'r4'], ['r5'], ['r6']]);
    expect(lines[0]).toMatchObject({
      typeId: 'calls',
      types: [
        { typeId: 'calls', count: 2 },
        { typeId: 'reads', count: 1 },
      ],
    });
  });

  it('tolerate cycles and second parents in unsaved edits', () => {
    const rows = testRows(
      [
        ['a', 0, 0],
        ['b', 0, 0],
        ['c', 0, 0],
      ],
      [
        ['a', 'contains', 'b'],
        ['b', 'contains', 'a'],
        ['c', 'contains', 'b'],
        ['c', 'contains', 'c'],
      ],
    );
    const scene = buildScene(rows, OPEN);
    expect(scene.nodes.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('lines', () => {
  it('between the same components are parallel, in either direction', () => {
    const scene = buildScene(shop, OPEN);
    const rects = nodeRects(scene);
    const between = scene.lines.filter(({ lanes }) => lanes === 3);
    const middles = between.map((line) => flattenPath(linePath(scene, rects, line))[8]?.y ?? 0);
    expect(new Set(middles.map(Math.round)).size).toBe(3);
  });

  it('start and end at the borders of components', () => {
    const rows = testRows(
      [
        ['a', 0, 0],
        ['b', 500, 0],
      ],
      [['a', 'uses', 'b']],
    );
    const scene = buildScene(rows, OPEN);
    const path = linePath(scene, nodeRects(scene), scene.lines[0] as never);
    expect(path.points).toEqual([
      { x: 180, y: 32 },
      { x: 500, y: 32 },
    ]);
    expect(distanceToPath(path, { x: 300, y: 40 })).toBe(8);
  });

  it('follow their route', () => {
    const scene = buildScene(shop, OPEN);
    const rects = nodeRects(scene);
    const route = [
      { x: 900, y: 0 },
      { x: 900, y: 100 },
      { x: 1000, y: 100 },
    ];
    const path = linePath(scene, rects, scene.lines[0] as never, route);
    expect(distanceToPath(path, { x: 950, y: 110 })).toBe(10);
  });

  it('have finite coordinates even between components at the same position', () => {
    const rows = testRows(
      [
        ['a', 0, 0],
        ['b', 0, 0],
      ],
      [
        ['a', 'uses', 'b'],
        ['b', 'uses', 'a'],
        ['a', 'uses', 'a'],
      ],
    );
    const scene = buildScene(rows, OPEN);
    for (const line of scene.lines) {
      const { points } = linePath(scene, nodeRects(scene), line);
      expect(points.flatMap(({ x, y }) => [x, y]).every(Number.isFinite)).toBe(true);
    }
  });
});

describe('hit tests', () => {
  const scene = buildScene(shop, OPEN);
  const rects = nodeRects(scene);

  it('find the innermost component, and a group at its title', () => {
    expect(nodeAt(scene, rects, { x: 10, y: 10 })?.id).toBe('web');
    expect(nodeAt(scene, rects, { x: 250, y: 20 })).toBeNull();
    expect(groupAt(scene, rects, { x: 250, y: 20 })?.id).toBe('shop');
    const { x, y } = at(scene, rects, 'shop');
    expect(nodeAt(scene, rects, { x: x + 5, y: y + 5 })?.id).toBe('shop');
  });

  it('select components that touch the frame, and groups that are inside it', () => {
    expect(nodesIn(scene, rects, { x: 100, y: 20, width: 10, height: 10 })).toEqual(['web']);
    expect(nodesIn(scene, rects, { x: -500, y: -500, width: 2000, height: 2000 })).toHaveLength(5);
  });

  it('use row-by-row reading order, and prefer connected components as neighbors', () => {
    const rows = testRows(
      [
        ['b', 300, 12],
        ['a', 0, 0],
        ['c', 0, 300],
        ['d', 700, 0],
      ],
      [['a', 'uses', 'd']],
    );
    const plain = buildScene(rows, OPEN);
    const places = nodeRects(plain);
    const items = plain.nodes.map(({ id }, at) => ({ id, ...(places[at] as Rect) }));
    expect(inReadingOrder(items).map(({ id }) => id)).toEqual(['a', 'b', 'd', 'c']);
    expect(connectedInDirection(plain, places, 'a', 'right')).toBe('d');
    expect(connectedInDirection(plain, places, 'a', 'down')).toBeNull();
    const others = items
      .slice(0, 1)
      .concat(items.slice(2))
      .map(({ id, ...rect }) => ({ id, rect }));
    expect(closestInDirection(items[1] as Rect, others, 'down')?.id).toBe('c');
    expect(closestInDirection(items[1] as Rect, others, 'left')).toBeUndefined();
  });
});

describe('snapping', () => {
  const rect = { x: 0, y: 0, ...NODE_SIZE };

  it('aligns with the grid, or with a nearby component', () => {
    expect(snap(rect, { x: 47, y: 53 }, [], 6).by).toEqual({ x: 40, y: 60 });
    const { by, guides } = snap(rect, { x: 47, y: 203 }, [{ ...rect, x: 51, y: 500 }], 6);
    expect(by).toEqual({ x: 51, y: 200 });
    expect(guides).toContainEqual({ axis: 'x', at: 51, from: 200, to: 564 });
  });
});

describe('updating a scene', () => {
  const moved = (id: string) => {
    const row = shop.component.get(id);
    if (!row) throw new Error(id);
    return new Map(shop.component).set(id, { ...row, x: 1234 });
  };

  it('has the same result as building it, and preserves lines', () => {
    for (const collapsed of [OPEN, new Set(['shop'])]) {
      const scene = buildScene(shop, collapsed);
      for (const id of shop.component.keys()) {
        const updated = updateScene(scene, shop.component, moved(id));
        expect(updated).toEqual(buildScene({ ...shop, component: moved(id) }, collapsed));
        expect(updated?.lines).toBe(scene.lines);
      }
    }
  });

  it('is rejected if components were added, removed or reordered', () => {
    const scene = buildScene(shop, OPEN);
    const fewer = new Map(shop.component);
    const [first] = fewer.keys();
    fewer.delete(first as string);
    expect(updateScene(scene, shop.component, fewer)).toBeNull();
    const reordered = new Map([...shop.component].reverse());
    expect(updateScene(scene, shop.component, reordered)).toBeNull();
  });

  it('is rejected if a component without parts becomes a group, or a group another type', () => {
    const mail = shop.component.get('mail');
    if (!mail) throw new Error('mail');
    const withGroup = new Map(shop.component).set('mail', { ...mail, typeId: 'group' });
    const before = buildScene(shop, OPEN);
    const after = buildScene({ ...shop, component: withGroup }, OPEN);
    expect(after.nodes.at(-1)).toMatchObject({ id: 'mail', isGroup: true, inside: 0 });
    expect(updateScene(before, shop.component, withGroup)).toBeNull();
    expect(updateScene(after, withGroup, shop.component)).toBeNull();
  });
});

describe('map URLs', () => {
  it('are formatted as they were parsed, with other parameters unchanged', () => {
    const query = formatMapQuery('?process=p&step=2', {
      componentIds: ['a/b +漢字', 'c&d'],
      relationshipIds: ['web uses/api'],
      noteIds: ['n 1'],
      at: { x: 10.4, y: -3, zoom: 0.51234 },
    });
    expect(query).toContain('process=p&step=2');
    expect(parseMapQuery(query)).toEqual({
      componentIds: ['a/b +漢字', 'c&d'],
      relationshipIds: ['web uses/api'],
      noteIds: ['n 1'],
      at: { x: 10, y: -3, zoom: 0.512 },
    });
  });

  it.each(['?at=', '?at=1,2', '?at=1,2,0', '?at=x,2,1', '?at=1,2,-1', '?at=1,2,Infinity'])(
    'ignore the invalid position %s',
    (query) => {
      expect(parseMapQuery(query).at).toBeNull();
    },
  );
});
