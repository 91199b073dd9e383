import { describe, expect, it } from 'vitest';
import type { Change, Note } from '@/api/generated';
import { describeChangeSet, groupChangeSets } from '../history/changeSets';
import { updateOperation } from '../model/edits';
import { applyChanges } from '../sync/applyChanges';
import { describeOperation } from '../sync/describe';
import type { Operation } from '../sync/operation';
import { applyQueue, type Edit } from '../sync/queue';
import { rebase } from '../sync/rejection';
import { requestFor } from '../sync/request';
import { metadata, shop } from '../sync/rowsTesting';

const note = {
  ...metadata,
  id: 'n',
  kind: 'note',
  text: '# Plan',
  color: null,
  x: 0,
  y: 0,
  width: 200,
  height: 120,
  layer: 0,
  revision: 9,
} as unknown as Note;

const rows = { ...shop(), note: new Map([['n', note]]) };

function edit(...operations: Operation[]): Edit {
  return { id: 'e', key: 'k', label: 'Edit', operations, state: 'waiting', at: 0 };
}

const create: Operation = {
  op: 'create',
  kind: 'note',
  id: 'new',
  fields: { kind: 'frame', text: '', x: 1, y: 2 },
};

describe('edits of notes', () => {
  it('are shown at once and sent as operations', () => {
    const [text] = updateOperation('note', 'n', note, { text: 'New' });
    const shown = applyQueue(rows, [edit(create, text as Operation)]);
    expect(shown.note.get('new')).toMatchObject({ kind: 'frame', x: 1, layer: 0, revision: 0 });
    expect(shown.note.get('n')?.text).toBe('New');
    expect(requestFor('shop', edit(create, text as Operation)).body).toEqual({
      operations: [
        { op: 'create', kind: 'note', row: { id: 'new', kind: 'frame', text: '', x: 1, y: 2 } },
        { op: 'update', kind: 'note', id: 'n', fields: { text: 'New' }, revision: 9 },
      ],
    });
  });

  it('expect no revision if they only move a note, so that the last move wins', () => {
    const [move] = updateOperation('note', 'n', { ...note, revision: 0 }, { x: 40, y: 0 });
    expect(requestFor('shop', edit(move as Operation)).body).toEqual({
      operations: [{ op: 'update', kind: 'note', id: 'n', fields: { x: 40 } }],
    });
  });

  it('merge with a move by another user, and conflict only if the content has changed', () => {
    const deletion: Operation = {
      op: 'delete',
      kind: 'note',
      id: 'n',
      base: 9,
      fields: { kind: 'note', text: '# Plan', color: null },
    };
    const against = (current: object) =>
      rebase({ operations: [deletion] }, [{ index: 0, kind: 'note', id: 'n', why: 'stale', current }]);
    expect(against({ ...note, x: 500, revision: 12 })).toMatchObject({
      conflicts: [],
      operations: [{ base: 12 }],
    });
    expect(against({ ...note, text: 'Other', revision: 12 }).conflicts).toHaveLength(1);
  });

  it('are described by kind and text', () => {
    expect(describeOperation(create, rows)).toBe('Add frame');
    const [size] = updateOperation('note', 'n', note, { width: 300, height: 200 });
    expect(describeOperation(size as Operation, rows)).toBe('Change size of note “Plan”');
    const change = {
      entity: 'note',
      entityId: 'n',
      op: 'update',
      row: note,
      before: note,
      fields: ['x', 'y'],
    };
    const stamps = {
      changeSetId: 's',
      actor: { id: 1, displayName: 'Ada' },
      via: 'web',
      ts: 0,
      revision: 10,
      undoOf: undefined,
    };
    const [group] = groupChangeSets([{ ...change, ...stamps } as never]);
    expect(group && describeChangeSet(group)).toBe('moved note “Plan”');
  });
});

describe('changes of notes by others', () => {
  it('are applied in the order of the server', () => {
    const change = (id: string, seq: number, row: object | null): Change =>
      ({
        entity: 'note',
        entityId: id,
        seq,
        row,
        revision: 20 + seq,
        ts: 0,
        actor: null,
      }) as unknown as Change;
    const second = applyChanges(rows, [change('b', 4, { ...note, id: 'b' })]);
    const first = applyChanges(
      second,
      [change('a', 2, { ...note, id: 'a' })].map((one) => ({ ...one, revision: 30 })),
    );
    expect([...first.note.keys()].slice(0, 2)).toEqual(['a', 'b']);
    const gone = applyChanges(first, [{ ...change('a', 2, null), revision: 31 }]);
    expect(gone.note.has('a')).toBe(false);
  });
});
