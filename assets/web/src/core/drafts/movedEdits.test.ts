import { describe, expect, it } from 'vitest';
import { sample } from '@/core/model/testing';
import type { Operation } from '@/core/sync/operation';
import { applyQueue, type Edit } from '@/core/sync/queue';
import { handleRejection } from '@/core/sync/rejection';
import { editsInDraft, isProtectedEdit, movableEdits } from './movedEdits';

let count = 0;

function edit(operations: readonly Operation[], fields: Partial<Edit> = {}): Edit {
  count += 1;
  const id = `edit-${count}`;
  return {
    id,
    key: id,
    label: 'Edit',
    operations,
    state: 'refused',
    at: count,
    isProtected: true,
    ...fields,
  };
}

const rename = (id: string, name: string, before = id): Operation => ({
  op: 'update',
  kind: 'component',
  id,
  fields: { name },
  before: { name: before },
  base: 90,
});

const base = sample({ components: [{ id: 'web' }, { id: 'api' }] });

describe('an edit that a protected workspace rejects', () => {
  it('is marked', () => {
    const rejection = {
      status: 403,
      isTemporary: false,
      message: 'protected',
      body: { code: 'protected' as const },
    };
    const outcome = handleRejection(edit([rename('web', 'Window')]), rejection);
    expect(outcome).toEqual({ is: 'refused', problem: 'protected', isProtected: true });
  });

  it('moves to a draft with later edits, but not with a change of access', () => {
    const refused = edit([rename('web', 'Window')]);
    const later = edit([rename('api', 'API')], { state: 'waiting', isProtected: false });
    const access = edit([{ op: 'workspace', fields: { visibility: 'org' }, before: {} }], {
      state: 'waiting',
    });
    const other = edit([rename('api', '')], { isProtected: false });
    expect(movableEdits([refused, later, access, other])).toEqual([refused, later]);
    expect(isProtectedEdit(later)).toBe(false);
  });
});

describe('edits in a draft', () => {
  it('expect the revisions of the draft', () => {
    const [moved] = editsInDraft([edit([rename('web', 'Window')])], base, base);
    expect(moved).toMatchObject({
      state: 'waiting',
      operations: [{ id: 'web', base: 1, fields: { name: 'Window' } }],
    });
  });

  it('can depend on rows that earlier edits create', () => {
    const create: Operation = {
      op: 'create',
      kind: 'component',
      id: 'pay',
      fields: { typeId: 'service', name: 'Pay' },
    };
    const edits = editsInDraft([edit([create]), edit([rename('pay', 'Payments', 'Pay')])], base, base);
    expect(edits.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    expect(applyQueue(base, edits).component.get('pay')?.name).toBe('Payments');
  });

  it('of stakeholders refer to the rows of the draft, which have other numbers', () => {
    const held = (componentIds: string[]) =>
      sample({
        components: [{ id: 'web' }, { id: 'api' }],
        stakeholders: componentIds.map((componentId) => ({
          componentId,
          personId: 'ada',
          linkType: 'owner',
        })),
      });
    const before = held(['web', 'api']);
    const fields = { componentId: 'web', personId: 'ada', linkType: 'owner' };
    const removal = edit([{ op: 'delete', kind: 'stakeholder', id: '1', base: 1, fields }]);
    const [moved] = editsInDraft([removal], before, held(['api', 'web']));
    expect(moved?.operations).toMatchObject([{ op: 'delete', kind: 'stakeholder', id: '2' }]);
  });

  it('ask their author if the draft has changed the same field', () => {
    const changed = sample({ components: [{ id: 'web', name: 'Else' }, { id: 'api' }] });
    const [moved] = editsInDraft([edit([rename('web', 'Window')])], base, changed);
    expect(moved?.state).toBe('conflict');
  });
});
