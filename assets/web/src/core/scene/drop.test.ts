import { describe, expect, it } from 'vitest';
import { withDescendants } from '@/core/containment/containment';
import { dropAt, LEAVE_DISTANCE } from './drop';
import { buildScene, nodeRects } from './scene';
import { testRows } from './testing';

const rows = testRows(
  [
    ['shop', 0, 0],
    ['web', 100, 100],
    ['data', 0, 0],
    ['db', 400, 100],
    ['mail', 1000, 100],
    ['jobs', 1000, 600],
    ['cron', 1000, 600],
  ],
  [
    ['shop', 'contains', 'web'],
    ['shop', 'contains', 'data'],
    ['data', 'contains', 'db'],
    ['jobs', 'contains', 'cron'],
  ],
);

function drop(ids: readonly string[], point: { x: number; y: number }, collapsed: readonly string[] = []) {
  const scene = buildScene(rows, new Set(collapsed));
  const result = dropAt(scene, nodeRects(scene), ids, withDescendants(scene.containment, ids), point);
  return result && { ids: [...result.ids], target: result.target };
}

describe('dropping components', () => {
  it('onto a group makes them parts of it, of the innermost one', () => {
    expect(drop(['mail'], { x: 150, y: 120 })).toEqual({ ids: ['mail'], target: 'shop' });
    expect(drop(['mail', 'web'], { x: 420, y: 120 })).toEqual({ ids: ['mail', 'web'], target: 'data' });
    expect(drop(['jobs'], { x: 420, y: 120 })).toEqual({ ids: ['jobs'], target: 'data' });
    expect(drop(['mail'], { x: 1010, y: 560 }, ['jobs'])).toEqual({ ids: ['mail'], target: 'jobs' });
  });

  it('onto a card or empty space does not make them parts', () => {
    expect(drop(['web'], { x: 150, y: 120 })).toBeNull();
    expect(drop(['mail'], { x: 1100, y: 320 })).toBeNull();
    expect(drop(['cron'], { x: 1020, y: 620 })).toBeNull();
  });

  it('never makes a group a part of itself or of its contents', () => {
    expect(drop(['shop'], { x: 420, y: 120 })).toBeNull();
    expect(drop(['data'], { x: 420, y: 120 })).toBeNull();
  });

  it('beyond a margin around their group takes them out of it, closer does not', () => {
    const bottom = 100 + 64 + 20 + 20;
    expect(drop(['web'], { x: 150, y: bottom + LEAVE_DISTANCE - 1 })).toBeNull();
    expect(drop(['web'], { x: 150, y: bottom + LEAVE_DISTANCE + 1 })).toEqual({ ids: ['web'], target: null });
    // The inner group also has a margin where it is surrounded by the outer group.
    expect(drop(['db'], { x: 400 - 20 - LEAVE_DISTANCE + 1, y: 120 })).toBeNull();
    expect(drop(['db'], { x: 400 - 20 - LEAVE_DISTANCE - 1, y: 120 })).toEqual({
      ids: ['db'],
      target: 'shop',
    });
  });
});
