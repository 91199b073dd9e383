import { describe, expect, it } from 'vitest';
import { compactOperations, type Operation } from './operation';
import {
  applyQueue,
  dropSettled,
  type Edit,
  markSaved,
  nextEdit,
  type SaveResult,
  updateEdit,
} from './queue';
import { requestFor } from './request';

import { countingRows, shop } from './rowsTesting';

function pending(id: string, ...operations: Operation[]): Edit {
  return { id, key: `key-${id}`, label: id, operations, state: 'waiting', at: 0 };
}

/** The server's response to an edit that wrote these components in this revision. */
function answer(revision: number, ...components: string[]): SaveResult {
  return {
    changeSetId: `set ${revision}`,
    revision,
    written: Object.fromEntries(components.map((id) => [`component/${id}`, revision])),
    refs: {},
  };
}

const rename = (name: string, base = 3): Operation => ({
  op: 'update',
  kind: 'component',
  id: 'web',
  fields: { name },
  before: { name: 'web' },
  base,
});

describe('unsaved edits', () => {
  it('are applied on top of the saved rows', () => {
    const rows = applyQueue(shop(), [
      pending('1', rename('Shop window')),
      pending('2', { op: 'move', moves: [{ id: 'api', x: 5, y: 6 }] }),
    ]);
    expect(rows.component.get('web')?.name).toBe('Shop window');
    expect(rows.component.get('api')).toMatchObject({ x: 5, y: 6 });
  });

  it('show a component without a position at its expected place, which is not sent', () => {
    const create: Operation = {
      op: 'create',
      kind: 'component',
      id: 'new',
      fields: { typeId: 'service', name: 'New' },
      place: { x: 40, y: 60 },
    };
    const edit = pending('1', create);
    expect(applyQueue(shop(), [edit]).component.get('new')).toMatchObject({ x: 40, y: 60, name: 'New' });
    expect(requestFor('shop', edit).body).toEqual({
      operations: [{ op: 'create', kind: 'component', row: { id: 'new', typeId: 'service', name: 'New' } }],
    });
    const moved: Operation = {
      op: 'update',
      kind: 'component',
      id: 'new',
      fields: { x: 500, y: 80 },
      before: { x: 40, y: 60 },
      base: 0,
    };
    const chosen = pending('1', ...compactOperations([create, moved]));
    expect(applyQueue(shop(), [chosen]).component.get('new')).toMatchObject({ x: 500, y: 80 });
    expect(requestFor('shop', chosen).body).toMatchObject({ operations: [{ row: { x: 500, y: 80 } }] });
  });

  it('delete the relationships of a deleted component', () => {
    const rows = applyQueue(shop(), [
      pending('1', { op: 'delete', kind: 'component', id: 'web', base: 3, fields: {} }),
    ]);
    expect([...rows.component.keys()]).toEqual(['api']);
    expect(rows.relationship.size).toBe(0);
  });

  it('scan the relationships once, however many components are deleted', () => {
    const { rows, passes } = countingRows();
    const left = applyQueue(
      rows,
      ['a', 'b', 'c'].map((id) => pending(id, { op: 'delete', kind: 'component', id, base: 3, fields: {} })),
    );
    expect([...left.component.keys()]).toEqual(['web', 'api']);
    expect(left.relationship.size).toBe(1);
    expect(passes()).toBe(1);
  });

  it('keep the relationships of a component that was recreated with the same ID', () => {
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'uses' };
    const rows = applyQueue(shop(), [
      pending('1', { op: 'delete', kind: 'component', id: 'web', base: 3, fields: {} }),
      pending('2', {
        op: 'create',
        kind: 'component',
        id: 'web',
        fields: { typeId: 'service', name: 'New' },
      }),
      pending('3', { op: 'create', kind: 'relationship', id: 'new', fields }),
    ]);
    expect([...rows.component.keys()]).toEqual(['api', 'web']);
    expect([...rows.relationship.keys()]).toEqual(['new']);
  });

  it('are applied to one copy, and leave the saved rows unchanged', () => {
    const serverRows = shop();
    const queue = [
      pending('1', rename('Shop window')),
      pending('2', { op: 'delete', kind: 'component', id: 'api', base: 3, fields: {} }),
      { ...pending('3', rename('Window', 5)), state: 'saved' as const, written: { 'component/web': 9 } },
    ];
    const rows = applyQueue(serverRows, queue);
    expect(rows.component.get('web')).toMatchObject({ name: 'Window', revision: 9 });
    expect([...rows.component.keys()]).toEqual(['web']);
    expect([...serverRows.component.values()].map(({ name }) => name)).toEqual(['web', 'api']);
    expect(serverRows.relationship.size).toBe(1);
    expect(applyQueue(serverRows, [])).toBe(serverRows);
  });

  it('are shown until the server reports them', () => {
    const serverRows = shop();
    const queue = markSaved([pending('1', rename('Shop window'))], '1', answer(8, 'web'));
    expect(dropSettled(queue, serverRows)).toHaveLength(1);
    expect(dropSettled(queue, { ...serverRows, revision: 8 })).toHaveLength(1);
    const component = new Map(serverRows.component).set('web', {
      ...serverRows.component.get('web'),
      revision: 8,
    } as never);
    expect(dropSettled(queue, { ...serverRows, component, revision: 8 })).toHaveLength(0);
    expect(dropSettled(queue, { ...serverRows, revision: 9 })).toHaveLength(0);
  });

  it('are dropped once saved if the server was restored from a backup', () => {
    const [edit] = markSaved([pending('1', rename('Shop window'))], '1', answer(8, 'web'));
    const queue = edit ? [{ ...edit, incarnation: 'before' }] : [];
    expect(dropSettled(queue, { ...shop(), incarnation: 'before' })).toHaveLength(1);
    expect(dropSettled(queue, { ...shop(), incarnation: 'after' })).toHaveLength(0);
  });

  it('are settled at once if the event arrives before the response', () => {
    const serverRows = { ...shop(), revision: 10 };
    expect(
      dropSettled(markSaved([pending('1', rename('Window'))], '1', answer(9, 'web')), serverRows),
    ).toHaveLength(0);
  });

  it('stay until all rows of a move are reported, so that no row jumps back', () => {
    const moves = ['web', 'api'].map((id) => ({ id, x: 9, y: 9 }));
    const queue = markSaved([pending('1', { op: 'move', moves })], '1', answer(8, 'web', 'api'));
    const [web, api] = ['web', 'api'].map((id) => ({ ...shop().component.get(id), x: 9, y: 9, revision: 8 }));
    const serverRows = (...rows: unknown[]) => {
      const component = new Map(shop().component);
      for (const row of rows) component.set((row as { id: string }).id, row as never);
      return { ...shop(), component, revision: 8 };
    };
    expect(dropSettled(queue, serverRows(web))).toHaveLength(1);
    expect(dropSettled(queue, serverRows(web, api))).toHaveLength(0);
  });

  it('drop a deletion if another user restored the row', () => {
    const queue = markSaved(
      [pending('1', { op: 'delete', kind: 'component', id: 'web', base: 3, fields: {} })],
      '1',
      answer(8),
    );
    const web = { ...shop().component.get('web'), revision: 9 } as never;
    expect(dropSettled(queue, shop())).toHaveLength(1);
    const back = { ...shop(), component: new Map(shop().component).set('web', web), revision: 9 };
    expect(dropSettled(queue, back)).toHaveLength(0);
  });

  it('pass the new revision to the next edit before the event arrives', () => {
    const queue = markSaved([pending('1', rename('Window'))], '1', answer(8, 'web'));
    expect(applyQueue(shop(), queue).component.get('web')?.revision).toBe(8);
  });

  it('are sent in order, except for edits of the same row as a failed edit', () => {
    const queue = [
      pending('1', rename('A')),
      pending('2', rename('B')),
      pending('3', { op: 'move', moves: [{ id: 'api', x: 1, y: 1 }] }),
    ];
    expect(nextEdit(queue)?.id).toBe('1');
    expect(nextEdit(updateEdit(queue, '1', { state: 'sending' }))).toBeUndefined();
    expect(nextEdit(updateEdit(queue, '1', { state: 'refused' }))?.id).toBe('3');
  });

  it('expect the revision of the previous write', () => {
    const queue = markSaved([pending('1', rename('A')), pending('2', rename('B'))], '1', answer(9, 'web'));
    const second = queue[1];
    expect(second && requestFor('shop', second).body).toMatchObject({ operations: [{ revision: 9 }] });
  });
});

describe('a row that was only moved', () => {
  it('does not count as read: the next edit is compared with unread changes', () => {
    const move: Operation = { op: 'move', moves: [{ id: 'web', x: 9, y: 9 }] };
    const queue = markSaved([pending('1', move), pending('2', rename('B'))], '1', answer(9, 'web'));
    expect(queue[1]?.operations[0]).toMatchObject({ base: 3 });
    expect(applyQueue(shop(), queue.slice(0, 1)).component.get('web')?.revision).toBe(3);
  });
});
