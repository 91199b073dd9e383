import { describe, expect, it } from 'vitest';
import type { Bundle, Change, Component, Relationship } from '@/api/generated';
import { applyChange, applyChanges, isOwnAccess, withHolderNames } from './applyChanges';
import { merge } from './merge';
import type { Operation } from './operation';
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
import { type Rows, toRows } from './rows';

const stamps = {
  createdAt: 0,
  updatedAt: 0,
  createdBy: 1,
  updatedBy: 1,
  workspaceId: 'shop',
  properties: {},
};

function shop(): Rows {
  const workspace = {
    ...stamps,
    id: 'shop',
    name: 'Shop',
    revision: 7,
    ownerUserId: 1,
    orgId: 'o',
    visibility: 'org',
    myRole: 'editor',
  };
  const component = (id: string) => ({ ...stamps, id, typeId: 'service', name: id, x: 0, y: 0, revision: 3 });
  const relationship = {
    ...stamps,
    id: 'web--calls--api',
    sourceId: 'web',
    targetId: 'api',
    typeId: 'calls',
    revision: 4,
  };
  return toRows({
    workspace,
    components: [component('web'), component('api')],
    relationships: [relationship],
    stakeholders: [],
    processes: [],
    places: { components: [10, 20], relationships: [10], processes: [] },
  } as unknown as Bundle);
}

function pending(id: string, ...operations: Operation[]): Edit {
  return { id, key: `key-${id}`, label: id, operations, state: 'waiting', at: 0 };
}

/** The server's answer to an edit that wrote these components in this revision. */
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

/** A workspace with three components on which nothing hangs, and how often its relationships were gone through. */
function counting(): { rows: Rows; passes: () => number } {
  const rows = shop();
  const web = rows.component.get('web') as Component;
  let passes = 0;
  class Counted<K, V> extends Map<K, V> {
    override [Symbol.iterator]() {
      passes += 1;
      return super[Symbol.iterator]();
    }
  }
  const component = new Map(rows.component);
  for (const id of ['a', 'b', 'c']) component.set(id, { ...web, id });
  const relationship = new Counted<string, Relationship>();
  for (const [id, row] of rows.relationship) relationship.set(id, row);
  return { rows: { ...rows, component, relationship }, passes: () => passes };
}

describe('what is on its way', () => {
  it('is shown over what the server has told', () => {
    const rows = applyQueue(shop(), [
      pending('1', rename('Shop window')),
      pending('2', { op: 'move', moves: [{ id: 'api', x: 5, y: 6 }] }),
    ]);
    expect(rows.component.get('web')?.name).toBe('Shop window');
    expect(rows.component.get('api')).toMatchObject({ x: 5, y: 6 });
  });

  it('takes what hangs on a deleted component with it', () => {
    const rows = applyQueue(shop(), [
      pending('1', { op: 'delete', kind: 'component', id: 'web', base: 3, fields: {} }),
    ]);
    expect([...rows.component.keys()]).toEqual(['api']);
    expect(rows.relationship.size).toBe(0);
  });

  it('looks once for what hangs on components, however many are deleted', () => {
    const { rows, passes } = counting();
    const left = applyQueue(
      rows,
      ['a', 'b', 'c'].map((id) => pending(id, { op: 'delete', kind: 'component', id, base: 3, fields: {} })),
    );
    expect([...left.component.keys()]).toEqual(['web', 'api']);
    expect(left.relationship.size).toBe(1);
    expect(passes()).toBe(1);
  });

  it('keeps what hangs on a component that was made anew by the id of one that is gone', () => {
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

  it('is shown in one copy however much it is, and leaves what was told alone', () => {
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

  it('stays shown until the server has told of it', () => {
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

  it('is forgotten once saved when the server was restored to another incarnation', () => {
    const [edit] = markSaved([pending('1', rename('Shop window'))], '1', answer(8, 'web'));
    const queue = edit ? [{ ...edit, incarnation: 'before' }] : [];
    expect(dropSettled(queue, { ...shop(), incarnation: 'before' })).toHaveLength(1);
    expect(dropSettled(queue, { ...shop(), incarnation: 'after' })).toHaveLength(0);
  });

  it('is done with at once when the server’s account came before its answer', () => {
    const serverRows = { ...shop(), revision: 10 };
    expect(
      dropSettled(markSaved([pending('1', rename('Window'))], '1', answer(9, 'web')), serverRows),
    ).toHaveLength(0);
  });

  it('stays until all rows of a move are told, so that none jumps back', () => {
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

  it('lets a deletion go when somebody has brought the row back', () => {
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

  it('gives the next edit the revision that the last one has made, before the server tells of it', () => {
    const queue = markSaved([pending('1', rename('Window'))], '1', answer(8, 'web'));
    expect(applyQueue(shop(), queue).component.get('web')?.revision).toBe(8);
  });

  it('is sent in order, and not past what failed on the same row', () => {
    const queue = [
      pending('1', rename('A')),
      pending('2', rename('B')),
      pending('3', { op: 'move', moves: [{ id: 'api', x: 1, y: 1 }] }),
    ];
    expect(nextEdit(queue)?.id).toBe('1');
    expect(nextEdit(updateEdit(queue, '1', { state: 'sending' }))).toBeUndefined();
    expect(nextEdit(updateEdit(queue, '1', { state: 'refused' }))?.id).toBe('3');
  });

  it('is meant for the revision that the write before it has made', () => {
    const queue = markSaved([pending('1', rename('A')), pending('2', rename('B'))], '1', answer(9, 'web'));
    const second = queue[1];
    expect(second && requestFor('shop', second).body).toMatchObject({ operations: [{ revision: 9 }] });
  });
});

describe('a row that was only moved', () => {
  it('is not taken for known: what others wrote unseen is compared with the next edit', () => {
    const move: Operation = { op: 'move', moves: [{ id: 'web', x: 9, y: 9 }] };
    const queue = markSaved([pending('1', move), pending('2', rename('B'))], '1', answer(9, 'web'));
    expect(queue[1]?.operations[0]).toMatchObject({ base: 3 });
    expect(applyQueue(shop(), queue.slice(0, 1)).component.get('web')?.revision).toBe(3);
  });
});

describe('what the server tells', () => {
  const change = {
    id: 1,
    batch: 'b',
    changeSetId: 's',
    actor: null,
    via: 'rest',
    ts: 0,
    op: 'update',
    entity: 'component',
    entityId: 'web',
    revision: 8,
  };

  it('becomes part of the rows', () => {
    const rows = applyChange(shop(), {
      ...change,
      row: { ...shop().component.get('web'), name: 'Window', revision: 8 },
    });
    expect(rows.component.get('web')?.name).toBe('Window');
    expect(rows.revision).toBe(8);
    expect(rows.workspace.myRole).toBe('editor');
  });

  it('takes rows away', () => {
    expect(applyChange(shop(), { ...change, op: 'delete', row: null }).component.has('web')).toBe(false);
  });

  it('comes many at a time, and leaves what was there as it was', () => {
    const rows = shop();
    const next = applyChanges(rows, [
      { ...change, row: { ...rows.component.get('web'), name: 'Window', revision: 8 } },
      { ...change, entityId: 'api', op: 'delete', row: null, revision: 9 },
    ]);
    expect(next.component.get('web')?.name).toBe('Window');
    expect([...next.component.keys()]).toEqual(['web']);
    expect(next.relationship.size).toBe(0);
    expect(next.revision).toBe(9);
    expect(rows.component.size).toBe(2);
    expect(rows.relationship.size).toBe(1);
  });

  it('looks once for what hangs on components that went one after another', () => {
    const { rows, passes } = counting();
    const gone = ['a', 'b', 'c'].map(
      (entityId, at): Change => ({ ...change, entityId, op: 'delete', row: null, revision: 8 + at }),
    );
    const next = applyChanges(rows, gone);
    expect([...next.component.keys()]).toEqual(['web', 'api']);
    expect(next.relationship.size).toBe(1);
    expect(passes()).toBe(1);
  });

  it('is known already when it is older', () => {
    const rows = shop();
    expect(applyChange(rows, { ...change, revision: 6, row: null })).toBe(rows);
  });
});

describe('a row that comes back', () => {
  const change = {
    id: 1,
    batch: 'b',
    changeSetId: 's',
    actor: null,
    via: 'rest',
    ts: 0,
    entity: 'component',
  };
  const gone = { ...change, op: 'delete', entityId: 'web', revision: 8, row: null };
  const row = shop().component.get('web');
  const back = { ...change, op: 'create', entityId: 'web', revision: 9, seq: 10, row: { ...row } };
  const order = (rows: Rows) => [...rows.component.keys()];

  it('stands where it was, whether it comes at once or later', () => {
    expect(order(applyChanges(shop(), [gone, back]))).toEqual(['web', 'api']);
    expect(order(applyChange(applyChange(shop(), gone), back))).toEqual(['web', 'api']);
  });

  it('stands where it is told to stand now, and where two share a place the smaller id is first', () => {
    expect(order(applyChange(shop(), { ...back, op: 'update', seq: 30 }))).toEqual(['api', 'web']);
    expect(order(applyChanges(shop(), [gone, { ...back, seq: 20 }]))).toEqual(['api', 'web']);
    const copy = { ...back, entityId: 'a', row: { ...row, id: 'a' } };
    expect(order(applyChange(shop(), copy))).toEqual(['a', 'web', 'api']);
  });

  it('leaves what a queue adds at the end', () => {
    const rows = applyQueue(applyChange(shop(), gone), [
      pending('1', { op: 'create', kind: 'component', id: 'new', fields: { name: 'New' } }),
    ]);
    expect(order(rows)).toEqual(['api', 'new']);
  });

  it('is a stakeholder by its number', () => {
    const link = {
      ...stamps,
      componentId: 'web',
      personId: 'ada',
      teamId: null,
      linkType: 'owner',
      revision: 9,
    };
    const attached = ['9', '4', '12'].map((id) => ({
      ...change,
      entity: 'stakeholder',
      op: 'create',
      entityId: id,
      revision: 9,
      row: { ...link, id: Number(id) },
    }));
    expect([...applyChanges(shop(), attached).stakeholder.keys()]).toEqual(['4', '9', '12']);
  });
});

describe('whom a change attaches', () => {
  const row = {
    ...stamps,
    id: 4,
    componentId: 'web',
    personId: 'grace',
    teamId: null,
    linkType: 'owner',
    revision: 8,
  };
  const change = {
    id: 1,
    batch: 'b',
    changeSetId: 's',
    actor: null,
    via: 'rest',
    ts: 0,
    op: 'create',
    revision: 8,
  };

  it('is known by id, and by name once the directory is read', () => {
    const rows = applyChange(shop(), { ...change, entity: 'stakeholder', entityId: '4', row });
    expect(rows.stakeholder.get('4')?.person).toMatchObject({ id: 'grace', name: 'grace' });
    const after = withHolderNames(rows, [{ id: 'grace', name: 'Grace Hopper' }], []);
    expect(after.stakeholder.get('4')?.person).toMatchObject({ id: 'grace', name: 'Grace Hopper' });
  });
});

describe('a change of members', () => {
  const removed = (entityId: string): Change => ({
    id: 1,
    batch: 'b',
    changeSetId: 's',
    actor: null,
    via: 'rest',
    ts: 0,
    revision: 8,
    entity: 'member',
    entityId,
    op: 'delete',
    row: null,
  });

  it('is about the user whose number it is, and not about those whose number is part of it', () => {
    expect(['1', '12', '21', '31'].map((id) => isOwnAccess(removed(id), 1))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(isOwnAccess({ ...removed('1'), op: 'update', row: { userId: 12 } }, 1)).toBe(false);
    expect(isOwnAccess({ ...removed('1'), entity: 'stakeholder' }, 1)).toBe(false);
  });
});

describe('two who change the same row', () => {
  it('do not meet when they change other fields', () => {
    const merged = merge({ name: 'web' }, { name: 'Web' }, { name: 'web', description: 'new' });
    expect(merged).toEqual({ fields: { name: 'Web' }, clashes: [] });
  });

  it('meet in the same field', () => {
    const { clashes } = merge({ name: 'web' }, { name: 'Web' }, { name: 'Window' });
    expect(clashes).toEqual([{ field: 'name', mine: 'Web', theirs: 'Window' }]);
  });

  it('change properties key by key', () => {
    const before = { properties: { lifecycle: 'live', tier: 1, old: true } };
    const mine = { properties: { lifecycle: 'retired', tier: 1 } };
    const merged = merge(before, mine, { properties: { lifecycle: 'live', tier: 2, old: true } });
    expect(merged).toEqual({ fields: { properties: { lifecycle: 'retired', tier: 2 } }, clashes: [] });
  });
});
