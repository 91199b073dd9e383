/** The node list for React Flow. */
import { expect, it } from 'vitest';
import { mapScene } from '@/core/route/testing';
import { nodeRects } from '@/core/scene/scene';
import { flowNodes } from './flowNodes';

const scene = mapScene({
  components: [
    { id: 'web', name: 'Web', x: 0, y: 0 },
    { id: 'db', name: 'Database', x: 400, y: 0 },
  ],
  relationships: [],
});

function drawn(moving: readonly string[]) {
  const nodes = flowNodes(scene, nodeRects(scene), [], 32, (id) => moving.includes(id));
  return new Map(nodes.map((node) => [node.id, node]));
}

it('draws components that are being moved above the others', () => {
  const [before, during, after] = [drawn([]), drawn(['web']), drawn([])];
  expect(before.get('web')?.zIndex).toBe(before.get('db')?.zIndex);
  expect(during.get('web')?.zIndex).toBeGreaterThan(during.get('db')?.zIndex ?? 0);
  expect(during.get('db')).toBe(before.get('db'));
  expect(after.get('web')?.zIndex).toBe(before.get('web')?.zIndex);
});
