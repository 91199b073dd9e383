import { describe, expect, it } from 'vitest';
import {
  changeName,
  changeSummary,
  conflictText,
  describeCounts,
  describeKinds,
  fieldTexts,
  groupByKind,
  toneOf,
} from './changes';
import { change, conflicting } from './testing';

const plain = (field: string, base: unknown, draft: unknown) => ({
  field,
  branch: base,
  base,
  draft,
  conflict: false,
});

describe('the changes of a draft', () => {
  it('are grouped by kind, conflicts first', () => {
    const groups = groupByKind([
      change({ id: 'a', kind: 'relationship' }),
      change({ id: 'b', change: 'moved' }),
      change({ id: 'c', conflict: 'fields' }),
      change({ id: 'd', change: 'added' }),
    ]);
    expect(groups.map(({ name, changes }) => [name, changes.map(({ id }) => id)])).toEqual([
      ['Components', ['c', 'd', 'b']],
      ['Relationships', ['a']],
    ]);
    expect(toneOf(change({ conflict: 'removed' }))).toBe('conflicting');
  });

  it('of any kind are listed', () => {
    const groups = groupByKind([change({ kind: 'decision' }), change({ kind: 'news' as 'decision' })]);
    expect(groups.map(({ name }) => name)).toEqual(['Decisions', 'news']);
  });

  it('between rows are named by these rows', () => {
    const nameOf = (field: string, id: string) => (id === 'unknown' ? undefined : `${field} ${id}`);
    const line = change({ kind: 'relationship', name: 'a uses b', row: { sourceId: 'a', targetId: 'b' } });
    expect(changeName(line, nameOf)).toBe('sourceId a → targetId b');
    const half = change({
      kind: 'relationship',
      name: 'a uses b',
      row: { sourceId: 'a', targetId: 'unknown' },
    });
    expect(changeName(half, nameOf)).toBe('a uses b');
    const owner = { personId: 'ada', linkType: 'owner', componentId: 'web' };
    expect(changeName(change({ kind: 'stakeholder', row: owner }), nameOf)).toBe(
      'personId ada (linkType owner) of componentId web',
    );
    expect(changeName(change(), nameOf)).toBe('Web');
  });

  it('that conflict say why', () => {
    const fields = [conflicting('name', 'A', 'B'), conflicting('typeId', 'a', 'b'), plain('tags', [], ['x'])];
    const why = 'both have changed `name`, `typeId`';
    expect(conflictText(change({ conflict: 'fields', why, fields }))).toBe(
      'The workspace and the draft have changed name and type.',
    );
    const deleted = 'the draft has deleted it, and the workspace has changed it';
    expect(conflictText(change({ conflict: 'removed', why: deleted }))).toBe(
      'The draft has deleted it, and the workspace has changed it.',
    );
    expect(conflictText(change())).toBe('');
  });

  it('are counted by what happens', () => {
    const counts = { added: 2, changed: 0, removed: 1, moved: 0, conflicting: 1, base: 0 };
    expect(describeCounts({ counts })).toBe('2 added, 1 removed, 1 conflict');
    expect(describeKinds([change(), change({ id: 'b' }), change({ kind: 'process' })])).toBe(
      '2 components, 1 process',
    );
  });

  it('are summarized by their fields', () => {
    expect(changeSummary(change({ fields: [plain('name', 'A', 'B'), plain('typeId', 'a', 'b')] }))).toBe(
      'name and type changed',
    );
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => plain(`properties.${name}`, 1, 2));
    expect(changeSummary(change({ fields: many }))).toBe(
      'property “a”, property “b”, property “c” and 2 more fields changed',
    );
    expect(changeSummary(change({ change: 'moved', fields: [plain('x', 1, 2)] }))).toBe('moved');
    expect(changeSummary(change({ conflict: 'fields' }))).toBe('conflict');
  });
});

describe('the fields of a change', () => {
  it('have the value in the base and the value in the draft', () => {
    expect(fieldTexts(change({ fields: [plain('description', null, 'New')] }))).toEqual([
      { field: 'description', label: 'description', before: '(empty)', after: 'New', isConflict: false },
    ]);
  });

  it('name the rows that values refer to', () => {
    const moved = change({ kind: 'relationship', fields: [plain('targetId', 'api', 'pay')] });
    const texts = fieldTexts(moved, (field, id) => (field === 'targetId' ? id.toUpperCase() : undefined));
    expect(texts[0]).toMatchObject({ label: 'target', before: 'API', after: 'PAY' });
  });

  it('show a position as one field', () => {
    const moved = change({ change: 'moved', row: { x: 30, y: 7 }, fields: [plain('x', 10.4, 30)] });
    expect(fieldTexts(moved)).toEqual([
      { field: 'position', label: 'position', before: '(10, 7)', after: '(30, 7)', isConflict: false },
    ]);
  });

  it('of an added row have only a new value, and empty ones are left out', () => {
    const added = change({
      change: 'added',
      fields: [plain('typeId', null, 'api'), plain('description', null, null)],
    });
    expect(fieldTexts(added)).toEqual([
      { field: 'typeId', label: 'type', before: null, after: 'api', isConflict: false },
    ]);
  });

  it('of an added or removed row do not repeat its name', () => {
    const fields = [plain('name', null, 'Web'), plain('typeId', null, 'api')];
    expect(fieldTexts(change({ change: 'added', fields })).map(({ field }) => field)).toEqual(['typeId']);
    const gone = change({
      change: 'removed',
      fields: [plain('name', 'Web', null), plain('typeId', 'api', null)],
    });
    expect(fieldTexts(gone).map(({ field }) => field)).toEqual(['typeId']);
    expect(fieldTexts(change({ fields: [plain('name', 'Old', 'Web')] }))).toHaveLength(1);
  });

  it('are those that the draft has changed', () => {
    const description = { field: 'description', branch: 'A', base: 'B', draft: 'A', conflict: false };
    const both = change({ fields: [description, plain('name', 'Web', 'Window')] });
    expect(fieldTexts(both).map(({ field }) => field)).toEqual(['name']);
    expect(changeSummary(both)).toBe('name changed');
    expect(fieldTexts(both, undefined, 'base')).toMatchObject([
      { label: 'description', before: 'A', after: 'B' },
    ]);
    expect(changeSummary(both, 'base')).toBe('description changed');
  });

  it('mark conflicts', () => {
    expect(fieldTexts(change({ fields: [conflicting('name', 'A', 'B')] }))[0]?.isConflict).toBe(true);
  });
});
