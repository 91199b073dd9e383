// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Note } from '@/api/generated';
import { sample } from '@/core/model/testing';
import { applyOperation, type Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { setServerRows } from '@/workspace/store';
import { setSelection } from '../state/view';
import { align, distribute } from './alignment';

const saved = vi.hoisted(() => ({ operations: [] as unknown[] }));

vi.mock('@/workspace/store', async (original) => ({
  ...(await original<object>()),
  edit: (_label: string, operations: readonly unknown[]) => saved.operations.push(...operations),
}));

type Placed = { id: string; x: number; width?: number };

/** The map, whose components have the usual width of 180. */
let rows: Rows;

function open(
  notes: readonly (Placed & { kind?: 'frame' })[],
  components: readonly Placed[] = [],
  contains: readonly (readonly [string, 'contains', string])[] = [],
): void {
  const map = sample({ components: components.map((one) => ({ y: 100, ...one })), relationships: contains });
  const note = new Map(
    notes.map(({ kind = 'note', ...place }) => [
      place.id,
      { revision: 1, layer: 0, y: 0, height: 400, ...place, kind } as unknown as Note,
    ]),
  );
  rows = { ...map, note };
  setServerRows(rows);
  setSelection(
    components.map(({ id }) => id),
    [],
    notes.map(({ id }) => id),
  );
}

/** The horizontal positions after the edit. */
function positionsAfter(): Record<string, number> {
  const { component, note } = (saved.operations as Operation[]).reduce(
    (all, operation) => applyOperation(all, operation),
    rows,
  );
  return Object.fromEntries([...component.values(), ...note.values()].map(({ id, x }) => [id, x]));
}

const frame = (id: string, x: number, width: number) => ({ id, x, width, kind: 'frame' as const });
const note = (id: string, x: number) => ({ id, x, width: 100 });

beforeEach(() => {
  saved.operations = [];
});

describe('distributing', () => {
  it('equalizes the gaps inside a frame that is selected too, which stays in place', () => {
    open([frame('f', 0, 1000), note('a', 100), note('b', 300), note('c', 700)]);
    distribute('x');
    expect(positionsAfter()).toEqual({ f: 0, a: 100, b: 400, c: 700 });
  });

  it('equalizes the gaps between components inside nested frames', () => {
    open(
      [frame('f', 0, 1200), frame('inner', 20, 1100)],
      [
        { id: 'a', x: 100 },
        { id: 'b', x: 300 },
        { id: 'c', x: 700 },
      ],
    );
    distribute('x');
    expect(positionsAfter()).toEqual({ f: 0, inner: 20, a: 100, b: 400, c: 700 });
  });

  it('moves a frame beside the others with its contents', () => {
    open([frame('f', 0, 1000), note('a', 50), frame('inner', 200, 200), note('part', 250), note('c', 700)]);
    distribute('x');
    expect(positionsAfter()).toEqual({ f: 0, a: 50, inner: 325, part: 375, c: 700 });
  });
});

describe('aligning', () => {
  it('keeps a selected item in place that is aligned already, although a frame around it moves', () => {
    open([frame('f', 0, 1000), frame('inner', 400, 400), note('a', 450)]);
    align('center');
    expect(positionsAfter()).toEqual({ f: 0, inner: 300, a: 450 });
  });

  it('writes nothing to items that stay in place', () => {
    open([frame('f', 0.5, 1000), frame('inner', 400.5, 400), note('a', 450.5)]);
    align('center');
    expect(saved.operations).toMatchObject([{ op: 'update', kind: 'note', id: 'inner' }]);
  });

  it('keeps an aligned group in place, with its parts', () => {
    open(
      [frame('f', 0, 1000), frame('inner', 300, 500)],
      [
        { id: 'group', x: 390 },
        { id: 'part', x: 410 },
      ],
      [['group', 'contains', 'part']],
    );
    setSelection(['group'], [], ['f', 'inner']);
    align('center');
    expect(positionsAfter()).toEqual({ f: 0, inner: 250, group: 390, part: 410 });
  });

  it('takes along what is inside a frame and not selected', () => {
    open([frame('f', 0, 1000), frame('inner', 400, 400), note('a', 450), note('b', 600)]);
    setSelection([], [], ['f', 'inner', 'a']);
    align('center');
    expect(positionsAfter()).toEqual({ f: 0, inner: 300, a: 450, b: 500 });
  });

  it('keeps an aligned frame in place with its contents, although the frame around it moves', () => {
    open([frame('f', 0, 1000), frame('outer', 300, 600), frame('inner', 400, 200), note('a', 420)]);
    setSelection([], [], ['f', 'outer', 'inner']);
    align('center');
    expect(positionsAfter()).toEqual({ f: 0, outer: 200, inner: 400, a: 420 });
  });
});
