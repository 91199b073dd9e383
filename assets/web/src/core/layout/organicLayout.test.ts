/** The organic layout of large maps, with the lines as the map draws them. */
import { describe, expect, it } from 'vitest';
import { routeMap, routeTask } from '../route/mapRoutes';
import { countRouteFaults } from '../route/measure';
import { irregularMap, mapScene } from '../route/testing';
import { boundingBox, center, overlaps, type Rect } from '../scene/geometry';
import { nodeRects, type Scene } from '../scene/scene';
import { layoutBlocks, placeBlocks } from './blocks';
import { organicLayout } from './organic';

function arranged(scene: Scene): Rect[] {
  const sizes = scene.nodes.map(() => null);
  const [block] = layoutBlocks(scene, sizes, { scope: 'all', selected: new Set(), direction: 'right' });
  if (!block) throw new Error('nothing to arrange');
  const { moves } = placeBlocks(scene, sizes, [[block, organicLayout(block.task)]]);
  return nodeRects(scene, new Map(moves.map((move) => [move.id, move])));
}

/**
 * Components of several kinds in mixed order. Every fifth line leads to any component, every eighth to
 * one of three hubs, which are of the first kind, others to a component of the same kind.
 */
function mixedMap(count: number, kinds: number, typeOf: (at: number) => string) {
  let seed = 5;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % below;
  };
  const target = (at: number, line: number) => {
    if (line % 8 === 0) return kinds * random(3);
    return line % 5 === 0 ? random(count) : (at % kinds) + kinds * random(Math.floor(count / kinds));
  };
  return {
    components: Array.from({ length: count }, (_, at) => ({
      id: `c${at}`,
      name: `Component ${at}`,
      typeId: typeOf(at),
      x: (at % 20) * 260,
      y: Math.floor(at / 20) * 180,
    })),
    relationships: Array.from({ length: count * 3 }, (_, line) => ({
      id: `r${line}`,
      sourceId: `c${line % count}`,
      targetId: `c${target(line % count, line)}`,
      typeId: 'uses',
    })),
  };
}

/** The mean distance between components of different kinds, in mean distances between those of the same kind. */
function separation(rects: readonly Rect[], kindOf: (at: number) => number): number {
  const sums = { same: 0, other: 0 };
  const counts = { same: 0, other: 0 };
  for (const [at, one] of rects.entries()) {
    for (let next = at + 1; next < rects.length; next++) {
      const [a, b] = [center(one), center(rects[next] as Rect)];
      const key = kindOf(at) === kindOf(next) ? 'same' : 'other';
      sums[key] += Math.hypot(a.x - b.x, a.y - b.y);
      counts[key]++;
    }
  }
  return sums.other / counts.other / (sums.same / counts.same);
}

function countOverlaps(rects: readonly Rect[]): number {
  return rects.flatMap((one, at) => rects.slice(at + 1).filter((other) => overlaps(one, other))).length;
}

const TYPES = ['service', 'database', 'queue', 'web-app', 'library', 'storage'];

describe('an organic layout of a large map', () => {
  it('with hubs has at least 30% of its lines routed, none under a card', () => {
    const scene = mapScene(irregularMap(800));
    const rects = arranged(scene);
    const task = routeTask(scene, rects, 'routed', new Map(), (typeId) => typeId);
    const counts = countRouteFaults(task.input, routeMap(task).points);
    expect(counts).toMatchObject({ overCards: 0, overTitles: 0, onTop: 0 });
    expect(counts.routed).toBeGreaterThanOrEqual(scene.lines.length * 0.3);
  }, 60_000);

  it('places components of the same type in a region of their own', () => {
    // The types do not depend on the lines.
    const typeAt = (at: number) => Math.floor(at / 6) % 6;
    const rects = arranged(mapScene(mixedMap(300, 6, (at) => TYPES[typeAt(at)] as string)));
    expect(separation(rects, typeAt)).toBeGreaterThan(2);
    expect(countOverlaps(rects)).toBe(0);
    const areas = TYPES.map((_, type) => boundingBox(rects.filter((_, at) => typeAt(at) === type)) as Rect);
    expect(countOverlaps(areas)).toBe(0);
  });

  it('places communities in regions of their own if most components have the same type', () => {
    const rects = arranged(mapScene(mixedMap(300, 6, () => 'library')));
    expect(separation(rects, (at) => at % 6)).toBeGreaterThan(2);
    expect(countOverlaps(rects)).toBe(0);
  });

  it('places people at the border', () => {
    const scene = mapScene(mixedMap(300, 12, (at) => (at % 12 === 3 ? 'person' : 'service')));
    const rects = arranged(scene);
    const people = boundingBox(rects.filter((_, at) => at % 12 === 3)) as Rect;
    const others = boundingBox(rects.filter((_, at) => at % 12 !== 3)) as Rect;
    expect(overlaps(people, others)).toBe(false);
    expect(people.x).toBeGreaterThanOrEqual(others.x);
    expect(people.x + people.width).toBeLessThanOrEqual(others.x + others.width);
  });

  it('is the same each time', () => {
    const map = mixedMap(120, 4, () => 'service');
    expect(arranged(mapScene(map))).toEqual(arranged(mapScene(map)));
  });
});
