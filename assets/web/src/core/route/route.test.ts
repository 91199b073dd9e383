/**
 * Tests the router against fixtures and on whole maps. Each file in `cases` contains nodes, lines, and the polylines
 * that any implementation of the router must return. To update the polylines, run `UPDATE_ROUTES=1 npx vitest run
 * src/core/route` and review the difference.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Point } from '../scene/geometry';
import { nodeRects } from '../scene/scene';
import { countRouteFaults } from './measure';
import { routeLines } from './route';
import { sceneRouteInput } from './sceneInput';
import { denseMap, gridMap, irregularMap, mapScene, sampleScene } from './testing';
import type { RouteInput, RouteLine, RouteNode } from './types';

interface RouteCase {
  title: string;
  nodes: RouteNode[];
  lines: RouteLine[];
  points: (readonly Point[] | null)[];
}

const FOLDER = `${import.meta.dirname}/cases/`;
const NO_FAULTS = { overCards: 0, overTitles: 0, onTop: 0 };

/** Rounds coordinates to hundredths of a pixel. */
const rounded = (points: readonly (readonly Point[] | null)[]) =>
  points.map((line) => line?.map(({ x, y }) => ({ x: round(x), y: round(y) })) ?? null);
const round = (value: number) => Math.round(value * 100) / 100;

const inputOf = (scene: ReturnType<typeof mapScene>) => sceneRouteInput(scene, nodeRects(scene));

describe('fixtures', () => {
  for (const file of readdirSync(FOLDER)) {
    const known = JSON.parse(readFileSync(FOLDER + file, 'utf8')) as RouteCase;
    it(known.title, () => {
      const points = rounded(routeLines(known).points);
      if (process.env.UPDATE_ROUTES)
        writeFileSync(FOLDER + file, `${JSON.stringify({ ...known, points }, null, 1)}\n`);
      else expect(points).toEqual(known.points);
    });
  }
});

describe('routes', () => {
  it('do not cross cards or titles on the sample map, and do not overlap', () => {
    const input = inputOf(sampleScene());
    const counts = countRouteFaults(input, routeLines(input).points);
    expect(counts).toMatchObject({ ...NO_FAULTS, routed: input.lines.length });
  });

  it.each([
    ['a grid of 200', mapScene(gridMap(200)), 0.9],
    ['a grid of 1,000', mapScene(gridMap(1000)), 0.9],
    ['an irregular map of 300', mapScene(irregularMap(300)), 0.9],
    ['a dense map of 28 with 74 lines', mapScene(denseMap(28, 74)), 1],
  ])('do not cross cards or titles on %s, and do not overlap', (_, scene, share) => {
    const input = inputOf(scene);
    const counts = countRouteFaults(input, routeLines(input).points);
    expect(counts).toMatchObject(NO_FAULTS);
    expect(counts.routed).toBeGreaterThanOrEqual(input.lines.length * share);
  });

  it('are unchanged if nothing changed', () => {
    for (const scene of [sampleScene(), mapScene(irregularMap(120))]) {
      const input = inputOf(scene);
      const before = routeLines(input);
      expect(routeLines(input, before.paths).points).toEqual(before.points);
    }
  });

  it('keep the bends of almost all other lines when a card moves', () => {
    const scene = sampleScene();
    const input = inputOf(scene);
    const before = routeLines(input);
    let others = 0;
    let changed = 0;
    for (const [at, { id, component, isGroup }] of scene.nodes.entries()) {
      if (isGroup) continue;
      const moved = new Map([[id, { x: component.x + 60, y: component.y + 40 }]]);
      const after = routeLines(sceneRouteInput(scene, nodeRects(scene, moved)), before.paths);
      for (const [line, { from, to }] of input.lines.entries()) {
        if (from === at || to === at) continue;
        others++;
        if (before.points[line]?.length !== after.points[line]?.length) changed++;
      }
    }
    expect(changed / others).toBeLessThan(0.03);
  });

  it('avoid a card that is moved onto them', () => {
    const input = caseInput('facing-cards');
    const { paths, points } = routeLines(input);
    const card = { ...(input.nodes[0] as RouteNode), x: 260, y: 10, width: 60 };
    const blocked = { ...input, nodes: [...input.nodes, card] };
    const after = routeLines(blocked, paths);
    expect(countRouteFaults(blocked, points).overCards).toBe(1);
    expect(countRouteFaults(blocked, after.points)).toMatchObject({ ...NO_FAULTS, routed: 2 });
  });

  it('are straight again after the card is removed', () => {
    const input = caseInput('facing-cards');
    const card = { ...(input.nodes[0] as RouteNode), x: 260, y: 10, width: 60 };
    const blocked = routeLines({ ...input, nodes: [...input.nodes, card] });
    expect(blocked.points[0]?.length).toBeGreaterThan(2);
    expect(routeLines(input, blocked.paths).points).toEqual(routeLines(input).points);
  });

  it('have finite coordinates for any positions', () => {
    const far = { ...caseInput('loops'), nodes: caseInput('loops').nodes.map((node) => ({ ...node })) };
    Object.assign(far.nodes[2] as RouteNode, { x: 1e6, y: -1e6 });
    const lines = [...far.lines, { ...(far.lines[0] as RouteLine), to: 2 }];
    for (const { x, y } of routeLines({ ...far, lines })
      .points.flat()
      .filter((point) => point !== null))
      expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
  });
});

function caseInput(name: string): RouteInput {
  const { nodes, lines } = JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as RouteCase;
  return { nodes, lines };
}

describe('waypoints', () => {
  const cards = caseInput('facing-cards');
  const [first, second] = cards.nodes as [RouteNode, RouteNode];
  const line = { ...(cards.lines[0] as RouteLine), from: 0, to: 1 };
  const waypoint = { x: (first.x + second.x + first.width) / 2, y: first.y + 240 };
  const withVia: RouteInput = { nodes: cards.nodes, lines: [{ ...line, via: [waypoint] }] };

  const passes = (points: readonly Point[], { x, y }: Point) =>
    points.slice(1).some((b, at) => {
      const a = points[at] as Point;
      const [low, high] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
      const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
      return low <= x && x <= high && top <= y && y <= bottom;
    });

  it('are on the line', () => {
    const points = routeLines(withVia).points[0] as readonly Point[];
    expect(passes(points, waypoint)).toBe(true);
  });

  it('no longer affect the line after they are removed', () => {
    const before = routeLines(withVia).paths;
    const without = { nodes: cards.nodes, lines: [line] };
    expect(routeLines(without, before).points).toEqual(routeLines(without).points);
  });

  it('do not change other lines that are not blocked', () => {
    const input = inputOf(sampleScene());
    const before = routeLines(input);
    const at = 5;
    const { from } = input.lines[at] as RouteLine;
    const { x, y, width } = input.nodes[from] as RouteNode;
    const via = [{ x: x + width + 40, y: y - 30 }];
    const lines = input.lines.with(at, { ...(input.lines[at] as RouteLine), via });
    const after = routeLines({ ...input, lines }, before.paths);
    const bends = (points: readonly (readonly Point[] | null)[]) => points.map((route) => route?.length);
    expect(bends(after.points).with(at, 0)).toEqual(bends(before.points).with(at, 0));
  });
});
