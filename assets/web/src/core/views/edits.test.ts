import { describe, expect, it } from 'vitest';
import { inOrder } from '../sync/viewRows';
import { lastPosition, movedPositions, newViewId, POSITION_STEP } from './edits';

const rows = (...positions: number[]) =>
  positions.map((position, at) => ({ id: 'abcdef'.charAt(at), position }));

/** The order after the move. */
function moved(all: { id: string; position: number }[], id: string, index: number): string {
  const positions = movedPositions(all, id, index);
  const next = all.map((row) => ({ ...row, position: positions.get(row.id) ?? row.position }));
  return inOrder(next)
    .map((row) => row.id)
    .join('');
}

describe('the order of views', () => {
  it('changes by one position if there is room', () => {
    expect(moved(rows(10, 20, 30), 'c', 0)).toBe('cab');
    expect(moved(rows(10, 20, 30), 'c', 1)).toBe('acb');
    expect(moved(rows(10, 20, 30), 'a', 2)).toBe('bca');
    expect(movedPositions(rows(10, 20, 30), 'c', 1).size).toBe(1);
  });

  it('is numbered again if there is no room', () => {
    expect(moved(rows(1, 2, 3), 'c', 1)).toBe('acb');
    expect(movedPositions(rows(1, 2, 3), 'c', 1).size).toBe(3);
    expect(moved(rows(5, 5, 5), 'c', 1)).toBe('acb');
  });

  it('stays the same for a move to the same place', () => {
    expect(movedPositions(rows(1, 2, 3), 'b', 1).size).toBe(0);
    expect(moved(rows(1, 2, 3), 'b', 99)).toBe('acb');
    expect(moved(rows(1, 2, 3), 'b', -5)).toBe('bac');
  });

  it('begins anywhere and ends with new views', () => {
    expect(lastPosition([])).toBe(POSITION_STEP);
    expect(lastPosition(rows(-9, 7))).toBe(7 + POSITION_STEP);
  });
});

it('IDs of views are neither taken nor reserved', () => {
  expect(newViewId('Payments: Überblick', () => false)).toBe('payments-uberblick');
  expect(newViewId('All', () => false)).toBe('all-2');
  expect(newViewId('Personal', (id) => id === 'personal-2')).toBe('personal-3');
  expect(newViewId('图', () => false)).toBe('view');
});
