/** The row to show for an edit. */
import { expect, it } from 'vitest';
import { editTarget } from './editTarget';
import type { Operation } from './operation';

const move: Operation = { op: 'move', moves: [{ id: 'a', x: 1, y: 2 }] };
const rename: Operation = {
  op: 'update',
  kind: 'component',
  id: 'b',
  fields: { name: 'B' },
  before: { name: 'b' },
  base: 1,
};

it('is the first row that has a place on a screen', () => {
  const owner: Operation = { op: 'create', kind: 'stakeholder', id: 's', fields: { componentId: 'c' } };
  const role: Operation = {
    op: 'update',
    kind: 'stakeholder',
    id: 's',
    fields: { roleId: 'owner' },
    before: {},
    base: 1,
  };
  const workspace: Operation = { op: 'workspace', fields: { name: 'W' }, before: { name: 'V' } };
  const process: Operation = { op: 'delete', kind: 'process', id: 'p', base: 1, fields: {} };
  expect(editTarget([rename, move])).toEqual({ kind: 'component', id: 'b', isMove: false });
  expect(editTarget([owner])).toEqual({ kind: 'component', id: 'c', isMove: false });
  expect(editTarget([role, workspace, process])).toEqual({ kind: 'process', id: 'p', isMove: false });
  expect(editTarget([workspace])).toBeUndefined();
});

it('is a move if nothing else changes', () => {
  expect(editTarget([move])).toEqual({ kind: 'component', id: 'a', isMove: true });
  expect(editTarget([move, rename])?.isMove).toBe(false);
});
