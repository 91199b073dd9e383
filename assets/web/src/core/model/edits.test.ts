import { describe, expect, it } from 'vitest';
import { applyOperation, type Operation } from '../sync/operation';
import type { Edit } from '../sync/queue';
import { requestFor } from '../sync/request';
import {
  addStakeholder,
  changeKeywords,
  changeStakeholderRole,
  removeOwner,
  setLifecycle,
  setOwners,
  setType,
  updateRow,
  withProperty,
} from './edits';
import { buildModel, type Holder, ownerOf } from './model';
import { catalogue, sample } from './testing';

const worker = { name: 'Worker', typeId: 'service', color: '#112233', icon: 'cpu' };
const rows = sample({
  components: [
    { id: 'a', properties: { kind: 'Worker', lifecycle: 'live' } },
    { id: 'b', properties: { kind: 'of my own' } },
    { id: 'c', typeId: 'database' },
  ],
  stakeholders: [
    { componentId: 'a', personId: 'ada', linkType: 'owner' },
    { componentId: 'b', teamId: 'core', linkType: 'owner' },
  ],
});
const model = buildModel(rows, catalogue, [worker]);
const core: Holder = { kind: 'team', id: 'core', name: 'Core' };
const having = (operations: readonly Operation[]) =>
  buildModel(
    operations.reduce((all, operation) => applyOperation(all, operation), rows),
    catalogue,
    [worker],
  );

describe('edits', () => {
  it('omit unchanged fields, and include the previous values', () => {
    expect(updateRow(rows, 'component', 'a', { name: 'a' })).toEqual([]);
    expect(updateRow(rows, 'component', 'gone', { name: 'x' })).toEqual([]);
    expect(updateRow(rows, 'component', 'a', { name: 'A', typeId: 'service' })).toEqual([
      { op: 'update', kind: 'component', id: 'a', fields: { name: 'A' }, before: { name: 'a' }, base: 1 },
    ]);
  });

  it('change properties individually and preserve their order', () => {
    expect(Object.keys(withProperty({ x: 1, y: 2 }, 'x', 3))).toEqual(['x', 'y']);
    expect(withProperty({ x: 1, y: 2 }, 'x', undefined)).toEqual({ y: 2 });
    expect(withProperty({}, 'x', null)).toEqual({ x: null });
  });

  it('set a type and remove the replaced custom type, but no other `kind`', () => {
    const { component } = having(setType(model, ['a', 'b', 'c'], 'database')).rows;
    expect(component.get('a')).toMatchObject({ typeId: 'database', properties: { lifecycle: 'live' } });
    expect(component.get('a')?.properties).not.toHaveProperty('kind');
    expect(component.get('b')?.properties).toEqual({ kind: 'of my own' });
    expect(setType(model, ['c'], 'database')).toEqual([]);
    expect(having(setType(model, ['c'], 'service', 'Worker')).rows.component.get('c')).toMatchObject({
      typeId: 'service',
      properties: { kind: 'Worker' },
    });
  });

  it('set and remove a lifecycle', () => {
    expect(setLifecycle(rows, ['a'], 'live')).toEqual([]);
    expect(having(setLifecycle(rows, ['a', 'c'], '')).rows.component.get('a')?.properties).toEqual({
      kind: 'Worker',
    });
    expect(setLifecycle(rows, ['a', 'b', 'c'], 'live')).toHaveLength(2);
  });

  it('replace owners without duplicates', () => {
    const entrusted = having(setOwners(model, ['a', 'b', 'c'], [core]));
    for (const id of ['a', 'b', 'c']) {
      expect(ownerOf(entrusted, id)?.id).toBe('core');
      expect(entrusted.stakeholders.get(id)).toHaveLength(1);
    }
    expect(setOwners(entrusted, ['a', 'b', 'c'], [core])).toEqual([]);
    expect(addStakeholder(model, ['b'], core, 'owner')).toEqual([]);
    expect(addStakeholder(model, ['b'], core, 'support')).toHaveLength(1);
  });

  it('change the role of a stakeholder, unless they already have it', () => {
    const [link] = model.stakeholders.get('b') ?? [];
    if (!link) throw new Error('the team is missing');
    const operations = changeStakeholderRole(model, link, 'support');
    const edit: Edit = { id: 'e', key: 'k', label: '', operations, state: 'waiting', at: 0 };
    expect(requestFor('shop', edit).body).toEqual({
      operations: [
        {
          op: 'update',
          kind: 'stakeholder',
          id: link.id,
          fields: { linkType: 'support' },
          revision: link.revision,
        },
      ],
    });
    expect(changeStakeholderRole(model, link, 'owner')).toEqual([]);
    const both = having(addStakeholder(model, ['b'], core, 'support'));
    expect(changeStakeholderRole(both, link, 'support')).toEqual([]);
  });
});

describe('bulk edits', () => {
  it('remove one owner, and leave other owners and roles', () => {
    const both = having(addStakeholder(model, ['a', 'b', 'c'], core, 'owner'));
    const operations = removeOwner(both, ['a', 'b', 'c'], core);
    expect(operations.map(({ op }) => op)).toEqual(['delete', 'delete', 'delete']);
    const after = operations.reduce((all, operation) => applyOperation(all, operation), both.rows);
    const left = buildModel(after, catalogue, [worker]);
    expect(['a', 'b', 'c'].map((id) => ownerOf(left, id)?.id)).toEqual(['ada', undefined, undefined]);
    expect(removeOwner(left, ['a', 'b', 'c'], core)).toEqual([]);
  });

  it('add and remove tags, and skip components that are unchanged', () => {
    const tagged = sample({
      components: [{ id: 'a', tags: ['x', 'y'] }, { id: 'b', tags: ['z', 'new'] }, { id: 'c' }],
    });
    const change = { added: ['new'], removed: new Set(['x', 'z']) };
    const fields = changeKeywords(tagged, ['a', 'b', 'c', 'gone'], 'tags', change).map(
      (operation) => 'fields' in operation && operation.fields,
    );
    expect(fields).toEqual([{ tags: ['y', 'new'] }, { tags: ['new'] }, { tags: ['new'] }]);
    const added = { added: ['new'], removed: new Set<string>() };
    expect(changeKeywords(tagged, ['b'], 'tags', added)).toEqual([]);
  });
});
