import { describe, expect, it } from 'vitest';
import type { Change } from '@/api/generated';
import { applyChange, applyChanges, isOwnAccess, withHolderNames } from './applyChanges';
import { merge } from './merge';
import type { Operation } from './operation';
import { applyQueue, type Edit } from './queue';
import type { Rows } from './rows';
import { countingRows, metadata, shop } from './rowsTesting';

const CHANGE = { id: 1, batch: 'b', changeSetId: 's', actor: null, via: 'rest', ts: 0 };

function pending(id: string, ...operations: Operation[]): Edit {
  return { id, key: `key-${id}`, label: id, operations, state: 'waiting', at: 0 };
}

describe('changes from the server', () => {
  const change = {
    ...CHANGE,
    op: 'update',
    entity: 'component',
    entityId: 'web',
    revision: 8,
  };

  it('update the rows', () => {
    const rows = applyChange(shop(), {
      ...change,
      row: { ...shop().component.get('web'), name: 'Window', revision: 8 },
    });
    expect(rows.component.get('web')?.name).toBe('Window');
    expect(rows.revision).toBe(8);
    expect(rows.workspace.myRole).toBe('editor');
  });

  it('record who last updated the workspace, and when', () => {
    const actor = { id: 7, displayName: 'Grace Hopper' };
    const rows = applyChange(shop(), { ...change, op: 'delete', row: null, ts: 1_234, actor });
    expect(rows.workspace).toMatchObject({ updatedAt: 1_234, updatedBy: 7, revision: 8 });
  });

  it('delete rows', () => {
    expect(applyChange(shop(), { ...change, op: 'delete', row: null }).component.has('web')).toBe(false);
  });

  it('are applied in batches, and leave the previous rows unchanged', () => {
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

  it('scan the relationships once for several deleted components', () => {
    const { rows, passes } = countingRows();
    const deletions = ['a', 'b', 'c'].map(
      (entityId, at): Change => ({ ...change, entityId, op: 'delete', row: null, revision: 8 + at }),
    );
    const next = applyChanges(rows, deletions);
    expect([...next.component.keys()]).toEqual(['web', 'api']);
    expect(next.relationship.size).toBe(1);
    expect(passes()).toBe(1);
  });

  it('are ignored if they are older', () => {
    const rows = shop();
    expect(applyChange(rows, { ...change, revision: 6, row: null })).toBe(rows);
  });
});

describe('a restored row', () => {
  const change = {
    ...CHANGE,
    entity: 'component',
  };
  const deletion = { ...change, op: 'delete', entityId: 'web', revision: 8, row: null };
  const row = shop().component.get('web');
  const back = { ...change, op: 'create', entityId: 'web', revision: 9, seq: 10, row: { ...row } };
  const order = (rows: Rows) => [...rows.component.keys()];

  it('gets its previous position', () => {
    expect(order(applyChanges(shop(), [deletion, back]))).toEqual(['web', 'api']);
    expect(order(applyChange(applyChange(shop(), deletion), back))).toEqual(['web', 'api']);
  });

  it('gets the position of the change; ties are ordered by ID', () => {
    expect(order(applyChange(shop(), { ...back, op: 'update', seq: 30 }))).toEqual(['api', 'web']);
    expect(order(applyChanges(shop(), [deletion, { ...back, seq: 20 }]))).toEqual(['api', 'web']);
    const copy = { ...back, entityId: 'a', row: { ...row, id: 'a' } };
    expect(order(applyChange(shop(), copy))).toEqual(['a', 'web', 'api']);
  });

  it('does not move unsaved rows at the end', () => {
    const rows = applyQueue(applyChange(shop(), deletion), [
      pending('1', { op: 'create', kind: 'component', id: 'new', fields: { name: 'New' } }),
    ]);
    expect(order(rows)).toEqual(['api', 'new']);
  });

  it('can be a stakeholder with a numeric ID', () => {
    const link = {
      ...metadata,
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

describe('the holder of a stakeholder change', () => {
  const row = {
    ...metadata,
    id: 4,
    componentId: 'web',
    personId: 'grace',
    teamId: null,
    linkType: 'owner',
    revision: 8,
  };
  const change = {
    ...CHANGE,
    op: 'create',
    revision: 8,
  };

  it('has an ID, and a name once the directory is loaded', () => {
    const rows = applyChange(shop(), { ...change, entity: 'stakeholder', entityId: '4', row });
    expect(rows.stakeholder.get('4')?.person).toMatchObject({ id: 'grace', name: 'grace' });
    const after = withHolderNames(rows, [{ id: 'grace', name: 'Grace Hopper' }], []);
    expect(after.stakeholder.get('4')?.person).toMatchObject({ id: 'grace', name: 'Grace Hopper' });
  });
});

describe('a membership change', () => {
  const removed = (entityId: string): Change => ({
    ...CHANGE,
    revision: 8,
    entity: 'member',
    entityId,
    op: 'delete',
    row: null,
  });

  it('matches the exact user ID', () => {
    expect(['1', '12', '21', '31'].map((id) => isOwnAccess(removed(id), 1, shop().workspace))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(isOwnAccess({ ...removed('1'), op: 'update', row: { userId: 12 } }, 1, shop().workspace)).toBe(
      false,
    );
    expect(isOwnAccess({ ...removed('1'), entity: 'stakeholder' }, 1, shop().workspace)).toBe(false);
  });
});

describe('a change of the workspace', () => {
  const workspace = { ...shop().workspace, visibility: 'org', organizationAccess: 'view' } as const;
  const changed = (row: object): Change => ({
    ...CHANGE,
    revision: 8,
    entity: 'workspace',
    entityId: workspace.id,
    op: 'update',
    row: { ...workspace, ...row },
  });

  it('can affect the own access if it changes who has access', () => {
    expect(isOwnAccess(changed({ organizationAccess: 'edit' }), 1, workspace)).toBe(true);
    expect(isOwnAccess(changed({ visibility: 'members' }), 1, workspace)).toBe(true);
    expect(isOwnAccess(changed({ name: 'Shop' }), 1, workspace)).toBe(false);
  });

  it('keeps the fields that depend on the user', () => {
    const own = { myRole: 'owner', accessRequests: 2, accessRequestedAt: 5 } as const;
    const before = { ...shop(), workspace: { ...workspace, ...own } };
    expect(applyChange(before, changed({ name: 'Shop' })).workspace).toMatchObject({ name: 'Shop', ...own });
  });
});

describe('a merge of two changes of a row', () => {
  it('has no conflict on different fields', () => {
    const merged = merge({ name: 'web' }, { name: 'Web' }, { name: 'web', description: 'new' });
    expect(merged).toEqual({ fields: { name: 'Web' }, fieldConflicts: [] });
  });

  it('has a conflict on the same field', () => {
    const { fieldConflicts } = merge({ name: 'web' }, { name: 'Web' }, { name: 'Window' });
    expect(fieldConflicts).toEqual([{ field: 'name', mine: 'Web', theirs: 'Window' }]);
  });

  it('compares properties by key', () => {
    const before = { properties: { lifecycle: 'live', tier: 1, old: true } };
    const mine = { properties: { lifecycle: 'retired', tier: 1 } };
    const merged = merge(before, mine, { properties: { lifecycle: 'live', tier: 2, old: true } });
    expect(merged).toEqual({ fields: { properties: { lifecycle: 'retired', tier: 2 } }, fieldConflicts: [] });
  });
});
