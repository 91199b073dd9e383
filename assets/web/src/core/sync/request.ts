/** The request that saves an operation. */

import type { Operation } from './operation';
import type { Kind } from './rows';

export interface SaveRequest {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Revision of the row that it was meant for. */
  ifMatch?: number;
}

const COLLECTION: Record<Exclude<Kind, 'stakeholder'>, string> = {
  component: 'components',
  relationship: 'relationships',
  process: 'processes',
};

/** The request for `operation` in the workspace. */
export function requestFor(workspaceId: string, operation: Operation): SaveRequest {
  const root = `/api/workspaces/${encodeURIComponent(workspaceId)}`;
  switch (operation.op) {
    case 'workspace':
      return { method: 'PATCH', path: root, body: operation.fields };
    case 'move':
      return { method: 'PATCH', path: `${root}/components`, body: operation.moves };
    case 'create':
      return { method: 'POST', path: `${root}/${collection(operation)}`, body: created(operation) };
    case 'update':
      return { ...one(root, operation), method: 'PATCH', body: operation.fields };
    case 'delete':
      return { ...one(root, operation), method: 'DELETE' };
  }
}

function one(root: string, operation: Extract<Operation, { base: number }>) {
  // What an update leaves as it is stands in what was before.
  const fields = operation.op === 'update' ? { ...operation.before, ...operation.fields } : operation.fields;
  const path = `${root}/${collection({ kind: operation.kind, fields })}/${encodeURIComponent(operation.id)}`;
  return operation.base > 0 ? { path, ifMatch: operation.base } : { path };
}

/** Stakeholders hang under their component, and get their number from the server. */
function collection({ kind, fields }: { kind: Kind; fields: Record<string, unknown> }): string {
  if (kind !== 'stakeholder') return COLLECTION[kind];
  return `components/${encodeURIComponent(String(fields.componentId))}/stakeholders`;
}

function created({ kind, id, fields }: Extract<Operation, { op: 'create' }>): unknown {
  if (kind !== 'stakeholder') return { id, ...fields };
  const { personId, teamId, linkType, properties } = fields;
  return { personId, teamId, linkType, properties };
}
