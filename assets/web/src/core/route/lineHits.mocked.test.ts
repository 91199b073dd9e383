import { describe, expect, it, vi } from 'vitest';
import type { Point, Rect } from '../scene/geometry';
import { distanceToPath, linePath } from '../scene/linePath';
import { buildScene, nodeRects, type Scene } from '../scene/scene';
import { testRows } from '../scene/testing';
import { LineHits, lineAt } from './lineHits';
import { routeMap, routeTask } from './mapRoutes';
import { gridMap, irregularMap, mapScene, sampleScene } from './testing';

// Counts how many lines are compared with a point.
vi.mock(import('../scene/linePath'), async (original) => {
  const module = await original();
  return { ...module, distanceToPath: vi.fn(module.distanceToPath) };
});

type Routes = ReadonlyMap<string, readonly Point[]>;

/** The result of comparing the point with every line. */
function scan(scene: Scene, rects: readonly Rect[], routes: Routes, point: Point, reach: number) {
  let best = reach;
  let found: readonly string[] | null = null;
  for (const line of scene.lines) {
    const distance = distanceToPath(linePath(scene, rects, line, routes.get(line.id)), point);
    if (distance > best) continue;
    best = distance;
    found = line.ids;
  }
  return found;
}

function routesOf(scene: Scene, rects: readonly Rect[]): Routes {
  const { points } = routeMap(routeTask(scene, rects, 'routed', new Map(), (id) => id));
  return new Map(
    scene.lines.flatMap(({ id }, at) => {
      const route = points[at];
      return route ? [[id, route] as const] : [];
    }),
  );
}

/** A pseudorandom number generator with a fixed seed. */
function numbers(start: number): () => number {
  let seed = start;
  return () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
}

describe('the line at a point', () => {
  const parallel = testRows(
    [
      ['a', 0, 0],
      ['b', 700, 40],
      ['c', 0, 400],
    ],
    [
      ['a', 'uses', 'b'],
      ['b', 'uses', 'a'],
      ['a', 'calls', 'b'],
      ['a', 'calls', 'a'],
      ['c', 'calls', 'a'],
      ['c', 'calls', 'b'],
    ],
  );

  it.each([
    ['the sample', sampleScene(), true],
    ['a grid with straight lines', mapScene(gridMap(200)), false],
    ['an irregular map', mapScene(irregularMap(60)), true],
    ['parallel lines and loops', buildScene(parallel, new Set()), false],
  ])('is the one that comparing all lines finds, on %s', (_, scene, isRouted) => {
    const rects = nodeRects(scene);
    const routes: Routes = isRouted ? routesOf(scene, rects) : new Map();
    const hits = new LineHits(scene, rects, routes);
    const random = numbers(5);
    let found = 0;
    for (let round = 0; round < 400; round++) {
      // Half of the points are close to a line.
      const line = scene.lines[Math.floor(random() * scene.lines.length)];
      const route = line && linePath(scene, rects, line, routes.get(line.id)).points;
      const [from, to] = [route?.[0] as Point, route?.at(-1) as Point];
      const part = random();
      const point =
        round % 2
          ? { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part + random() * 12 - 6 }
          : { x: random() * 4000 - 500, y: random() * 3000 - 500 };
      const reach = [0, 6, 40, 900][round % 4] as number;
      const expected = scan(scene, rects, routes, point, reach);
      expect(hits.at(point, reach)).toEqual(expected);
      if (expected) found++;
    }
    expect(found).toBeGreaterThan(80);
  });

  it('is found on its route, and after the route has changed', () => {
    const scene = buildScene(parallel, new Set());
    const rects = nodeRects(scene);
    const route = [
      { x: 900, y: 600 },
      { x: 900, y: 700 },
      { x: 1000, y: 700 },
    ];
    expect(lineAt(scene, rects, new Map([['r4', route]]), { x: 950, y: 704 }, 6)).toEqual(['r4']);
    expect(lineAt(scene, rects, new Map(), { x: 950, y: 704 }, 6)).toBeNull();
    expect(lineAt(scene, rects, new Map(), { x: 90, y: 230 }, 6)).toEqual(['r4']);
  });

  it('is found without comparing all lines', () => {
    const scene = mapScene(gridMap(2500));
    const hits = new LineHits(scene, nodeRects(scene), new Map());
    expect(scene.lines.length).toBeGreaterThan(4900);
    vi.mocked(distanceToPath).mockClear();
    for (let at = 0; at < 1000; at++) hits.at({ x: (at % 50) * 240 + 7, y: at * 8 }, 6);
    expect(vi.mocked(distanceToPath).mock.calls.length).toBeGreaterThan(100);
    expect(vi.mocked(distanceToPath).mock.calls.length).toBeLessThan(10_000);
  });
});
