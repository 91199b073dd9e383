import { describe, expect, it } from 'vitest';
import type { Component } from '@/api/generated';
import { occupiedArea, resizedRect } from './resize';
import { buildScene, EMPTY_GROUP_SIZE, MIN_GROUP_SIZE, nodeRects } from './scene';
import { testRows } from './testing';

/** A map with the group `g`, its part `a` and the component `b`. */
function map(group: Partial<Component>, parts: readonly string[] = ['a']) {
  const rows = testRows(
    [
      ['g', 0, 0],
      ['a', 100, 100],
      ['b', 900, 0],
    ],
    parts.map((part) => ['g', 'contains', part]),
  );
  const component = new Map(rows.component);
  component.set('g', { ...component.get('g'), typeId: 'group', ...group } as Component);
  return buildScene({ ...rows, component }, new Set());
}

const around = { x: 80, y: 40, width: 220, height: 144 };

describe('groups', () => {
  it('are frames with a size even if they are empty', () => {
    expect(nodeRects(map({}, []))[0]).toEqual({ x: 0, y: 0, ...EMPTY_GROUP_SIZE });
    expect(nodeRects(map({ width: 400, height: 300 }, []))[0]).toEqual({
      x: 0,
      y: 0,
      width: 400,
      height: 300,
    });
  });

  it('surround their parts and the area of their own size', () => {
    expect(nodeRects(map({}))[0]).toEqual(around);
    expect(nodeRects(map({ width: 600, height: 120 }))[0]).toEqual({ x: 0, y: 0, width: 600, height: 184 });
  });

  it('do not surround parts that are being dragged out', () => {
    const scene = map({ width: 400, height: 300 });
    const moved = new Map([['a', { x: 2000, y: 0 }]]);
    expect(nodeRects(scene, moved)[0]?.width).toBe(2000 + 180 + 20);
    expect(nodeRects(scene, moved, undefined, new Set(['a']))[0]?.width).toBe(400);
  });
});

describe('resizing', () => {
  const rect = { x: 0, y: 0, width: 400, height: 300 };

  it('moves the edges of the handle to the grid', () => {
    expect(resizedRect(rect, null, { x: 1, y: 1 }, { x: 51, y: -49 })).toEqual({
      ...rect,
      width: 460,
      height: 260,
    });
    expect(resizedRect(rect, null, { x: -1, y: 0 }, { x: -33, y: 50 }, true)).toEqual({
      ...rect,
      x: -33,
      width: 433,
    });
  });

  it('keeps a minimum size, and keeps the parts inside', () => {
    expect(resizedRect(rect, null, { x: 1, y: 1 }, { x: -900, y: -900 })).toEqual({
      x: 0,
      y: 0,
      ...MIN_GROUP_SIZE,
    });
    const scene = map({ width: 400, height: 300 });
    const occupied = occupiedArea(scene, nodeRects(scene), 'g');
    expect(occupied).toEqual(around);
    expect(resizedRect(rect, occupied, { x: 1, y: 1 }, { x: -900, y: -900 })).toEqual({
      ...rect,
      width: 300,
      height: 184,
    });
    expect(resizedRect(rect, occupied, { x: -1, y: -1 }, { x: 900, y: 900 })).toEqual({
      x: 80,
      y: 40,
      width: 320,
      height: 260,
    });
  });
});
