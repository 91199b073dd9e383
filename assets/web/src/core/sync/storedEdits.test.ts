import { describe, expect, it } from 'vitest';
import { Outbox } from './outbox';
import { parseStoredEdits, type StoredQueue } from './storedEdits';
import { FakeServer } from './testing';

/** A record as written by clients of version 0.1: one entry per operation, a split move, and no incarnation. */
const OLD = {
  userId: 1,
  orgId: 'o',
  workspaceId: 'shop',
  window: 'w1',
  at: 1_700_000_000_000,
  queue: [
    entry('k1', 'paste', { op: 'create', kind: 'component', id: 'api', fields: { name: 'Api' } }),
    entry('k2', 'paste', { op: 'create', kind: 'component', id: 'db', fields: { name: 'Db' } }),
    entry('k3.0', 'move', { op: 'move', moves: [{ id: 'web', x: 5, y: 6 }] }, 'sending'),
    entry('k3.1', 'move', { op: 'move', moves: [{ id: 'api', x: 7, y: 8 }] }),
    entry('k4', 'rename', {
      op: 'update',
      kind: 'component',
      id: 'web',
      fields: { name: 'Web' },
      before: { name: 'web' },
      base: 3,
    }),
  ],
};

function entry(key: string, batch: string, operation: unknown, state = 'waiting') {
  return { key, batch, label: `Do ${batch}`, operation, state, at: 1_700_000_000_000 };
}

const read = (record: unknown) => parseStoredEdits(record as StoredQueue);

describe('stored records of earlier clients', () => {
  it('are read as one edit per batch, in order, with the parts of a split move merged', () => {
    const edits = read(OLD);
    expect(edits.map(({ id, label, operations }) => [id, label, operations.length])).toEqual([
      ['paste', 'Do paste', 2],
      ['move', 'Do move', 2],
      ['rename', 'Do rename', 1],
    ]);
    expect(edits.every(({ state, incarnation }) => state === 'waiting' && !incarnation)).toBe(true);
    expect(new Set(edits.map(({ key }) => key)).size).toBe(3);
  });

  it('are sent after the upgrade, for the current incarnation', async () => {
    const server = new FakeServer({ id: 'web', name: 'web', revision: 3 });
    const outbox = new Outbox('shop', server, { changed() {} });
    outbox.change(() => read(OLD));
    await new Promise<void>((resolve) => setTimeout(resolve));
    expect(server.requests).toEqual([
      ['create api', 'create db'],
      ['move web', 'move api'],
      ['update web {"name":"Web"}'],
      // The move is not compared with the row. The rename is merged with the row and sent again.
      ['update web {"name":"Web"}'],
    ]);
    expect(server.bodies.every(({ incarnation }) => incarnation === undefined)).toBe(true);
    expect(server.rows.get('api')).toMatchObject({ name: 'Api', x: 7, y: 8 });
    expect(outbox.queue.every(({ state }) => state === 'saved')).toBe(true);
  });

  it('separate operations that need a decision, and their dependents, from the rest of the batch', () => {
    const line = { sourceId: 'bad', targetId: 'api', typeId: 'calls' };
    const queue = [
      entry('k1', 'paste', { op: 'create', kind: 'component', id: 'api', fields: { name: 'Api' } }),
      entry('k2', 'paste', { op: 'create', kind: 'component', id: 'bad', fields: {} }, 'refused'),
      entry('k3', 'paste', { op: 'create', kind: 'relationship', id: 'r', fields: line }),
      entry('k4', 'other', { op: 'create', kind: 'component', id: 'x', fields: {} }, 'saved'),
    ];
    expect(
      read({ ...OLD, queue }).map(({ id, operations }) => [
        id,
        operations.map((operation) => ('id' in operation ? operation.id : '')),
      ]),
    ).toEqual([
      ['paste', ['api']],
      ['paste/undecided', ['bad', 'r']],
    ]);
  });

  it('are not written twice if they were already saved', async () => {
    const server = new FakeServer(
      { id: 'web', name: 'Web', revision: 4, x: 5, y: 6 },
      { id: 'api', name: 'Api', revision: 4 },
      { id: 'db', name: 'Db', revision: 4 },
    );
    const outbox = new Outbox('shop', server, { changed() {} });
    outbox.change(() => read(OLD));
    await new Promise<void>((resolve) => setTimeout(resolve));
    expect(outbox.queue.map(({ state }) => state)).toEqual(['saved', 'saved', 'saved']);
    expect(server.requests).toHaveLength(3);
    expect(server.rows.get('api')).toMatchObject({ name: 'Api', x: 7, y: 8 });
  });

  it('of the current client are read unchanged', () => {
    const edits = read(OLD);
    const [first, ...rest] = edits;
    expect(parseStoredEdits({ edits })).toEqual(edits);
    if (!first) throw new Error('no edit');
    expect(parseStoredEdits({ edits: [{ ...first, state: 'sending' }, ...rest] })[0]).toMatchObject({
      key: first.key,
      state: 'waiting',
      attempted: true,
    });
  });
});
