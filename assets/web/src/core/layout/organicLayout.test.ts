/** The organic layout of a large map with hubs, with the lines as the map draws them. */
import { expect, it } from 'vitest';
import { routeMap, routeTask } from '../route/mapRoutes';
import { countRouteFaults } from '../route/measure';
import { irregularMap, mapScene } from '../route/testing';
import { nodeRects } from '../scene/scene';
import { layoutBlocks, placeBlocks } from './blocks';
import { organicLayout } from './organic';

it('an organic layout of a large map with hubs has at least 30% of its lines routed, none under a card', () => {
  const scene = mapScene(irregularMap(800));
  const sizes = scene.nodes.map(() => null);
  const [block] = layoutBlocks(scene, sizes, { scope: 'all', selected: new Set(), direction: 'right' });
  if (!block) throw new Error('nothing to arrange');
  const { moves } = placeBlocks(scene, sizes, [[block, organicLayout(block.task)]]);
  const rects = nodeRects(scene, new Map(moves.map((move) => [move.id, move])));
  const task = routeTask(scene, rects, 'routed', new Map(), (typeId) => typeId);
  const counts = countRouteFaults(task.input, routeMap(task).points);
  expect(counts).toMatchObject({ overCards: 0, overTitles: 0, onTop: 0 });
  expect(counts.routed).toBeGreaterThanOrEqual(scene.lines.length * 0.3);
}, 60_000);
