/** Routing while a component is dragged. */
import { describe, expect, it } from 'vitest';
import type { Point } from '../scene/geometry';
import { nodeRects, type Scene } from '../scene/scene';
import { LiveRouter } from './live';
import { countRouteFaults } from './measure';
import { routeLines } from './route';
import { sceneRouteInput } from './sceneInput';
import { gridMap, mapScene, sampleScene } from './testing';
import type { RouteInput, RouteNode } from './types';

const NEVER = () => false;

function prepared(scene: Scene) {
  const input = sceneRouteInput(scene, nodeRects(scene));
  const rest = routeLines(input);
  return { input, rest, live: new LiveRouter(input, rest) };
}

const movedBy = ({ nodes }: RouteInput, at: number, x: number, y: number): readonly RouteNode[] =>
  nodes.with(at, {
    ...(nodes[at] as RouteNode),
    x: (nodes[at] as RouteNode).x + x,
    y: (nodes[at] as RouteNode).y + y,
  });

const attachedTo = ({ lines }: RouteInput, node: number) =>
  [...lines.keys()].filter((at) => lines[at]?.from === node || lines[at]?.to === node);

describe('while a component is dragged', () => {
  it('its lines follow without crossing cards or titles', () => {
    const { input, live } = prepared(sampleScene());
    for (const [at, node] of input.nodes.entries()) {
      if (node.isGroup) continue;
      const nodes = movedBy(input, at, 30, 20);
      const routes = live.route(nodes, [at], NEVER);
      for (const line of attachedTo(input, at)) expect(routes.get(line)).toBeTruthy();
      const points = input.lines.map((_, line) => routes.get(line) ?? null);
      expect(countRouteFaults({ ...input, nodes }, points)).toMatchObject({ overCards: 0, overTitles: 0 });
    }
  });

  it('every route has two ends, also between cards that touch or overlap', () => {
    const { input, live } = prepared(sampleScene());
    const shifts = [-1, -0.5, 0, 0.5, 1];
    const places = shifts.flatMap((dx) => shifts.map((dy) => ({ dx, dy })));
    const lengths: number[] = [];
    for (const { from, to } of input.lines.filter(({ from, to }) => from !== to)) {
      const [source, target] = [input.nodes[from], input.nodes[to]] as [RouteNode, RouteNode];
      for (const { dx, dy } of places) {
        const x = target.x + dx * target.width - source.x;
        const y = target.y + dy * target.height - source.y;
        const routes = live.route(movedBy(input, from, x, y), [from], NEVER);
        lengths.push(...[...routes.values()].flatMap((route) => route?.length ?? []));
      }
    }
    expect(Math.min(...lengths)).toBe(2);
  });

  it('only the lines that it covers are rerouted', () => {
    const { input, rest, live } = prepared(mapScene(gridMap(30)));
    const line = [...input.lines.keys()].find(
      (at) => !rest.paths[at]?.isFixed && (rest.points[at]?.length ?? 0) > 3,
    ) as number;
    const [, a, b] = rest.points[line] as [Point, Point, Point];
    const node = [...input.nodes.keys()].find((at) => !attachedTo(input, at).includes(line)) as number;
    const { x, y, width, height } = input.nodes[node] as RouteNode;
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const nodes = movedBy(input, node, middle.x - x - width / 2, middle.y - y - height / 2);
    const routes = live.route(nodes, [node], NEVER);
    expect(routes.has(line)).toBe(true);
    expect(routes.get(line)).not.toEqual(rest.points[line]);
    const others = [...input.lines.keys()].filter((at) => !routes.has(at));
    const points = input.lines.map((_, at) => (others.includes(at) ? (rest.points[at] ?? null) : null));
    const { overCards } = countRouteFaults({ ...input, nodes }, points);
    expect(overCards).toBe(0);
    expect(others.length).toBeGreaterThan(input.lines.length / 2);
  });

  it('the shortest lines are routed even when the time is up, and the others are straight', () => {
    const card = (x: number, y: number) => ({ x, y, width: 180, height: 64 });
    const shape = { isGroup: false, parent: -1, titles: [] };
    const nodes = Array.from({ length: 21 }, (_, at) => ({ ...card((at % 7) * 300, at * 100), ...shape }));
    const line = { from: 0, typeId: 'uses', hasLabel: true, lane: 0 };
    const lines = nodes.slice(1).map((_, at) => ({ ...line, to: at + 1 }));
    const input = { nodes, lines };
    const live = new LiveRouter(input, routeLines(input));
    const routes = live.route(movedBy(input, 0, 40, 40), [0], () => true);
    expect(routes.size).toBe(20);
    expect([...routes.values()].filter((route) => route !== null)).toHaveLength(12);
    expect(routes.get(0)).toBeTruthy();
    expect(routes.get(19)).toBeNull();
  });

  it('dragging back to the original position restores the original routes', () => {
    const { input, live } = prepared(sampleScene());
    expect(live.route(input.nodes, [], NEVER).size).toBe(0);
  });
});
