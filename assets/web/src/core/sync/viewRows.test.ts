import { describe, expect, it } from 'vitest';
import type { Bundle, Change } from '@/api/generated';
import { applyChange } from './applyChanges';
import { describeOperation } from './describe';
import { editTarget } from './editTarget';
import { applyOperation, type Operation, replaceId, requiredRows, writtenRows } from './operation';
import type { Edit } from './queue';
import { applyQueue } from './queue';
import { handleRejection } from './rejection';
import { requestFor } from './request';
import { type Rows, toRows } from './rows';
import { metadata, shop } from './rowsTesting';
import type { ViewBundle } from './viewRows';

const view = {
  ...metadata,
  id: 'payments',
  name: 'Payments',
  position: 5,
  definition: {},
  layout: 'own',
  revision: 8,
};
const place = { ...metadata, viewId: 'payments', componentId: 'web', x: 1, y: 2, revision: 8 };

function viewed(): Rows {
  const rows = shop();
  const bundle = {
    workspace: rows.workspace,
    components: [...rows.component.values()],
    relationships: [...rows.relationship.values()],
    stakeholders: [],
    processes: [],
    places: { components: [10, 20], relationships: [10], processes: [] },
    views: [view],
    viewPlaces: [place],
    viewLines: [],
    tours: [],
  } as unknown as Bundle & ViewBundle;
  return toRows(bundle);
}

function edit(...operations: Operation[]): Edit {
  return { id: 'e', key: 'k', label: 'Edit', operations, state: 'waiting', at: 0 };
}

const move: Operation = { op: 'move', viewId: 'payments', moves: [{ id: 'api', x: 30, y: 40 }] };
const line: Operation = {
  op: 'put',
  kind: 'view-line',
  id: 'payments/web--calls--api',
  fields: { line: { via: [[1, 2]] } },
};

describe('the rows of views', () => {
  it('are read from the bundle, by key', () => {
    const rows = viewed();
    expect(rows.view.get('payments')?.name).toBe('Payments');
    expect(rows['view-place'].get('payments/web')).toMatchObject({ x: 1, componentId: 'web' });
    expect(toRows({ ...bundleWithout() }).view.size).toBe(0);
  });

  it('are changed and deleted by events', () => {
    const change = (entity: string, entityId: string, row: unknown, revision: number) =>
      ({ entity, entityId, row, revision, ts: 1, op: row ? 'update' : 'delete' }) as unknown as Change;
    const { componentId, viewId } = place;
    const moved = applyChange(
      viewed(),
      change('view-place', 'payments/web', { ...place, componentId, viewId, x: 9 }, 9),
    );
    expect(moved['view-place'].get('payments/web')).toMatchObject({ id: 'payments/web', x: 9 });
    const renamed = applyChange(moved, change('view', 'payments', { ...view, name: 'Pay' }, 10));
    expect(renamed.view.get('payments')?.name).toBe('Pay');
    const gone = applyChange(renamed, change('view', 'payments', null, 11));
    expect(gone.view.size).toBe(0);
    expect(gone['view-place'].size).toBe(0);
  });

  it('show moves in a view at once, without moving anything on the map', () => {
    const rows = applyOperation(viewed(), move);
    expect(rows['view-place'].get('payments/api')).toMatchObject({
      viewId: 'payments',
      componentId: 'api',
      x: 30,
    });
    expect(rows.component.get('api')?.x).toBe(0);
    expect(rows['view-place'].get('payments/web')?.x).toBe(1);
  });

  it('show lines in a view at once', () => {
    const rows = applyOperation(viewed(), line);
    expect(rows['view-line'].get('payments/web--calls--api')).toMatchObject({
      relationshipId: 'web--calls--api',
      line: { via: [[1, 2]] },
    });
    expect(rows.relationship.get('web--calls--api')?.line).toBeUndefined();
  });

  it('are removed with their view', () => {
    const deletion: Operation = { op: 'delete', kind: 'view', id: 'payments', base: 8, fields: {} };
    expect(applyOperation(viewed(), deletion)['view-place'].size).toBe(0);
    expect(applyQueue(viewed(), [edit(deletion)])['view-place'].size).toBe(0);
  });

  it('are written by operations of the view', () => {
    const { body } = requestFor('shop', edit(move, line));
    expect(body).toEqual({
      operations: [
        { op: 'move', viewId: 'payments', positions: [{ id: 'api', x: 30, y: 40 }] },
        {
          op: 'put',
          kind: 'view-line',
          row: { viewId: 'payments', relationshipId: 'web--calls--api', line: { via: [[1, 2]] } },
        },
      ],
    });
    expect(writtenRows(move)).toEqual(['view-place/payments/api']);
    expect(requiredRows(move)).toEqual(['view/payments', 'component/api']);
    expect(requiredRows(line)).toEqual(['view/payments', 'relationship/web--calls--api']);
  });

  it('follow a new ID of a component, a relationship and a view', () => {
    expect(replaceId(move, 'component', 'api', 'api-2')).toMatchObject({ moves: [{ id: 'api-2' }] });
    expect(replaceId(move, 'view', 'payments', 'pay')).toMatchObject({ viewId: 'pay' });
    expect(replaceId(line, 'view', 'payments', 'pay')).toMatchObject({ id: 'pay/web--calls--api' });
    expect(replaceId(line, 'relationship', 'web--calls--api', 'r')).toMatchObject({ id: 'payments/r' });
    const opens: Operation = {
      op: 'update',
      kind: 'component',
      id: 'web',
      fields: { opens: 'payments' },
      before: { opens: null },
      base: 1,
    };
    expect(replaceId(opens, 'view', 'payments', 'pay')).toMatchObject({ fields: { opens: 'pay' } });
  });

  it('are described for people, and lead to the view', () => {
    expect(describeOperation(line, viewed())).toBe(
      'Change line of relationship web → api in view “Payments”',
    );
    expect(editTarget([move])).toEqual({ kind: 'view', id: 'payments', isMove: true });
    expect(editTarget([line])).toEqual({ kind: 'view', id: 'payments', isMove: false });
  });
});

describe('an edit of a deleted view', () => {
  const rejected = (why: string, kind: string, id: string, index = 0) => ({
    status: 409,
    isTemporary: false,
    message: 'conflict',
    body: { conflicts: [{ index, kind, id, why }] },
  });

  it('is dropped if it only arranges', () => {
    expect(handleRejection(edit(move), rejected('missing', 'view', 'payments'))).toMatchObject({
      is: 'done',
    });
    expect(handleRejection(edit(line), rejected('missing', 'view', 'payments'))).toMatchObject({
      is: 'done',
    });
  });

  it('keeps the moves of other components', () => {
    const both: Operation = {
      op: 'move',
      viewId: 'payments',
      moves: [
        { id: 'api', x: 1, y: 1 },
        { id: 'web', x: 2, y: 2 },
      ],
    };
    expect(handleRejection(edit(both), rejected('missing', 'component', 'api'))).toMatchObject({
      is: 'again',
      operations: [{ op: 'move', viewId: 'payments', moves: [{ id: 'web' }] }],
    });
  });
});

function bundleWithout(): Bundle {
  const { workspace } = shop();
  return {
    workspace,
    components: [],
    relationships: [],
    stakeholders: [],
    processes: [],
    places: { components: [], relationships: [], processes: [] },
  } as unknown as Bundle;
}
