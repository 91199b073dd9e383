import { describe, expect, it } from 'vitest';
import type { Operation } from './operation';
import { Outbox } from './outbox';
import { createComponent, edit, editStates, flushPromises, rename, startOutbox } from './outboxTesting';
import { type Edit, recoverQueue, updateEdit } from './queue';
import { applyOutdatedEdit, resolveWithTheirs, withNewIds } from './resolve';
import type { FakeServer } from './testing';

describe('an outbox', () => {
  it('sends edits in order, each based on the previous one', async () => {
    const { server, outbox, add } = startOutbox();
    add(edit(rename('A')), edit(rename('AB', 'A')), edit(rename('ABC', 'AB')));
    await flushPromises();
    expect(server.requests).toEqual([
      ['update web {"name":"A"}'],
      ['update web {"name":"AB"}'],
      ['update web {"name":"ABC"}'],
    ]);
    expect(editStates(outbox.queue)).toEqual(['saved', 'saved', 'saved']);
  });

  it('starts the request before it notifies the listener, which draws the map, and notifies it once', () => {
    const events: string[] = [];
    const outbox = new Outbox(
      'shop',
      {
        send: () => {
          events.push('request');
          return new Promise(() => {});
        },
        refusalOf: () => null,
        isReady: () => true,
        now: () => 0,
        later: () => () => {},
      },
      { changed: ({ queue }) => events.push(editStates(queue).join()) },
    );
    outbox.change(() => [edit(rename('A'))]);
    expect(events).toEqual(['request', 'sending']);
    outbox.change((queue) => [...queue, edit(rename('AB', 'A'))]);
    expect(events).toEqual(['request', 'sending', 'sending,waiting']);
  });

  it('sends edits that are added during a request, each exactly once', async () => {
    const { server, add } = startOutbox();
    add(edit(rename('A')));
    add(edit(createComponent('api')));
    await flushPromises();
    add(edit(createComponent('db')));
    await flushPromises();
    expect(server.requests).toHaveLength(3);
  });

  it('preserves the order while the server is unreachable', async () => {
    const { server, outbox, add } = startOutbox();
    server.isOffline = true;
    add(edit(rename('A')));
    add(edit(createComponent('api')), edit(rename('B', 'A')));
    await flushPromises();
    server.wait();
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(outbox.isStalled).toBe(true);
    server.isOffline = false;
    outbox.nudge();
    await flushPromises();
    expect(server.requests.flat().map((operation) => operation.split(' ')[0])).toEqual([
      'update',
      'create',
      'update',
    ]);
    expect(server.rows.get('web')?.name).toBe('B');
  });

  it('waits until its author is signed in', async () => {
    const { server, outbox, add } = startOutbox();
    server.isReadyNow = false;
    add(edit(rename('A')));
    await flushPromises();
    expect(server.requests).toEqual([]);
    server.isReadyNow = true;
    outbox.nudge();
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['saved']);
  });

  it('does not write an edit twice if only the response was lost', async () => {
    const { server, outbox, add } = startOutbox();
    server.lostResponses = 2;
    add(edit(rename('A')), edit(createComponent('api')));
    await flushPromises();
    server.wait();
    await flushPromises();
    server.wait();
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['saved', 'saved']);
    expect(server.revision).toBe(12);
  });

  it('resends the edit that was being sent when the window was closed', async () => {
    const { server, add } = startOutbox();
    add(...recoverQueue([{ ...edit(rename('A')), state: 'sending' }]));
    await flushPromises();
    expect(server.rows.get('web')?.name).toBe('A');
  });
});

describe('an edit with many operations', () => {
  const paste = () => {
    const ids = Array.from({ length: 500 }, (_, at) => `c${at}`);
    const lines = Array.from({ length: 1000 }, (_, at): Operation => {
      const fields = { sourceId: `c${at % 500}`, targetId: `c${(at + 1) % 500}`, typeId: 'calls' };
      return { op: 'create', kind: 'relationship', id: `r${at}`, fields };
    });
    return edit(...ids.map((id) => createComponent(id)), ...lines);
  };

  it('is one request and one change set', async () => {
    const { server, outbox, add } = startOutbox();
    add(paste());
    await flushPromises();
    expect(server.requests.map((request) => request.length)).toEqual([1500]);
    expect(outbox.queue).toMatchObject([{ state: 'saved', changeSetId: 'set 11', revision: 11 }]);
  });

  it('is atomic: if one operation is rejected, none is saved', async () => {
    const { server, outbox, add } = startOutbox();
    server.writeAsOther('c7', { name: 'theirs' });
    add(paste());
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['conflict']);
    expect(server.rows.size).toBe(2);
    outbox.change((queue) => withNewIds(queue, queue[0]?.id ?? '', ({ id }) => `${id}-2`));
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['saved']);
    expect(server.rows.get('r7')).toMatchObject({ sourceId: 'c7-2' });
    expect(server.rows.get('c7')?.name).toBe('theirs');
  });

  it('is merged with all concurrent changes in one request', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ id: `c${at}`, name: 'was', revision: 3 }));
    const { server, outbox, add } = startOutbox(...rows);
    for (const { id } of rows) server.writeAsOther(id, { description: 'theirs' });
    const renames = rows.map(({ id }): Operation => ({ ...rename('mine', 'was'), id }) as Operation);
    add(edit(...renames));
    await flushPromises();
    expect(server.requests).toHaveLength(2);
    expect(server.rows.get('c49')).toMatchObject({ name: 'mine', description: 'theirs' });
    expect(editStates(outbox.queue)).toEqual(['saved']);
  });

  it('needs decisions only about conflicts, and is then saved as a whole', async () => {
    const { server, outbox, add } = startOutbox(
      { id: 'web', name: 'web', revision: 3 },
      { id: 'api', name: 'api', revision: 3 },
      { id: 'db', name: 'db', revision: 3 },
    );
    server.writeAsOther('web', { name: 'theirs' });
    server.writeAsOther('api', { description: 'theirs' });
    server.rows.delete('db');
    const to = (id: string): Operation => ({ ...rename('mine', id), id }) as Operation;
    add(edit(to('web'), to('api'), to('db'), { op: 'move', moves: [{ id: 'db', x: 1, y: 1 }] }));
    await flushPromises();
    expect(outbox.queue[0]?.conflicts?.map(({ why, index }) => [why, index])).toEqual([
      ['changed', 0],
      ['deleted', 2],
    ]);
    expect(server.revision).toBe(12);
    outbox.change((queue) => resolveWithTheirs(queue, queue[0]?.id ?? ''));
    await flushPromises();
    expect(server.requests.at(-1)).toEqual(['update api {"name":"mine"}']);
    expect(server.rows.get('web')?.name).toBe('theirs');
  });

  it('lets later operations and edits refer to a stakeholder without an ID', async () => {
    const { server, outbox, add } = startOutbox();
    const attach: Operation = {
      op: 'create',
      kind: 'stakeholder',
      id: 'new-1',
      fields: { componentId: 'web', personId: 'ada', linkType: 'owner', person: { id: 'ada', name: 'Ada' } },
    };
    const roleChange: Operation = {
      op: 'update',
      kind: 'stakeholder',
      id: 'new-1',
      fields: { linkType: 'support' },
      before: { linkType: 'owner' },
      base: 0,
    };
    add(edit(createComponent('api'), attach), edit(roleChange));
    await flushPromises();
    expect(server.bodies[0]?.operations?.[1]).toEqual({
      op: 'create',
      kind: 'stakeholder',
      ref: 'new-1',
      row: { componentId: 'web', personId: 'ada', linkType: 'owner' },
    });
    expect(server.bodies[1]?.operations?.[0]).toMatchObject({ op: 'update', id: 101, revision: 11 });
    expect(editStates(outbox.queue)).toEqual(['saved', 'saved']);
    expect(server.rows.get('101')?.linkType).toBe('support');
  });

  it('does not send an expected revision for a row that it has already written', async () => {
    const { server, add } = startOutbox();
    add(edit({ op: 'move', moves: [{ id: 'web', x: 1, y: 2 }] }, rename('A')));
    await flushPromises();
    expect(server.bodies[0]?.operations).toEqual([
      { op: 'move', positions: [{ id: 'web', x: 1, y: 2, revision: 3 }] },
      { op: 'update', kind: 'component', id: 'web', fields: { name: 'A' } },
    ]);
  });

  it('does not overwrite later changes if it was saved without a response', async () => {
    const { server, outbox, add } = startOutbox();
    server.lostResponses = 1;
    add(edit(rename('A')), edit(rename('B', 'A')));
    await flushPromises();
    server.writeAsOther('web', { name: 'theirs' });
    server.wait();
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['saved', 'conflict']);
    expect(server.rows.get('web')?.name).toBe('theirs');
  });
});

describe('a move whose response was lost', () => {
  const move = (): Edit => ({
    ...edit({ op: 'move', moves: [{ id: 'web', x: 5, y: 6 }] }),
    seen: { 'component/web': { revision: 3, x: 0, y: 0 } },
  });
  const start = async (isSaved: boolean) => {
    const { server, outbox, add } = startOutbox({ id: 'web', name: 'web', x: 0, y: 0, revision: 3 });
    if (isSaved) server.lostResponses = 1;
    else server.isOffline = true;
    add(move());
    await flushPromises();
    server.isOffline = false;
    const repeat = async (hours: number) => {
      server.time += hours * 3_600_000;
      server.wait();
      await flushPromises();
    };
    return { server, outbox, repeat };
  };
  const position = (server: FakeServer) => [server.rows.get('web')?.x, server.rows.get('web')?.y];

  it('is repeated unchanged while the server keeps the response', async () => {
    const { server, outbox, repeat } = await start(true);
    server.writeAsOther('web', { x: 70, y: 80 });
    await repeat(22);
    expect(server.bodies[1]).toEqual(server.bodies[0]);
    expect(position(server)).toEqual([70, 80]);
    expect(editStates(outbox.queue)).toEqual(['saved']);
  });

  it('does not overwrite newer positions later', async () => {
    for (const isSaved of [true, false]) {
      const { server, outbox, repeat } = await start(isSaved);
      server.writeAsOther('web', { x: 70, y: 80 });
      await repeat(60);
      expect(server.bodies.at(-1)?.operations).toEqual([
        { op: 'move', positions: [{ id: 'web', x: 5, y: 6, revision: 3 }] },
      ]);
      expect(position(server)).toEqual([70, 80]);
      expect(outbox.queue).toMatchObject([{ state: 'saved', changeSetId: undefined }]);
    }
  });

  it('is saved later if nobody has moved the component since', async () => {
    for (const other of [{}, { name: 'renamed' }]) {
      const { server, outbox, repeat } = await start(false);
      if ('name' in other) server.writeAsOther('web', other);
      await repeat(60);
      expect(position(server)).toEqual([5, 6]);
      expect(server.rows.get('web')).toMatchObject(other);
      expect(editStates(outbox.queue)).toEqual(['saved']);
    }
  });
});

describe('the access to a workspace', () => {
  it.each([
    [{ visibility: 'org' }, { visibility: 'private' }],
    [{ organizationAccess: 'view' }, { organizationAccess: 'edit' }],
  ])('is changed by a separate request, which is undone by its change set', async (before, fields) => {
    const { server, outbox, add } = startOutbox();
    add(edit({ op: 'workspace', fields, before }));
    await flushPromises();
    expect(server.bodies).toEqual([fields]);
    expect(outbox.queue).toMatchObject([{ state: 'saved', changeSetId: 'set 11', revision: 11 }]);
  });

  it('is undone by its label if it was undone while its outcome was unknown', async () => {
    const { server, outbox, add } = startOutbox();
    server.lostResponses = 1;
    const isRepeated = () => server.bodies.length > 1;
    server.responseOf = ({ method }) =>
      method === 'PATCH'
        ? { workspace: { revision: 11 }, ...(isRepeated() ? {} : { changeSetId: 'set 11' }) }
        : { revision: 12, changeSetId: 'set 12' };
    add(edit({ op: 'workspace', fields: { visibility: 'private' }, before: { visibility: 'org' } }));
    await flushPromises();
    const id = outbox.queue[0]?.id ?? '';
    outbox.change((queue) => updateEdit(queue, id, { cancelled: true }));
    outbox.nudge();
    await flushPromises();
    expect(server.bodies).toEqual([{ visibility: 'private' }, { visibility: 'private' }, { batchId: id }]);
    expect(outbox.queue).toEqual([]);
  });
});

describe('an edit that was undone while its outcome was unknown', () => {
  it('is dropped if it changed nothing', async () => {
    const { server, outbox, add } = startOutbox();
    server.lostResponses = 1;
    server.responseOf = () => ({ revision: 10 });
    add(edit(rename('A')));
    await flushPromises();
    outbox.change((queue) => updateEdit(queue, queue[0]?.id ?? '', { cancelled: true }));
    outbox.nudge();
    await flushPromises();
    expect(server.requests).toHaveLength(2);
    expect(outbox.queue).toEqual([]);
  });

  it('is undone on the server in both cases', async () => {
    for (const loses of [0, 1]) {
      const { server, outbox, add } = startOutbox();
      server.lostResponses = loses;
      server.isOffline = loses === 0;
      add(edit(rename('A')));
      await flushPromises();
      expect(outbox.queue).toMatchObject([{ state: 'waiting', attempted: true }]);
      outbox.change((queue) => updateEdit(queue, queue[0]?.id ?? '', { cancelled: true }));
      server.isOffline = false;
      outbox.nudge();
      await flushPromises();
      expect(server.undone).toEqual(['set 11']);
      expect(outbox.queue).toEqual([]);
    }
  });
});

describe('edits made before the server was restored', () => {
  const old = (edit: Edit): Edit => ({ ...edit, incarnation: 'before' });

  it('are rejected once, kept for review, and do not block later edits', async () => {
    const { server, outbox, add } = startOutbox();
    add(old(edit(rename('old'))), old(edit(createComponent('api'))), edit(rename('new')));
    await flushPromises();
    expect(editStates(outbox.queue)).toEqual(['outdated', 'outdated', 'saved']);
    expect(server.requests).toHaveLength(2);
    expect(server.rows.get('web')?.name).toBe('new');
    expect(recoverQueue(outbox.queue).map(({ state }) => state)).toEqual(['outdated', 'outdated']);
  });

  const rowsOf = (server: FakeServer) =>
    ({
      component: server.rows,
      relationship: new Map(),
      stakeholder: new Map(),
      process: new Map(),
      incarnation: server.incarnation,
    }) as unknown as Parameters<typeof applyOutdatedEdit>[2];

  it('can be applied to the current rows', async () => {
    const { server, outbox, add } = startOutbox();
    add(
      old(edit(createComponent('api'), rename('old'), { op: 'move', moves: [{ id: 'gone', x: 1, y: 1 }] })),
    );
    await flushPromises();
    outbox.change((queue) => applyOutdatedEdit(queue, queue[0]?.id ?? '', rowsOf(server)));
    await flushPromises();
    expect(server.bodies.at(-1)?.incarnation).toBe('first');
    expect(server.requests.at(-1)).toEqual(['create api', 'update web {"name":"old"}']);
    expect(editStates(outbox.queue)).toEqual(['saved']);
  });

  it('need a decision before they overwrite other values, even if the revisions match', async () => {
    const { server, outbox, add } = startOutbox({ id: 'web', name: 'other', revision: 3 });
    add(old(edit(rename('old'))));
    await flushPromises();
    outbox.change((queue) => applyOutdatedEdit(queue, queue[0]?.id ?? '', rowsOf(server)));
    await flushPromises();
    expect(outbox.queue[0]).toMatchObject({ state: 'conflict', conflicts: [{ why: 'changed' }] });
    expect(server.rows.get('web')?.name).toBe('other');
  });
});
