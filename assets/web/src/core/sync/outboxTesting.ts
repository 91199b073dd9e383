/** Test support for the outbox. */
import type { Operation } from './operation';
import { Outbox } from './outbox';
import type { Edit, Queue } from './queue';
import { type FakeRow, FakeServer, RejectedRequest } from './testing';

let count = 0;

/** An unsent edit with these operations. */
export function edit(...operations: Operation[]): Edit {
  count += 1;
  return { id: `e${count}`, key: `k${count}`, label: 'x', operations, state: 'waiting', at: count };
}

/** An operation that renames the component `web`. */
export const rename = (to: string, from = 'web', base = 3): Operation => ({
  op: 'update',
  kind: 'component',
  id: 'web',
  fields: { name: to },
  before: { name: from },
  base,
});

/** An operation that creates a component. */
export const createComponent = (id: string, name = id): Operation => ({
  op: 'create',
  kind: 'component',
  id,
  fields: { name },
});

/** A fake server with these rows, and an outbox for it. */
export function startOutbox(...rows: FakeRow[]) {
  const server = new FakeServer(...(rows.length > 0 ? rows : [{ id: 'web', name: 'web', revision: 3 }]));
  const outbox = new Outbox('shop', server, { changed() {} });
  const add = (...edits: Edit[]) => outbox.change((queue) => [...queue, ...edits]);
  return { server, outbox, add };
}

/** Rejects requests that contain an operation of this kind. */
export const rejecting =
  (op: string, status: number) =>
  ({ body }: { body: unknown }) =>
    (body as { operations: { op: string }[] }).operations.some((operation) => operation.op === op)
      ? new RejectedRequest(status)
      : undefined;

/** Waits until pending promises are settled. */
export const flushPromises = () => new Promise<void>((resolve) => setTimeout(resolve));
/** The state of each edit. */
export const editStates = (queue: Queue) => queue.map(({ state }) => state);
