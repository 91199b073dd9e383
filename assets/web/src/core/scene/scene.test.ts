import { describe, expect, it } from 'vitest';
import { withDescendants } from '@/core/containment/containment';
import { containsRect, NODE_SIZE, type Rect } from './geometry';
import { groupAt, lineAt, neighborInDirection, nodeAt, nodesIn, readingOrder } from './hitTest';
import { distanceToPath, linePath, pointAt } from './linePath';
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

describe('boxes', () => {
  it('are around what they contain, however deep, and come before it', () => {
    const scene = buildScene(shop, OPEN);
    const rects = nodeRects(scene);
    expect(containsRect(at(scene, rects, 'shop'), at(scene, rects, 'data'))).toBe(true);
    expect(containsRect(at(scene, rects, 'data'), at(scene, rects, 'db'))).toBe(true);
    expect(scene.nodes.map(({ id }) => id)).toEqual(['shop', 'web', 'data', 'db', 'mail']);
    expect(scene.nodes[0]).toMatchObject({ isGroup: true, inside: 3, depth: 0 });
  });

  it('stand where they began when they collapse, and so does what moves them', () => {
    const open = buildScene(shop, OPEN);
    const closed = buildScene(shop, new Set(['shop']));
    const { x, y } = at(open, nodeRects(open), 'shop');
    expect(at(closed, nodeRects(closed), 'shop')).toEqual({ x, y, ...NODE_SIZE });
    const moved = new Map(
      [...withDescendants(closed.containment, ['shop'])].map((id) => [id, { x: 5000, y: 5000 }]),
    );
    expect(at(closed, nodeRects(closed, moved), 'shop').x).toBeGreaterThan(4000);
  });

  it('collapsed, take over the lines of what they hide, those of one kind as one', () => {
    const scene = buildScene(shop, new Set(['shop']));
    expect(scene.lines.map(({ ids }) => ids)).toEqual([['r6'], ['r7']]);
    expect(scene.indexOf.get('db')).toBe(scene.indexOf.get('shop'));
  });

  it('bear circles and second parents that are on their way to be refused', () => {
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
  it('between the same two run side by side, whichever way they go', () => {
    const scene = buildScene(shop, OPEN);
    const rects = nodeRects(scene);
    const between = scene.lines.filter(({ lanes }) => lanes === 3);
    const middles = between.map((line) => pointAt(linePath(scene, rects, line), 0.5).y);
    expect(new Set(middles.map(Math.round)).size).toBe(3);
  });

  it('begin and end at borders', () => {
    const rows = testRows(
      [
        ['a', 0, 0],
        ['b', 500, 0],
      ],
      [['a', 'uses', 'b']],
    );
    const scene = buildScene(rows, OPEN);
    const path = linePath(scene, nodeRects(scene), scene.lines[0] as never);
    expect(path).toMatchObject({ from: { x: 180, y: 32 }, to: { x: 500, y: 32 }, c: null });
    expect(distanceToPath(path, { x: 300, y: 40 })).toBe(8);
  });

  it('are numbers even between components on the same spot', () => {
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
      const { from, to } = linePath(scene, nodeRects(scene), line);
      expect([from.x, from.y, to.x, to.y].every(Number.isFinite)).toBe(true);
    }
  });
});

describe('finding', () => {
  const scene = buildScene(shop, OPEN);
  const rects = nodeRects(scene);

  it('meets the innermost, a box at its title, and a line from near', () => {
    expect(nodeAt(scene, rects, { x: 10, y: 10 })?.id).toBe('web');
    expect(nodeAt(scene, rects, { x: 250, y: 20 })).toBeNull();
    expect(groupAt(scene, rects, { x: 250, y: 20 })?.id).toBe('shop');
    const { x, y } = at(scene, rects, 'shop');
    expect(nodeAt(scene, rects, { x: x + 5, y: y + 5 })?.id).toBe('shop');
    expect(lineAt(scene, rects, { x: 490, y: 150 }, 6)).toEqual(['r7']);
    expect(lineAt(scene, rects, { x: 900, y: 900 }, 6)).toBeNull();
  });

  it('takes into a frame what it touches, and boxes that are all in it', () => {
    expect(nodesIn(scene, rects, { x: 100, y: 20, width: 10, height: 10 })).toEqual(['web']);
    expect(nodesIn(scene, rects, { x: -500, y: -500, width: 2000, height: 2000 })).toHaveLength(5);
  });

  it('reads by rows, and walks along lines before it walks to strangers', () => {
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
    expect(readingOrder(plain, places)).toEqual(['a', 'b', 'd', 'c']);
    expect(neighborInDirection(plain, places, 'a', 'right')).toBe('d');
    expect(neighborInDirection(plain, places, 'a', 'down')).toBe('c');
    expect(neighborInDirection(plain, places, 'a', 'left')).toBeNull();
  });
});

describe('snapping', () => {
  const rect = { x: 0, y: 0, ...NODE_SIZE };

  it('goes to the grid alone, and to a neighbour that is near', () => {
    expect(snap(rect, { x: 47, y: 53 }, [], 6).by).toEqual({ x: 40, y: 60 });
    const { by, guides } = snap(rect, { x: 47, y: 203 }, [{ ...rect, x: 51, y: 500 }], 6);
    expect(by).toEqual({ x: 51, y: 200 });
    expect(guides).toContainEqual({ axis: 'x', at: 51, from: 200, to: 564 });
  });
});

describe('a scene of which only fields have changed', () => {
  const moved = (id: string) => {
    const row = shop.component.get(id);
    if (!row) throw new Error(id);
    return new Map(shop.component).set(id, { ...row, x: 1234 });
  };

  it('is what would be made anew, with the same lines', () => {
    for (const collapsed of [OPEN, new Set(['shop'])]) {
      const scene = buildScene(shop, collapsed);
      for (const id of shop.component.keys()) {
        const again = updateScene(scene, shop.component, moved(id));
        expect(again).toEqual(buildScene({ ...shop, component: moved(id) }, collapsed));
        expect(again?.lines).toBe(scene.lines);
      }
    }
  });

  it('is made anew when something has come, gone, or is in another place', () => {
    const scene = buildScene(shop, OPEN);
    const fewer = new Map(shop.component);
    const [first] = fewer.keys();
    fewer.delete(first as string);
    expect(updateScene(scene, shop.component, fewer)).toBeNull();
    const turned = new Map([...shop.component].reverse());
    expect(updateScene(scene, shop.component, turned)).toBeNull();
  });
});

describe('addresses', () => {
  it('say again what was read, and leave the rest of a query alone', () => {
    const query = formatMapQuery('?process=p&step=2', {
      componentIds: ['a/b +漢字', 'c&d'],
      relationshipIds: ['web uses/api'],
      at: { x: 10.4, y: -3, zoom: 0.51234 },
    });
    expect(query).toContain('process=p&step=2');
    expect(parseMapQuery(query)).toEqual({
      componentIds: ['a/b +漢字', 'c&d'],
      relationshipIds: ['web uses/api'],
      at: { x: 10, y: -3, zoom: 0.512 },
    });
  });

  it.each(['?at=', '?at=1,2', '?at=1,2,0', '?at=x,2,1', '?at=1,2,-1', '?at=1,2,Infinity'])(
    'pass over %s',
    (query) => {
      expect(parseMapQuery(query).at).toBeNull();
    },
  );
});
