/**
 * The operations of an edit as data. They are applied locally at once, stored until they are saved, and sent together
 * in one request.
 */
import type { Component, Note, Process, Relationship, Stakeholder } from '@/api/generated';
import {
  type DecisionRow,
  type Kind,
  mapOf,
  type OwnedMaps,
  type RowOf,
  type Rows,
  withoutDependents,
  withoutRow,
  withoutViewRows,
  withRow,
  writable,
} from './rows';
import { splitViewRowId, viewRowId } from './viewRows';

/** The writable fields of a row. */
export type Fields = Record<string, unknown>;

/** A single write. */
export type Operation =
  /**
   * `place` is where a component without a position is shown until the server has placed it. It is not sent.
   */
  | { op: 'create'; kind: Kind; id: string; fields: Fields; place?: Readonly<{ x: number; y: number }> }
  /** `before` contains the previous values of the same fields, `base` the row's revision at that time. */
  | { op: 'update'; kind: Kind; id: string; fields: Fields; before: Fields; base: number }
  | { op: 'delete'; kind: Kind; id: string; base: number; fields: Fields }
  /** Moves components on the map, or in a view. */
  | { op: 'move'; viewId?: string; moves: readonly Move[] }
  /** Creates or replaces the line of a relationship in a view. */
  | { op: 'put'; kind: 'view-line'; id: string; fields: Fields }
  | { op: 'workspace'; fields: Fields; before: Fields };

/** The new position of a component. */
export interface Move {
  id: string;
  x: number;
  y: number;
}

/**
 * The rows after the operation. Operations on rows that do not exist are ignored. Maps in `own` are modified in place,
 * so that a sequence of operations copies each map only once.
 */
export function applyOperation(rows: Rows, operation: Operation, own?: OwnedMaps): Rows {
  switch (operation.op) {
    case 'create':
      return withRow(
        rows,
        operation.kind,
        newRow(rows, operation.kind, operation.id, { ...operation.place, ...operation.fields }),
        own,
      );
    case 'update': {
      const row = mapOf(rows, operation.kind).get(operation.id);
      return row ? withRow(rows, operation.kind, { ...row, ...operation.fields }, own) : rows;
    }
    case 'delete': {
      const left = withoutRow(rows, operation.kind, operation.id, own);
      if (operation.kind === 'view') return withoutViewRows(left, operation.id, own);
      return operation.kind === 'component' ? withoutDependents(left, new Set([operation.id]), own) : left;
    }
    case 'put':
      return withRow(rows, operation.kind, viewRow(rows, operation), own);
    case 'move': {
      if (operation.viewId !== undefined) return movedInView(rows, operation.viewId, operation.moves, own);
      const [next, component] = writable(rows, 'component', own);
      for (const { id, x, y } of operation.moves) {
        const row = component.get(id);
        if (row) component.set(id, { ...row, x, y });
      }
      return next;
    }
    case 'workspace':
      return { ...rows, workspace: { ...rows.workspace, ...operation.fields } };
  }
}

/** The rows with new positions in a view. */
function movedInView(rows: Rows, viewId: string, moves: readonly Move[], own?: OwnedMaps): Rows {
  if (!rows.view.has(viewId)) return rows;
  const [next, places] = writable(rows, 'view-place', own);
  for (const { id: componentId, x, y } of moves) {
    const id = viewRowId(viewId, componentId);
    const row = places.get(id) ?? newRow(rows, 'view-place', id, { viewId, componentId });
    places.set(id, { ...row, x, y });
  }
  return next;
}

function viewRow(rows: Rows, { kind, id, fields }: Extract<Operation, { op: 'put' }>): RowOf['view-line'] {
  const [viewId, relationshipId] = splitViewRowId(id);
  const row = rows[kind].get(id) ?? newRow(rows, kind, id, { viewId, relationshipId });
  return { ...row, ...fields };
}

/** The new row as the server will create it, except for timestamps and author. */
function newRow<K extends Kind>(rows: Rows, kind: K, id: string, fields: Fields): RowOf[K] {
  const stamps = {
    workspaceId: rows.workspace.id,
    revision: 0,
    createdAt: Date.now(),
    updatedAt: Date.now(),
    properties: {},
  };
  const defaults: { [one in Kind]: Partial<RowOf[one]> } = {
    component: { x: 0, y: 0 } as Partial<Component>,
    relationship: {} as Partial<Relationship>,
    process: { participants: {} } as Partial<Process>,
    note: { text: '', color: null, layer: 0 } as Partial<Note>,
    view: { layout: 'shared' },
    'view-place': {},
    'view-line': {},
    tour: { stops: [] },
    decision: { ...NEW_DECISION, number: nextNumber(rows) },
    stakeholder: { person: null, team: null, personId: null, teamId: null } as Partial<Stakeholder>,
  };
  return { ...stamps, ...defaults[kind], ...fields, id } as unknown as RowOf[K];
}

const NEW_DECISION: Partial<DecisionRow> = {
  status: 'proposed',
  authors: [],
  componentIds: [],
  supersedes: [],
  body: '',
};

/** The number that the server will give to a new decision. */
function nextNumber({ decision }: Rows): number {
  return Math.max(0, ...[...decision.values()].map(({ number }) => number)) + 1;
}

/** The rows that an operation writes, as `kind/id`. */
export function writtenRows(operation: Operation): string[] {
  switch (operation.op) {
    case 'move':
      return operation.moves.map(({ id }) =>
        operation.viewId === undefined ? `component/${id}` : `view-place/${viewRowId(operation.viewId, id)}`,
      );
    case 'workspace':
      return ['workspace'];
    default:
      return [`${operation.kind}/${operation.id}`];
  }
}

/** The rows that an operation requires to exist, as `kind/id`, such as the ends of a relationship. */
export function requiredRows(operation: Operation): string[] {
  if (operation.op === 'move') return requiredByMove(operation);
  if (operation.op === 'put') {
    const [viewId, relationshipId] = splitViewRowId(operation.id);
    return [`view/${viewId}`, `relationship/${relationshipId}`];
  }
  if (operation.op !== 'create' && operation.op !== 'update') return [];
  const { kind, fields } = operation;
  const ids =
    kind === 'relationship'
      ? [fields.sourceId, fields.targetId]
      : kind === 'stakeholder'
        ? [fields.componentId]
        : kind === 'process'
          ? Object.values((fields.participants ?? {}) as Fields)
          : [];
  return ids.filter((id) => typeof id === 'string').map((id) => `component/${id}`);
}

/** In a view, a move creates the positions. */
function requiredByMove({ viewId, moves }: Extract<Operation, { op: 'move' }>): string[] {
  return viewId === undefined ? [] : [`view/${viewId}`, ...moves.map(({ id }) => `component/${id}`)];
}

/** The row that an operation writes, as `kind/id`; undefined for moves, which write several rows. */
export function operationRow(operation: Operation): string | undefined {
  return operation.op === 'move' ? undefined : writtenRows(operation)[0];
}

/**
 * Reduces operations to at most one update per row: later updates are merged into the first one, or into the operation
 * that created the row. Each row then has one `before` and one expected revision, so a single comparison suffices if
 * someone else changed the row.
 */
export function compactOperations(operations: readonly Operation[]): Operation[] {
  const result: Operation[] = [];
  const places = new Map<string, number>();
  for (const operation of operations) {
    const row = operationRow(operation);
    const place = row === undefined ? undefined : places.get(row);
    const earlier = place === undefined ? undefined : result[place];
    const folded = earlier && operation.op === 'update' ? mergeInto(earlier, operation) : undefined;
    if (folded && place !== undefined) {
      result[place] = folded;
      continue;
    }
    if (row !== undefined) places.set(row, result.length);
    result.push(operation);
  }
  return result;
}

function mergeInto(earlier: Operation, later: Extract<Operation, { op: 'update' }>): Operation | undefined {
  if (earlier.op === 'create') return { ...earlier, fields: { ...earlier.fields, ...later.fields } };
  if (earlier.op !== 'update') return undefined;
  const fields = { ...earlier.fields, ...later.fields };
  return { ...earlier, fields, before: { ...later.before, ...earlier.before } };
}

/** Replaces the ID of a row that the operation writes or refers to. */
export function replaceId(operation: Operation, kind: Kind, from: string, to: string): Operation {
  if (operation.op === 'workspace') return operation;
  if (operation.op === 'put' || isViewRow(operation) || kind === 'view')
    return replaceViewRowId(operation, kind, from, to);
  if (operation.op === 'move') {
    if (kind !== 'component') return operation;
    return {
      ...operation,
      moves: operation.moves.map((move) => (move.id === from ? { ...move, id: to } : move)),
    };
  }
  const id = operation.kind === kind && operation.id === from ? to : operation.id;
  if (kind !== 'component') return { ...operation, id };
  const fields = renamedIn(operation.fields, from, to);
  return operation.op === 'update'
    ? { ...operation, id, fields, before: renamedIn(operation.before, from, to) }
    : { ...operation, id, fields };
}

function isViewRow(operation: Operation): boolean {
  return 'kind' in operation && (operation.kind === 'view-place' || operation.kind === 'view-line');
}

/** Replaces an ID in the key of a row of a view, or the ID of a view. */
function replaceViewRowId(operation: Operation, kind: Kind, from: string, to: string): Operation {
  if (operation.op === 'move')
    return operation.viewId === from && kind === 'view' ? { ...operation, viewId: to } : operation;
  if (!('id' in operation)) return operation;
  if (operation.kind === kind && operation.id === from) return { ...operation, id: to };
  if (operation.kind === 'component' && kind === 'view') return opening(operation, from, to);
  if (operation.op !== 'put' && !isViewRow(operation)) return operation;
  const [viewId, id] = splitViewRowId(operation.id);
  const other = operation.kind === 'view-place' ? 'component' : 'relationship';
  const key = viewRowId(
    kind === 'view' && viewId === from ? to : viewId,
    kind === other && id === from ? to : id,
  );
  return { ...operation, id: key };
}

/** A component may open a view. */
function opening(operation: Extract<Operation, { fields: Fields }>, from: string, to: string): Operation {
  if (operation.fields.opens !== from) return operation;
  return { ...operation, fields: { ...operation.fields, opens: to } } as Operation;
}

const REFERENCES = ['sourceId', 'targetId', 'componentId'];

function renamedIn(fields: Fields, from: string, to: string): Fields {
  const next = { ...fields };
  for (const field of REFERENCES) if (next[field] === from) next[field] = to;
  if (next.participants) {
    const pairs = Object.entries(next.participants as Fields);
    next.participants = Object.fromEntries(pairs.map(([alias, id]) => [alias, id === from ? to : id]));
  }
  return next;
}
