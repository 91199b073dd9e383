/** What becomes of an operation that the server did not take. */
import type { ErrorBody } from '@/api/generated';
import { merge, same } from './merge';
import type { Fields, Operation } from './operation';
import type { Conflict, Pending } from './queue';

/** How the server refused. */
export interface Refusal {
  status: number;
  /** Whether the same request may succeed later. */
  isPassing: boolean;
  /** How long to wait, in milliseconds, where the server said so. */
  retryAfter?: number | undefined;
  /** In words, for a person. */
  message: string;
  body: Partial<ErrorBody>;
}

export type Verdict =
  /** The server is away, or wants to know who asks: later, the same. */
  | { is: 'wait'; milliseconds?: number | undefined }
  /** It is so already, in this revision of the row. */
  | { is: 'done'; revision: number }
  /** Send it again, on top of what others wrote. */
  | { is: 'again'; operation: Operation }
  /** One row of several is gone: each on its own. */
  | { is: 'split'; operations: readonly Operation[] }
  | { is: 'conflict'; conflict: Conflict }
  | { is: 'refused'; problem: string };

type Row = Fields & { revision: number };

/** Somebody else writes the same row so often that it is better to ask than to go on. */
const ENOUGH = 8;

export function verdict(pending: Pending, refusal: Refusal): Verdict {
  const { operation } = pending;
  const { status, isPassing, retryAfter, message, body } = refusal;
  if (isPassing || status === 401) return { is: 'wait', milliseconds: retryAfter };
  if (status === 412) return raced(pending, body);
  if (status === 404 && operation.op === 'delete') return { is: 'done', revision: 0 };
  if (status === 404 && operation.op === 'move') return moved(operation);
  if (status === 404 && operation.op === 'update' && !body.field) {
    return { is: 'conflict', conflict: { why: 'deleted', clashes: [], current: null, by: null } };
  }
  if (status === 409 && operation.op === 'create' && operation.kind !== 'stakeholder') {
    return { is: 'conflict', conflict: { why: 'taken', clashes: [], current: null, by: null } };
  }
  return { is: 'refused', problem: message };
}

/** To move what is gone means nothing; the others go where they should. */
function moved({ moves }: Extract<Operation, { op: 'move' }>): Verdict {
  if (moves.length === 1) return { is: 'done', revision: 0 };
  return { is: 'split', operations: moves.map((move) => ({ op: 'move', moves: [move] })) };
}

function raced({ operation, rebased = 0 }: Pending, { current, changedBy }: Partial<ErrorBody>): Verdict {
  const theirs = (current ?? null) as Row | null;
  const conflict = (clashes: Conflict['clashes']): Verdict => ({
    is: 'conflict',
    conflict: {
      why: theirs ? 'changed' : 'deleted',
      clashes,
      current: theirs,
      by: changedBy ?? null,
      ...(typeof theirs?.updatedAt === 'number' ? { at: theirs.updatedAt } : {}),
    },
  });
  if (operation.op === 'update' && theirs) {
    const { fields, clashes } = merge(operation.before, operation.fields, theirs);
    if (clashes.length > 0 || rebased >= ENOUGH) return conflict(clashes);
    // Also where an earlier sending had arrived and only its answer was lost.
    if (Object.entries(fields).every(([field, value]) => same(value, theirs[field]))) {
      return { is: 'done', revision: theirs.revision };
    }
    return { is: 'again', operation: rebasedOn(operation, fields, theirs) };
  }
  if (operation.op === 'delete' && theirs && rebased < ENOUGH && saysTheSame(operation.fields, theirs)) {
    return { is: 'again', operation: { ...operation, base: theirs.revision } };
  }
  return conflict([]);
}

/** An update that was meant for an older state, as one of the state that there is now. */
export function rebasedOn(
  operation: Extract<Operation, { op: 'update' }>,
  fields: Fields,
  theirs: Row,
): Operation {
  const before = Object.fromEntries(Object.keys(operation.fields).map((field) => [field, theirs[field]]));
  return { ...operation, fields, before, base: theirs.revision };
}

const PASSING = new Set([
  'x',
  'y',
  'revision',
  'updatedAt',
  'updatedBy',
  'createdAt',
  'createdBy',
  'componentId',
]);

/** Whether a row that is to be deleted says what it said when that was decided; where it stands does not matter. */
function saysTheSame(seen: Fields, theirs: Row): boolean {
  const fields = Object.keys(seen).filter((field) => !PASSING.has(field));
  return fields.length > 0 && fields.every((field) => same(seen[field], theirs[field]));
}
