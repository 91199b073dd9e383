/** The layered layout of whole maps, with the lines as the map draws them. */
import Elk, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { routeMap, routeTask } from '../route/mapRoutes';
import { countLabelFaults, countRouteFaults } from '../route/measure';
import { denseMap, irregularMap, mapScene, sampleScene } from '../route/testing';
import { boundingBox, overlaps, type Rect } from '../scene/geometry';
import { nodeRects, type Scene } from '../scene/scene';
import { layoutBlocks, placeBlocks } from './blocks';
import { type ElkGraph, elkGraph, elkPositions } from './elkGraph';
import type { LayoutDirection } from './layoutTask';

async function arranged(scene: Scene, direction: LayoutDirection): Promise<Rect[]> {
  const sizes = scene.nodes.map(() => null);
  const [block] = layoutBlocks(scene, sizes, { scope: 'all', selected: new Set(), direction });
  if (!block) throw new Error('nothing to arrange');
  const graph = (await new Elk().layout(elkGraph(block.task) as ElkNode)) as ElkGraph;
  const { moves } = placeBlocks(scene, sizes, [[block, elkPositions(graph)]]);
  return nodeRects(scene, new Map(moves.map((move) => [move.id, move])));
}

function faults(scene: Scene, rects: readonly Rect[]) {
  const task = routeTask(scene, rects, 'routed', new Map(), (typeId) => typeId);
  const routed = routeMap(task);
  const labels = countLabelFaults(task.input, routed.labels);
  return {
    ...countRouteFaults(task.input, routed.points),
    missingLabels: task.texts.filter(Boolean).length - labels.placed,
    coveredByLabels: labels.overCards + labels.overLabels,
  };
}

describe.each(['right', 'down'] as const)('a layered layout to the %s', (direction) => {
  const scene = sampleScene();

  it('of the sample has no line under a card or title, and fewer crossings than by hand', async () => {
    const rects = await arranged(scene, direction);
    const result = faults(scene, rects);
    expect(result).toMatchObject({
      routed: scene.lines.length,
      overCards: 0,
      overTitles: 0,
      onTop: 0,
      missingLabels: 0,
      coveredByLabels: 0,
    });
    expect(result.crossings).toBeLessThan(faults(scene, nodeRects(scene)).crossings / 2);
  });

  it('of a dense map has no line under a card, and fewer crossings than a grid', async () => {
    const dense = mapScene(denseMap(28, 74));
    const rects = await arranged(dense, direction);
    const result = faults(dense, rects);
    expect(result).toMatchObject({ routed: 74, overCards: 0, overTitles: 0, onTop: 0 });
    expect(result.crossings).toBeLessThan(faults(dense, nodeRects(dense)).crossings);
  });

  it('has people first, and most lines lead in the direction', async () => {
    const rects = await arranged(scene, direction);
    const axis = direction === 'right' ? 'x' : 'y';
    const start = (at: number) => (rects[at] as Rect)[axis];
    const people = [...scene.nodes.keys()].filter((at) => scene.nodes[at]?.component.typeId === 'person');
    expect(people.length).toBeGreaterThan(0);
    for (const { from, to } of scene.lines)
      if (people.includes(from)) expect(start(from)).toBeLessThan(start(to));
    const forward = scene.lines.filter(({ from, to }) => start(from) < start(to));
    expect(forward.length).toBeGreaterThan(scene.lines.length * 0.75);
  });

  it('of components without lines is about as wide as high', async () => {
    const components = Array.from({ length: 12 }, (_, at) => ({
      id: `c${at}`,
      name: `C ${at}`,
      x: 0,
      y: at * 80,
    }));
    const { width, height } = boundingBox(
      await arranged(mapScene({ components, relationships: [] }), direction),
    ) as Rect;
    expect(width / height).toBeGreaterThan(0.8);
    expect(width / height).toBeLessThan(4);
  });

  it('has no overlapping components at the largest size for network simplex', async () => {
    const map = mapScene(irregularMap(80));
    expect(map.lines).toHaveLength(160);
    const rects = await arranged(map, direction);
    for (const [at, one] of rects.entries())
      expect(rects.slice(at + 1).some((other) => overlaps(one, other))).toBe(false);
  }, 60_000);
});
