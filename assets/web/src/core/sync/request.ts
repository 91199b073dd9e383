/** The request that saves an edit. */

import { type Fields, type Operation, operationRow } from './operation';
import type { Edit } from './queue';
import { splitViewRowId, viewRowId } from './viewRows';

/** An edit is always sent as one request. */
export interface SaveRequest {
  method: 'POST' | 'PATCH';
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

/** The request for an edit: its operations, or the undo if the edit was canceled after it was sent. */
export function requestFor(workspaceId: string, edit: Edit): SaveRequest {
  const root = `/api/workspaces/${encodeURIComponent(workspaceId)}`;
  const { incarnation, changeSetId } = edit;
  const post = (path: string, body: unknown): SaveRequest => ({
    method: 'POST',
    path: `${root}/${path}`,
    body,
    headers: { 'Idempotency-Key': edit.key },
  });
  if (isRevert(edit)) return post('undo', { batchId: changeSetId });
  const access = accessChange(edit.operations);
  // If the response is lost, the repeated request changes nothing and has no change set, so the label finds that of the first.
  if (access) {
    return { method: 'PATCH', path: root, body: access, headers: { 'X-Batch-Id': edit.id } };
  }
  const operations = requestOperations(edit.operations, edit.isGuarded ? edit.seen : undefined);
  return post('operations', incarnation ? { incarnation, operations } : { operations });
}

/** Whether the request reverts a canceled edit, instead of saving it to find out whether it was saved. */
export function isRevert({ cancelled, changeSetId }: Edit): boolean {
  return cancelled === true && changeSetId !== undefined;
}

/** The access to a workspace is not an operation: owners change it with a separate request. */
function accessChange(operations: readonly Operation[]): Fields | undefined {
  const [first] = operations;
  const isAlone =
    first?.op === 'workspace' &&
    operations.length === 1 &&
    ('visibility' in first.fields || 'organizationAccess' in first.fields);
  return isAlone ? first.fields : undefined;
}

/**
 * Converts operations to the API format. The first operation on a row has the expected revision of the row: for rows in
 * `guarded` also if the operation itself expects none.
 */
function requestOperations(operations: readonly Operation[], guarded: Edit['seen'] = {}): unknown[] {
  const expected = new Map<string, number>();
  for (const operation of operations) {
    const row = operationRow(operation);
    if (row && 'base' in operation && operation.base > 0 && !expected.has(row)) {
      expected.set(row, operation.base);
    }
  }
  for (const [row, { revision }] of Object.entries(guarded)) {
    if (!expected.has(row)) expected.set(row, revision);
  }
  const seen = new Set<string>();
  const revisionOf = (row: string) => {
    const revision = seen.has(row) ? undefined : expected.get(row);
    seen.add(row);
    return revision === undefined ? {} : { revision };
  };
  return operations.map((operation): unknown => {
    switch (operation.op) {
      case 'create':
        seen.add(`${operation.kind}/${operation.id}`);
        return creation(operation);
      case 'move':
        return {
          op: 'move',
          ...(operation.viewId === undefined ? {} : { viewId: operation.viewId }),
          positions: operation.moves.map(({ id, x, y }) => ({
            id,
            x,
            y,
            ...(operation.viewId === undefined
              ? revisionOf(`component/${id}`)
              : revisionOf(`view-place/${viewRowId(operation.viewId, id)}`)),
          })),
        };
      // As with positions, the last write wins, so that two people who arrange a view get no conflict.
      case 'put': {
        const [viewId, relationshipId] = splitViewRowId(operation.id);
        return { op: 'put', kind: operation.kind, row: { viewId, relationshipId, ...operation.fields } };
      }
      case 'workspace':
        return { op: 'update', kind: 'workspace', fields: operation.fields };
      default: {
        const { op, kind } = operation;
        const fields = op === 'update' ? { fields: operation.fields } : {};
        return { op, kind, id: rowId(operation), ...fields, ...revisionOf(`${kind}/${operation.id}`) };
      }
    }
  });
}

/** The server assigns the ID of a stakeholder. Until then, the client's ID is a reference within the request. */
function creation({ op, kind, id, fields }: Extract<Operation, { op: 'create' }>): unknown {
  if (kind !== 'stakeholder') return { op, kind, row: { id, ...fields } };
  const { componentId, personId, teamId, linkType, properties } = fields;
  return { op, kind, ref: id, row: { componentId, personId, teamId, linkType, properties } };
}

function rowId({ kind, id }: Extract<Operation, { id: string }>): string | number {
  return kind === 'stakeholder' && /^\d+$/.test(id) ? Number(id) : id;
}
