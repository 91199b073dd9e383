import { describe, expect, it } from 'vitest';
import type { Operation } from './operation';
import {
  createComponent,
  edit,
  editStates,
  flushPromises,
  rejecting,
  rename,
  startOutbox,
} from './outboxTesting';
import { unsavedEdits } from './queue';
import { discardEdit, resolveWithMine, resolveWithTheirs, withNewIds } from './resolve';
import { RejectedRequest } from './testing';

describe('a conflict', () => {
  it('that is detected after the server was unreachable ends the offline state', async () => {
    const { server, outbox, add } = startOutbox();
    server.isOffline = true;
    add(edit(rename('mine')));
    await flushPromises();
    expect(outbox.isStalled).toBe(true);
    server.isOffline = false;
    server.writeAsOther('web', { name: 'theirs' });
    server.wait();
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['conflict']);
    expect(outbox.isStalled).toBe(false);
  });

  it('on different fields is merged', async () => {
    const { server, outbox, add } = startOutbox();
    server.writeAsOther('web', { description: 'theirs' });
    add(edit(rename('A')));
    await flushPromises();
    expect(server.rows.get('web')).toMatchObject({ name: 'A', description: 'theirs' });
    expect(unsavedEdits(outbox.queue)).toEqual([]);
  });

  it('on the same field offers both values, and later edits of the row wait', async () => {
    const { server, outbox, add } = startOutbox();
    server.writeAsOther('web', { name: 'theirs' });
    add(edit(rename('mine')), edit(rename('mine too', 'mine')), edit(createComponent('api')));
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['conflict', 'waiting', 'saved']);
    expect(outbox.isStalled).toBe(false);
    expect(outbox.queue[0]?.conflicts?.[0]).toMatchObject({
      why: 'changed',
      fieldConflicts: [{ field: 'name', mine: 'mine', theirs: 'theirs' }],
      by: { displayName: 'Ada' },
    });
  });

  it("resolved with the user's value overwrites the other value", async () => {
    const { server, outbox, add } = startOutbox();
    server.writeAsOther('web', { name: 'theirs' });
    add(edit(rename('mine')), edit(rename('mine too', 'mine')));
    await flushPromises();
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? ''));
    await flushPromises();
    expect(server.rows.get('web')?.name).toBe('mine too');
    expect(unsavedEdits(outbox.queue)).toEqual([]);
  });

  it('resolved with the other value still writes the remaining fields', async () => {
    const { server, outbox, add } = startOutbox();
    server.writeAsOther('web', { name: 'theirs' });
    const both = { ...rename('mine'), fields: { name: 'mine', description: 'also mine' } } as Operation;
    add(edit(both));
    await flushPromises();
    outbox.change((queue) => resolveWithTheirs(queue, queue[0]?.id ?? ''));
    await flushPromises();
    expect(server.rows.get('web')).toMatchObject({ name: 'theirs', description: 'also mine' });
  });

  it('resolved manually writes the merged value', async () => {
    const { server, outbox, add } = startOutbox();
    server.writeAsOther('web', { name: 'theirs' });
    add(edit(rename('mine')));
    await flushPromises();
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? '', new Map([['0/name', 'both']])));
    await flushPromises();
    expect(server.rows.get('web')?.name).toBe('both');
  });

  it("on one property keeps the other user's properties", async () => {
    const { server, outbox, add } = startOutbox({
      id: 'web',
      revision: 3,
      properties: { tier: 1, zone: 'a' },
    });
    server.writeAsOther('web', { properties: { tier: 2, zone: 'b' } });
    const before = { properties: { tier: 1, zone: 'a' } };
    const fields = { properties: { tier: 3, zone: 'a', mine: true } };
    add(edit({ op: 'update', kind: 'component', id: 'web', fields, before, base: 3 }));
    await flushPromises();
    expect(outbox.queue[0]?.conflicts?.[0]?.fieldConflicts.map(({ field }) => field)).toEqual([
      'properties.tier',
    ]);
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? ''));
    await flushPromises();
    expect(server.rows.get('web')?.properties).toEqual({ tier: 3, zone: 'b', mine: true });
  });

  it('with a deletion can be resolved by restoring the row', async () => {
    const { server, outbox, add } = startOutbox();
    server.rows.delete('web');
    add(edit(rename('mine')));
    await flushPromises();
    expect(outbox.queue[0]?.conflicts?.[0]?.why).toBe('deleted');
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? ''));
    await flushPromises();
    expect(server.rows.get('web')?.name).toBe('mine');
  });

  it('with a deleted component in a move still moves the other components', async () => {
    const { server, outbox, add } = startOutbox();
    add(
      edit({
        op: 'move',
        moves: [
          { id: 'gone', x: 1, y: 1 },
          { id: 'web', x: 5, y: 6 },
        ],
      }),
    );
    await flushPromises();
    expect(server.rows.get('web')).toMatchObject({ x: 5, y: 6 });
    expect(unsavedEdits(outbox.queue)).toEqual([]);
  });

  it('between a deletion and new text needs a decision, but not between a deletion and a move', async () => {
    const { server, outbox, add } = startOutbox();
    server.writeAsOther('web', { x: 500 });
    add(edit({ op: 'delete', kind: 'component', id: 'web', base: 3, fields: { name: 'web' } }));
    await flushPromises();
    expect(server.rows.has('web')).toBe(false);
    server.writeAsOther('api', { name: 'renamed' });
    add(edit({ op: 'delete', kind: 'component', id: 'api', base: 3, fields: { name: 'api' } }));
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['saved', 'conflict']);
  });

  it('that keeps recurring needs a decision', async () => {
    const { server, outbox, add } = startOutbox();
    const send = server.send.bind(server);
    server.send = async (request) => {
      server.writeAsOther('web', { description: String(server.revision) });
      return send(request);
    };
    add(edit(rename('mine')));
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['conflict']);
    expect(server.requests.length).toBeLessThan(12);
  });
});

describe('a rejected edit', () => {
  it('is kept with the reason, and does not block other edits', async () => {
    const { server, outbox, add } = startOutbox();
    server.rejectionOf = rejecting('update', 403);
    add(edit(rename('A')), edit(createComponent('api')));
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['refused', 'saved']);
    expect(outbox.queue[0]?.problem).toBe('rejected with 403');
  });

  it('blocks the edits that depend on it', async () => {
    const { server, outbox, add } = startOutbox();
    server.rejectionOf = rejecting('create', 400);
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    add(edit(createComponent('api')), edit({ op: 'create', kind: 'relationship', id: 'r', fields }));
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['refused', 'waiting']);
  });

  it('is discarded with the edits that depend on it', async () => {
    const { server, outbox, add } = startOutbox();
    server.rejectionOf = rejecting('create', 400);
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    add(
      edit(createComponent('api')),
      edit({ op: 'create', kind: 'relationship', id: 'r', fields }),
      edit(rename('A')),
    );
    await flushPromises();
    outbox.change((queue) => discardEdit(queue, queue[0]?.id ?? ''));
    await flushPromises();
    expect(outbox.queue.map(({ operations }) => operations[0]?.op)).toEqual(['update']);
    expect(server.rows.has('r')).toBe(false);
  });

  it('for an ID that is taken can get another ID, and references are updated', async () => {
    const { server, outbox, add } = startOutbox();
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    server.writeAsOther('api', { name: 'theirs' });
    add(edit(createComponent('api', 'mine')), edit({ op: 'create', kind: 'relationship', id: 'r', fields }));
    await flushPromises();
    expect(outbox.queue[0]?.conflicts?.[0]?.why).toBe('taken');
    outbox.change((queue) => withNewIds(queue, queue[0]?.id ?? '', ({ id }) => `${id}-2`));
    await flushPromises();
    expect(server.rows.get('api')?.name).toBe('theirs');
    expect(server.rows.get('api-2')?.name).toBe('mine');
    expect(server.rows.get('r')?.targetId).toBe('api-2');
  });
});

describe('the reason of a rejection', () => {
  const attach: Operation = {
    op: 'create',
    kind: 'stakeholder',
    id: 'new-9',
    fields: { componentId: 'web', personId: 'ada', linkType: 'owner', person: { id: 'ada', name: 'Ada' } },
  };
  const found = (why: string, current: unknown, message = 'in the way') =>
    new RejectedRequest(409, {
      conflicts: [{ index: 0, kind: 'stakeholder', id: null, why, current, message }],
    });

  it('can be that the row already exists, in which case later edits use that row', async () => {
    const { server, outbox, add } = startOutbox(
      { id: 7, linkType: 'owner', revision: 3 },
      { id: 'web', name: 'web', revision: 3 },
    );
    server.rejectionOf = ({ body }) =>
      (body as { operations: { op: string }[] }).operations[0]?.op === 'create'
        ? found('taken', { id: 7, componentId: 'web', personId: 'ada', linkType: 'owner', revision: 3 })
        : undefined;
    const roleChange: Operation = {
      op: 'update',
      kind: 'stakeholder',
      id: 'new-9',
      fields: { linkType: 'support' },
      before: { linkType: 'owner' },
      base: 0,
    };
    add(edit(attach, rename('A')), edit(roleChange));
    await flushPromises();
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]).toEqual(['update web {"name":"A"}']);
    expect(editStates(outbox.queue)).toEqual(['saved', 'saved']);
    expect(server.rows.get('7')?.linkType).toBe('support');
  });

  it('is the message of the server if there is nothing to resolve', async () => {
    const { server, outbox, add } = startOutbox();
    server.rejectionOf = () => found('missing', null, 'role `owner` does not exist');
    add(edit(attach, rename('A')));
    await flushPromises();
    expect(server.requests).toHaveLength(1);
    expect(outbox.queue).toMatchObject([{ state: 'refused', problem: 'role `owner` does not exist' }]);
  });

  it('omits the path of the operation in the request', async () => {
    const { server, outbox, add } = startOutbox();
    server.rejectionOf = ({ body }) => {
      const { operations } = body as { operations: unknown[] };
      const path = ['operations', operations.length - 1, 'row', 'typeId'];
      return new RejectedRequest(400, {
        path,
        problem: { kind: 'other', message: 'no type `nonsense` exists' },
      });
    };
    const bad = {
      ...createComponent('bad', 'Bad'),
      fields: { name: 'Bad', typeId: 'nonsense' },
    } as Operation;
    add(edit(bad), edit(createComponent('good'), { ...bad, id: 'worse' } as Operation));
    await flushPromises();
    expect(outbox.queue.map(({ problem }) => problem)).toEqual([
      'typeId: no type `nonsense` exists',
      'Add component “Bad”: typeId: no type `nonsense` exists',
    ]);
  });

  it('can be an open conflict of an earlier edit', async () => {
    const { server, outbox, add } = startOutbox();
    server.rejectionOf = () =>
      new RejectedRequest(409, {
        conflicts: [
          { index: 0, kind: 'component', id: 'web', why: 'deleted', current: null },
          { index: 1, kind: 'relationship', id: 'r', why: 'missing', current: null },
        ],
      });
    const fields = { sourceId: 'web', targetId: 'web', typeId: 'calls' };
    add(edit(rename('A'), { op: 'create', kind: 'relationship', id: 'r', fields }));
    await flushPromises();
    expect(outbox.queue).toMatchObject([{ state: 'conflict', conflicts: [{ index: 0, why: 'deleted' }] }]);
  });
});
