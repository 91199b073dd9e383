import { describe, expect, it } from 'vitest';
import type { PastChange } from '@/api/generated';
import { describeChangeSet, groupChangeSets } from './changeSets';

let id = 100;

function change(to: Partial<PastChange>): PastChange {
  id -= 1;
  return {
    id,
    revision: id,
    batch: 'b',
    changeSetId: 'b',
    actor: { id: 1, displayName: 'Ada' },
    via: 'rest',
    entity: 'component',
    entityId: 'web',
    op: 'update',
    row: { id: 'web', name: 'Web', x: 0, y: 0 },
    before: { id: 'web', name: 'Web', x: 0, y: 0 },
    fields: [],
    ts: 1_000,
    ...to,
  };
}

const descriptions = (...changes: PastChange[]) =>
  groupChangeSets(changes).map((changeSet) => describeChangeSet(changeSet));

describe('the history as text', () => {
  it('groups changes by change set, regardless of labels', () => {
    const move = (entityId: string) => change({ entityId, fields: ['x', 'y'] });
    const [first, second] = groupChangeSets([move('a'), move('b'), change({ changeSetId: 'c' }), move('d')]);
    expect(first && describeChangeSet(first)).toBe('moved 3 components');
    expect(first && first.after - first.before).toBe(4);
    expect(second?.changes).toHaveLength(1);
  });

  it('has the reason of the change set', () => {
    const [reasoned, other] = groupChangeSets([
      change({ reason: 'Ends in May' }),
      change({ changeSetId: 'c' }),
    ]);
    expect([reasoned?.reason, other?.reason]).toEqual(['Ends in May', undefined]);
  });

  it('names individual rows', () => {
    expect(descriptions(change({ op: 'create', before: null }))).toEqual(['added component “Web”']);
    expect(descriptions(change({ fields: ['name', 'typeId'] }))).toEqual([
      'changed name and type of component “Web”',
    ]);
    expect(descriptions(change({ op: 'delete', row: null }))).toEqual(['removed component “Web”']);
  });

  it('names the view in which components were moved', () => {
    const place = (op: 'create' | 'update' | 'delete', entityId: string) =>
      change({ entity: 'view-place', op, entityId, fields: ['x', 'y'] });
    const names = (entity: string, id: string) => (entity === 'view' ? `View ${id}` : id.toUpperCase());
    const described = (...changes: ReturnType<typeof change>[]) =>
      groupChangeSets(changes).map((one) => describeChangeSet(one, names));
    expect(described(place('update', 'pay/web'))).toEqual(['moved component “WEB” in view “View pay”']);
    expect(described(place('create', 'pay/web'), place('update', 'pay/api'))).toEqual([
      'moved 2 components in view “View pay”',
    ]);
    expect(described(place('delete', 'pay/web'))).toEqual([
      'reset the position of component “WEB” in view “View pay”',
    ]);
    const line = { entity: 'view-line', entityId: 'pay/r1', fields: ['line'] };
    expect(described(change(line), change({ ...line, entityId: 'pay/r2', op: 'create' }))).toEqual([
      'changed 2 lines in view “View pay”',
    ]);
    const view = change({ entity: 'view', entityId: 'pay', op: 'create', row: { name: 'Pay' } });
    expect(described(view, place('create', 'pay/web'))).toEqual(['added view “Pay”']);
    expect(described(change({ entityId: 'web', op: 'delete' }), place('delete', 'pay/web'))).toEqual([
      'removed component “Web”',
    ]);
  });

  it('names properties individually', () => {
    const before = { name: 'Web', properties: { tier: 1, zone: 'a' } };
    const row = { name: 'Web', properties: { tier: 2, zone: 'a' } };
    expect(descriptions(change({ fields: ['properties'], before, row }))).toEqual([
      'changed property “tier” of component “Web”',
    ]);
  });

  it('names rows that were deleted together', () => {
    const row = { sourceId: 'web', targetId: 'api' };
    const relationship = { entity: 'relationship', op: 'delete', row: null, before: row } as const;
    const [one] = groupChangeSets([
      change({ op: 'delete', row: null }),
      change({ ...relationship, entityId: 'r1' }),
      change({ ...relationship, entityId: 'r2' }),
    ]);
    expect(one && describeChangeSet(one)).toBe('removed component “Web” and 2 relationships');
  });

  it('names changes that were undone', () => {
    expect(descriptions(change({ undoOf: 'a', op: 'delete', row: null }))).toEqual([
      'removed component “Web” (undo)',
    ]);
  });

  it('describes the creation of a workspace', () => {
    const created = (entity: string, entityId: string) =>
      change({ op: 'create', before: null, entity, entityId });
    const [one] = groupChangeSets([
      created('component', 'a'),
      created('component', 'b'),
      created('member', '1'),
      created('workspace', 'w'),
    ]);
    expect(one && describeChangeSet(one)).toBe('created the workspace with 2 components');
  });

  it('truncates long names', () => {
    const row = { name: 'x'.repeat(10_000) };
    expect(descriptions(change({ op: 'create', row }))[0]?.length).toBeLessThan(100);
  });
});
