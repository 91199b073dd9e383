/** What a person decides about an operation that met another's. */
import { free } from '@/core/model/ids';
import { newId } from './id';
import type { Clash } from './merge';
import { type Fields, needed, type Operation, touched } from './operation';
import { type Pending, type Queue, set, withId, without } from './queue';
import type { Rows } from './rows';
import { rebasedOn } from './verdict';

/** What to write where both changed the same field: by its name, `properties.tier` for one of the properties. */
export type Choices = ReadonlyMap<string, unknown>;

/** The queue with one's own version over the other's, each field as chosen; without choices all are one's own. */
export function keptMine(queue: Queue, key: string, choices: Choices = new Map()): Queue {
  const pending = queue.find((one) => one.key === key);
  if (!pending?.conflict) return queue;
  const operation = overTheirs(pending, choices);
  // What was refused once under its key must not be answered from memory.
  return set(queue, key, {
    key: newId(),
    state: 'waiting',
    operation,
    conflict: undefined,
    rebased: 0,
  } as Partial<Pending>);
}

function overTheirs({ operation, conflict }: Pending, choices: Choices): Operation {
  const theirs = conflict?.current as (Fields & { revision: number }) | null;
  if (conflict?.why === 'deleted' && operation.op === 'update') {
    return {
      op: 'create',
      kind: operation.kind,
      id: operation.id,
      fields: { ...writable(theirs), ...operation.fields },
    };
  }
  if (!theirs) return 'base' in operation ? { ...operation, base: 0 } : operation;
  if (operation.op === 'delete') return { ...operation, base: theirs.revision };
  if (operation.op !== 'update') return operation;
  const fields = { ...operation.fields };
  for (const { field, mine } of conflict?.clashes ?? []) {
    write(fields, theirs, field, choices.has(field) ? choices.get(field) : mine);
  }
  return rebasedOn(operation, mergedProperties(operation, fields, theirs), theirs);
}

/** Properties are replaced as a whole: what another changed beside ours stays theirs. */
function mergedProperties(
  { before }: Extract<Operation, { op: 'update' }>,
  fields: Fields,
  theirs: Fields,
): Fields {
  if (!('properties' in fields)) return fields;
  const was = (before.properties ?? {}) as Fields;
  const mine = fields.properties as Fields;
  const result: Fields = { ...(theirs.properties as Fields) };
  for (const name of new Set([...Object.keys(was), ...Object.keys(mine)])) {
    if (JSON.stringify(was[name]) === JSON.stringify(mine[name])) continue;
    if (mine[name] === undefined) delete result[name];
    else result[name] = mine[name];
  }
  return { ...fields, properties: result };
}

function write(fields: Fields, theirs: Fields, field: string, value: unknown): void {
  if (!field.startsWith('properties.')) {
    fields[field] = value ?? '';
    return;
  }
  const name = field.slice('properties.'.length);
  const properties = { ...((fields.properties ?? theirs.properties ?? {}) as Fields) };
  if (value === undefined || value === null) delete properties[name];
  else properties[name] = value;
  fields.properties = properties;
}

const STAMPS = new Set(['id', 'workspaceId', 'revision', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy']);

function writable(row: Fields | null): Fields {
  return Object.fromEntries(Object.entries(row ?? {}).filter(([field]) => !STAMPS.has(field)));
}

/** The queue where the other's version stays; what of one's own does not clash with it is written all the same. */
export function tookTheirs(queue: Queue, key: string): Queue {
  const pending = queue.find((one) => one.key === key);
  if (
    pending?.operation.op !== 'update' ||
    !pending.conflict?.current ||
    pending.conflict.why !== 'changed'
  ) {
    return without(queue, key);
  }
  const { clashes, current } = pending.conflict;
  const others = Object.keys(pending.operation.fields).filter(
    (field) => !clashes.some((clash) => clash.field === field || clash.field.startsWith(`${field}.`)),
  );
  if (others.length === 0 && clashes.every(({ field }) => !field.startsWith('properties.')))
    return without(queue, key);
  return keptMine(
    queue,
    key,
    new Map(clashes.map(({ field, theirs }: Clash) => [field, theirs ?? current[field]])),
  );
}

/** The queue where a new row has another id than the one that was taken. */
export function underId(queue: Queue, key: string, id: string): Queue {
  const pending = queue.find((one) => one.key === key);
  if (pending?.operation.op !== 'create') return queue;
  const { kind, id: taken } = pending.operation;
  const fresh = { key: newId(), state: 'waiting', conflict: undefined } as Partial<Pending>;
  return set(withId(queue, kind, taken, id), key, fresh);
}

/** An id like `taken` that no row of this kind has: `payments-2`. */
export function idLike(rows: Rows, queue: Queue, kind: keyof Rows & string, taken: string): string {
  const used = new Set([
    ...(rows[kind] as ReadonlyMap<string, unknown>).keys(),
    ...queue.flatMap(({ operation }) => ('id' in operation ? [operation.id] : [])),
  ]);
  // Longer than 128 characters no id may be; of processes, than 50.
  const stem = taken.slice(0, 44).replace(/-\d+$/, '');
  return free(stem, (id) => id === taken || used.has(id));
}

/** The queue without one, and without what makes no sense once that is gone: what hangs on a row that was to be new. */
export function discarded(queue: Queue, key: string): Queue {
  const first = queue.find((one) => one.key === key);
  const gone = new Set(first?.operation.op === 'create' ? touched(first.operation) : []);
  return queue.filter((pending) => {
    if (pending.key === key) return false;
    const { operation, state } = pending;
    const hangs = [...touched(operation), ...needed(operation)].some((row) => gone.has(row));
    // One that moves others too finds out by itself.
    if (!hangs || operation.op === 'move' || state === 'sending' || state === 'saved') return true;
    if (operation.op === 'create') for (const row of touched(operation)) gone.add(row);
    return false;
  });
}

/** The queue with a refused operation to be sent once more. */
export function retried(queue: Queue, key: string): Queue {
  return set(queue, key, { key: newId(), state: 'waiting', problem: undefined } as Partial<Pending>);
}
