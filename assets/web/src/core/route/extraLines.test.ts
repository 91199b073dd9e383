/** Lines that are routed between the others of a map: with new waypoints, long ones, and lines without a relationship. */
import { describe, expect, it } from 'vitest';
import type { Point } from '../scene/geometry';
import { nodeRects } from '../scene/scene';
import { LiveRouter, routeExtraLines } from './live';
import { countRouteFaults } from './measure';
import { isRoutable, routeLines } from './route';
import { sceneRouteInput } from './sceneInput';
import { gridMap, mapScene, sampleScene } from './testing';
import type { RouteInput, RouteLine } from './types';

function prepared(scene: ReturnType<typeof mapScene>) {
  const input = sceneRouteInput(scene, nodeRects(scene));
  return { input, rest: routeLines(input) };
}

/** The faults of some lines on their own. */
const faults = ({ nodes }: RouteInput, lines: readonly RouteLine[], points: (readonly Point[] | null)[]) =>
  countRouteFaults({ nodes, lines }, points);

describe('extra lines', () => {
  it('between components without a relationship do not cross cards or titles', () => {
    const { input, rest } = prepared(sampleScene());
    const cards = [...input.nodes.keys()].filter((at) => !input.nodes[at]?.isGroup);
    const live = new LiveRouter(input, rest);
    for (const [at, from] of cards.entries()) {
      const to = cards[(at * 7 + 11) % cards.length] as number;
      if (to === from) continue;
      const line = { from, to, typeId: '', hasLabel: true, lane: 0 };
      const points = live.routeLines([line]);
      expect(points[0]).not.toBeNull();
      expect(faults(input, [line], points)).toMatchObject({ overCards: 0, overTitles: 0 });
    }
  });

  it('that are too long to be routed in a dense map are routed on request', () => {
    const { input, rest } = prepared(mapScene(gridMap(1000)));
    const long = { from: 3, to: 990, typeId: 'uses', hasLabel: false, lane: 0 };
    expect(isRoutable({ ...input, lines: [...input.lines, long] }, long)).toBe(false);
    const points = routeExtraLines({ input, rest, lines: [long] });
    expect(points[0]?.length).toBeGreaterThan(2);
    expect(faults(input, [long], points)).toMatchObject({ overCards: 0, overTitles: 0 });
  });

  it('with new waypoints replace the original lines', () => {
    const { input, rest } = prepared(sampleScene());
    const at = rest.points.findIndex((points) => (points?.length ?? 0) > 2);
    const line = input.lines[at] as RouteLine;
    const { x, y, width } = input.nodes[line.from] as RouteInput['nodes'][number];
    const live = new LiveRouter(input, rest);
    const same = live.routeLines([line], new Set([at]));
    expect(same[0]?.[0]).toBeDefined();
    const [points] = live.routeLines([{ ...line, via: [{ x: x + width / 2, y: y - 200 }] }], new Set([at]));
    expect(points?.some((point) => point.y === y - 200 || point.x === x + width / 2)).toBe(true);
  });
});
