import { describe, expect, it } from 'vitest';
import type { Operation } from './operation';
import { Outbox } from './outbox';
import { type Edit, type Queue, recoverQueue, unsavedEdits, updateEdit } from './queue';
import { applyOutdatedEdit, discardEdit, resolveWithMine, resolveWithTheirs, withNewIds } from './resolve';
import { FakeServer, Refused, type Row } from './testing';

let count = 0;

function does(...operations: Operation[]): Edit {
  count += 1;
  return { id: `e${count}`, key: `k${count}`, label: 'x', operations, state: 'waiting', at: count };
}

const rename = (to: string, from = 'web', base = 3): Operation => ({
  op: 'update',
  kind: 'component',
  id: 'web',
  fields: { name: to },
  before: { name: from },
  base,
});

const make = (id: string, name = id): Operation => ({
  op: 'create',
  kind: 'component',
  id,
  fields: { name },
});

function stage(...rows: Row[]) {
  const server = new FakeServer(...(rows.length > 0 ? rows : [{ id: 'web', name: 'web', revision: 3 }]));
  const outbox = new Outbox('shop', server, { changed() {} });
  const add = (...edits: Edit[]) => outbox.change((queue) => [...queue, ...edits]);
  return { server, outbox, add };
}

/** Refuses requests that have such an operation. */
const refusing =
  (op: string, status: number) =>
  ({ body }: { body: unknown }) =>
    (body as { operations: { op: string }[] }).operations.some((one) => one.op === op)
      ? new Refused(status)
      : undefined;

const calm = () => new Promise<void>((resolve) => setTimeout(resolve));
const states = (queue: Queue) => queue.map(({ state }) => state);

describe('an outbox', () => {
  it('sends one after the other, each on top of the one before', async () => {
    const { server, outbox, add } = stage();
    add(does(rename('A')), does(rename('AB', 'A')), does(rename('ABC', 'AB')));
    await calm();
    expect(server.asked).toEqual([
      ['update web {"name":"A"}'],
      ['update web {"name":"AB"}'],
      ['update web {"name":"ABC"}'],
    ]);
    expect(states(outbox.queue)).toEqual(['saved', 'saved', 'saved']);
  });

  it('sends what is added while something is on its way, and nothing twice', async () => {
    const { server, add } = stage();
    add(does(rename('A')));
    add(does(make('api')));
    await calm();
    add(does(make('db')));
    await calm();
    expect(server.asked).toHaveLength(3);
  });

  it('keeps all in order while the server is away', async () => {
    const { server, outbox, add } = stage();
    server.isAway = true;
    add(does(rename('A')));
    add(does(make('api')), does(rename('B', 'A')));
    await calm();
    server.wait();
    await calm();
    expect(states(outbox.queue)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(outbox.isHeldUp).toBe(true);
    server.isAway = false;
    outbox.nudge();
    await calm();
    expect(server.asked.flat().map((one) => one.split(' ')[0])).toEqual(['update', 'create', 'update']);
    expect(server.rows.get('web')?.name).toBe('B');
  });

  it('waits for its author to be signed in, and goes on then', async () => {
    const { server, outbox, add } = stage();
    server.isReadyNow = false;
    add(does(rename('A')));
    await calm();
    expect(server.asked).toEqual([]);
    server.isReadyNow = true;
    outbox.nudge();
    await calm();
    expect(states(outbox.queue)).toEqual(['saved']);
  });

  it('does not write twice what had arrived when only the answer was lost', async () => {
    const { server, outbox, add } = stage();
    server.loses = 2;
    add(does(rename('A')), does(make('api')));
    await calm();
    server.wait();
    await calm();
    server.wait();
    await calm();
    expect(states(outbox.queue)).toEqual(['saved', 'saved']);
    expect(server.revision).toBe(12);
  });

  it('sends again what was on its way when the window closed', async () => {
    const { server, add } = stage();
    add(...recoverQueue([{ ...does(rename('A')), state: 'sending' }]));
    await calm();
    expect(server.rows.get('web')?.name).toBe('A');
  });
});

describe('somebody else was faster', () => {
  it('while the server was away: that it is back shows, also where one has to decide', async () => {
    const { server, outbox, add } = stage();
    server.isAway = true;
    add(does(rename('mine')));
    await calm();
    expect(outbox.isHeldUp).toBe(true);
    server.isAway = false;
    server.writes('web', { name: 'theirs' });
    server.wait();
    await calm();
    expect(states(outbox.queue)).toEqual(['conflict']);
    expect(outbox.isHeldUp).toBe(false);
  });

  it('with another field: both stand', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { description: 'theirs' });
    add(does(rename('A')));
    await calm();
    expect(server.rows.get('web')).toMatchObject({ name: 'A', description: 'theirs' });
    expect(unsavedEdits(outbox.queue)).toEqual([]);
  });

  it('with the same field: both are offered, and what follows on that row waits', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { name: 'theirs' });
    add(does(rename('mine')), does(rename('mine too', 'mine')), does(make('api')));
    await calm();
    expect(states(outbox.queue)).toEqual(['conflict', 'waiting', 'saved']);
    expect(outbox.isHeldUp).toBe(false);
    expect(outbox.queue[0]?.conflicts?.[0]).toMatchObject({
      why: 'changed',
      clashes: [{ field: 'name', mine: 'mine', theirs: 'theirs' }],
      by: { displayName: 'Ada' },
    });
  });

  it('and one keeps one’s own: it is written over theirs', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { name: 'theirs' });
    add(does(rename('mine')), does(rename('mine too', 'mine')));
    await calm();
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? ''));
    await calm();
    expect(server.rows.get('web')?.name).toBe('mine too');
    expect(unsavedEdits(outbox.queue)).toEqual([]);
  });

  it('and one takes theirs: it stays, and what did not clash is written', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { name: 'theirs' });
    const both = { ...rename('mine'), fields: { name: 'mine', description: 'also mine' } } as Operation;
    add(does(both));
    await calm();
    outbox.change((queue) => resolveWithTheirs(queue, queue[0]?.id ?? ''));
    await calm();
    expect(server.rows.get('web')).toMatchObject({ name: 'theirs', description: 'also mine' });
  });

  it('and one merges by hand: that is written', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { name: 'theirs' });
    add(does(rename('mine')));
    await calm();
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? '', new Map([['0/name', 'both']])));
    await calm();
    expect(server.rows.get('web')?.name).toBe('both');
  });

  it('keeps the other’s properties beside the one that is decided', async () => {
    const { server, outbox, add } = stage({ id: 'web', revision: 3, properties: { tier: 1, zone: 'a' } });
    server.writes('web', { properties: { tier: 2, zone: 'b' } });
    const before = { properties: { tier: 1, zone: 'a' } };
    const fields = { properties: { tier: 3, zone: 'a', mine: true } };
    add(does({ op: 'update', kind: 'component', id: 'web', fields, before, base: 3 }));
    await calm();
    expect(outbox.queue[0]?.conflicts?.[0]?.clashes.map(({ field }) => field)).toEqual(['properties.tier']);
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? ''));
    await calm();
    expect(server.rows.get('web')?.properties).toEqual({ tier: 3, zone: 'b', mine: true });
  });

  it('by deleting the row: it can be brought back with one’s own changes', async () => {
    const { server, outbox, add } = stage();
    server.rows.delete('web');
    add(does(rename('mine')));
    await calm();
    expect(outbox.queue[0]?.conflicts?.[0]?.why).toBe('deleted');
    outbox.change((queue) => resolveWithMine(queue, queue[0]?.id ?? ''));
    await calm();
    expect(server.rows.get('web')?.name).toBe('mine');
  });

  it('by deleting one of those that are moved: the others go where they should', async () => {
    const { server, outbox, add } = stage();
    add(
      does({
        op: 'move',
        moves: [
          { id: 'gone', x: 1, y: 1 },
          { id: 'web', x: 5, y: 6 },
        ],
      }),
    );
    await calm();
    expect(server.rows.get('web')).toMatchObject({ x: 5, y: 6 });
    expect(unsavedEdits(outbox.queue)).toEqual([]);
  });

  it('and what was to be deleted says something else now: that is asked, a mere move is not', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { x: 500 });
    add(does({ op: 'delete', kind: 'component', id: 'web', base: 3, fields: { name: 'web' } }));
    await calm();
    expect(server.rows.has('web')).toBe(false);
    server.writes('api', { name: 'renamed' });
    add(does({ op: 'delete', kind: 'component', id: 'api', base: 3, fields: { name: 'api' } }));
    await calm();
    expect(states(outbox.queue)).toEqual(['saved', 'conflict']);
  });

  it('again and again: it does not go on for ever', async () => {
    const { server, outbox, add } = stage();
    const send = server.send.bind(server);
    server.send = async (request) => {
      server.writes('web', { description: String(server.revision) });
      return send(request);
    };
    add(does(rename('mine')));
    await calm();
    expect(states(outbox.queue)).toEqual(['conflict']);
    expect(server.asked.length).toBeLessThan(12);
  });
});

describe('what the server does not take', () => {
  it('stays, says why, and holds up nothing else', async () => {
    const { server, outbox, add } = stage();
    server.trouble = refusing('update', 403);
    add(does(rename('A')), does(make('api')));
    await calm();
    expect(states(outbox.queue)).toEqual(['refused', 'saved']);
    expect(outbox.queue[0]?.problem).toBe('refused with 403');
  });

  it('holds up what needs it', async () => {
    const { server, outbox, add } = stage();
    server.trouble = refusing('create', 400);
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    add(does(make('api')), does({ op: 'create', kind: 'relationship', id: 'r', fields }));
    await calm();
    expect(states(outbox.queue)).toEqual(['refused', 'waiting']);
  });

  it('is discarded with what hangs on it', async () => {
    const { server, outbox, add } = stage();
    server.trouble = refusing('create', 400);
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    add(does(make('api')), does({ op: 'create', kind: 'relationship', id: 'r', fields }), does(rename('A')));
    await calm();
    outbox.change((queue) => discardEdit(queue, queue[0]?.id ?? ''));
    await calm();
    expect(outbox.queue.map(({ operations }) => operations[0]?.op)).toEqual(['update']);
    expect(server.rows.has('r')).toBe(false);
  });

  it('because its id is taken: it can have another, and what refers to it follows', async () => {
    const { server, outbox, add } = stage();
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    server.writes('api', { name: 'theirs' });
    add(does(make('api', 'mine')), does({ op: 'create', kind: 'relationship', id: 'r', fields }));
    await calm();
    expect(outbox.queue[0]?.conflicts?.[0]?.why).toBe('taken');
    outbox.change((queue) => withNewIds(queue, queue[0]?.id ?? '', ({ id }) => `${id}-2`));
    await calm();
    expect(server.rows.get('api')?.name).toBe('theirs');
    expect(server.rows.get('api-2')?.name).toBe('mine');
    expect(server.rows.get('r')?.targetId).toBe('api-2');
  });
});

describe('an edit of many operations', () => {
  const paste = () => {
    const ids = Array.from({ length: 500 }, (_, at) => `c${at}`);
    const lines = Array.from({ length: 1000 }, (_, at): Operation => {
      const fields = { sourceId: `c${at % 500}`, targetId: `c${(at + 1) % 500}`, typeId: 'calls' };
      return { op: 'create', kind: 'relationship', id: `r${at}`, fields };
    });
    return does(...ids.map((id) => make(id)), ...lines);
  };

  it('is one request and one change set', async () => {
    const { server, outbox, add } = stage();
    add(paste());
    await calm();
    expect(server.asked.map((one) => one.length)).toEqual([1500]);
    expect(outbox.queue).toMatchObject([{ state: 'saved', changeSetId: 'set 11', revision: 11 }]);
  });

  it('is all or nothing: while one operation is refused, none is saved', async () => {
    const { server, outbox, add } = stage();
    server.writes('c7', { name: 'theirs' });
    add(paste());
    await calm();
    expect(states(outbox.queue)).toEqual(['conflict']);
    expect(server.rows.size).toBe(2);
    outbox.change((queue) => withNewIds(queue, queue[0]?.id ?? '', ({ id }) => `${id}-2`));
    await calm();
    expect(states(outbox.queue)).toEqual(['saved']);
    expect(server.rows.get('r7')).toMatchObject({ sourceId: 'c7-2' });
    expect(server.rows.get('c7')?.name).toBe('theirs');
  });

  it('is merged with all that others wrote at once, however many rows that is', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ id: `c${at}`, name: 'was', revision: 3 }));
    const { server, outbox, add } = stage(...rows);
    for (const { id } of rows) server.writes(id, { description: 'theirs' });
    const renames = rows.map(({ id }): Operation => ({ ...rename('mine', 'was'), id }) as Operation);
    add(does(...renames));
    await calm();
    expect(server.asked).toHaveLength(2);
    expect(server.rows.get('c49')).toMatchObject({ name: 'mine', description: 'theirs' });
    expect(states(outbox.queue)).toEqual(['saved']);
  });

  it('asks only about what clashes, and is saved as a whole once that is decided', async () => {
    const { server, outbox, add } = stage(
      { id: 'web', name: 'web', revision: 3 },
      { id: 'api', name: 'api', revision: 3 },
      { id: 'db', name: 'db', revision: 3 },
    );
    server.writes('web', { name: 'theirs' });
    server.writes('api', { description: 'theirs' });
    server.rows.delete('db');
    const to = (id: string): Operation => ({ ...rename('mine', id), id }) as Operation;
    add(does(to('web'), to('api'), to('db'), { op: 'move', moves: [{ id: 'db', x: 1, y: 1 }] }));
    await calm();
    expect(outbox.queue[0]?.conflicts?.map(({ why, index }) => [why, index])).toEqual([
      ['changed', 0],
      ['deleted', 2],
    ]);
    expect(server.revision).toBe(12);
    outbox.change((queue) => resolveWithTheirs(queue, queue[0]?.id ?? ''));
    await calm();
    expect(server.asked.at(-1)).toEqual(['update api {"name":"mine"}']);
    expect(server.rows.get('web')?.name).toBe('theirs');
  });

  it('lets later operations refer to a stakeholder that has no number yet, and edits behind it too', async () => {
    const { server, outbox, add } = stage();
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
    add(does(make('api'), attach), does(roleChange));
    await calm();
    expect(server.bodies[0]?.operations?.[1]).toEqual({
      op: 'create',
      kind: 'stakeholder',
      ref: 'new-1',
      row: { componentId: 'web', personId: 'ada', linkType: 'owner' },
    });
    expect(server.bodies[1]?.operations?.[0]).toMatchObject({ op: 'update', id: 101, revision: 11 });
    expect(states(outbox.queue)).toEqual(['saved', 'saved']);
    expect(server.rows.get('101')?.linkType).toBe('support');
  });

  it('does not send an expected revision for a row that it has written itself before', async () => {
    const { server, add } = stage();
    add(does({ op: 'move', moves: [{ id: 'web', x: 1, y: 2 }] }, rename('A')));
    await calm();
    expect(server.bodies[0]?.operations).toEqual([
      { op: 'move', positions: [{ id: 'web', x: 1, y: 2, revision: 3 }] },
      { op: 'update', kind: 'component', id: 'web', fields: { name: 'A' } },
    ]);
  });

  it('that arrived although its answer was lost is not put on top of what others wrote since', async () => {
    const { server, outbox, add } = stage();
    server.loses = 1;
    add(does(rename('A')), does(rename('B', 'A')));
    await calm();
    server.writes('web', { name: 'theirs' });
    server.wait();
    await calm();
    expect(states(outbox.queue)).toEqual(['saved', 'conflict']);
    expect(server.rows.get('web')?.name).toBe('theirs');
  });
});

describe('who may see the workspace', () => {
  it('is changed by a request of its own, which undo finds by its label', async () => {
    const { server, outbox, add } = stage();
    const before = { visibility: 'org' };
    add(does({ op: 'workspace', fields: { visibility: 'private' }, before }));
    await calm();
    expect(server.bodies).toEqual([{ visibility: 'private' }]);
    expect(outbox.queue).toMatchObject([{ state: 'saved', batch: outbox.queue[0]?.id, revision: 11 }]);
  });
});

describe('an edit that was undone while nobody knew whether it had arrived', () => {
  it('is undone on the server, whether or not it had', async () => {
    for (const loses of [0, 1]) {
      const { server, outbox, add } = stage();
      server.loses = loses;
      server.isAway = loses === 0;
      add(does(rename('A')));
      await calm();
      expect(outbox.queue).toMatchObject([{ state: 'waiting', attempted: true }]);
      outbox.change((queue) => updateEdit(queue, queue[0]?.id ?? '', { cancelled: true }));
      server.isAway = false;
      outbox.nudge();
      await calm();
      expect(server.undone).toEqual(['set 11']);
      expect(outbox.queue).toEqual([]);
    }
  });
});

describe('edits made before the server was restored', () => {
  const old = (edit: Edit): Edit => ({ ...edit, incarnation: 'before' });

  it('are refused once, kept for review, and hold up nothing that is made since', async () => {
    const { server, outbox, add } = stage();
    add(old(does(rename('old'))), old(does(make('api'))), does(rename('new')));
    await calm();
    expect(states(outbox.queue)).toEqual(['outdated', 'outdated', 'saved']);
    expect(server.asked).toHaveLength(2);
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

  it('can be applied to what is there now', async () => {
    const { server, outbox, add } = stage();
    add(old(does(make('api'), rename('old'), { op: 'move', moves: [{ id: 'gone', x: 1, y: 1 }] })));
    await calm();
    outbox.change((queue) => applyOutdatedEdit(queue, queue[0]?.id ?? '', rowsOf(server)));
    await calm();
    expect(server.bodies.at(-1)?.incarnation).toBe('first');
    expect(server.asked.at(-1)).toEqual(['create api', 'update web {"name":"old"}']);
    expect(states(outbox.queue)).toEqual(['saved']);
  });

  it('are not applied over something else without asking, even where the revisions happen to agree', async () => {
    const { server, outbox, add } = stage({ id: 'web', name: 'other', revision: 3 });
    add(old(does(rename('old'))));
    await calm();
    outbox.change((queue) => applyOutdatedEdit(queue, queue[0]?.id ?? '', rowsOf(server)));
    await calm();
    expect(outbox.queue[0]).toMatchObject({ state: 'conflict', conflicts: [{ why: 'changed' }] });
    expect(server.rows.get('web')?.name).toBe('other');
  });
});

describe('what stands in the way of an edit', () => {
  const attach: Operation = {
    op: 'create',
    kind: 'stakeholder',
    id: 'new-9',
    fields: { componentId: 'web', personId: 'ada', linkType: 'owner', person: { id: 'ada', name: 'Ada' } },
  };
  const found = (why: string, current: unknown, message = 'in the way') =>
    new Refused(409, { conflicts: [{ index: 0, kind: 'stakeholder', id: null, why, current, message }] });

  it('may be that it is so already: then it is done, and what waits behind uses the row that is there', async () => {
    const { server, outbox, add } = stage(
      { id: 7, linkType: 'owner', revision: 3 },
      { id: 'web', name: 'web', revision: 3 },
    );
    server.trouble = ({ body }) =>
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
    add(does(attach, rename('A')), does(roleChange));
    await calm();
    expect(server.asked).toHaveLength(3);
    expect(server.asked[1]).toEqual(['update web {"name":"A"}']);
    expect(states(outbox.queue)).toEqual(['saved', 'saved']);
    expect(server.rows.get('7')?.linkType).toBe('support');
  });

  it('shows the message of the server when neither merging nor a decision helps', async () => {
    const { server, outbox, add } = stage();
    server.trouble = () => found('missing', null, 'role `owner` does not exist');
    add(does(attach, rename('A')));
    await calm();
    expect(server.asked).toHaveLength(1);
    expect(outbox.queue).toMatchObject([{ state: 'refused', problem: 'role `owner` does not exist' }]);
  });

  it('shows the message without the path of the operation in the request', async () => {
    const { server, outbox, add } = stage();
    server.trouble = ({ body }) => {
      const { operations } = body as { operations: unknown[] };
      const field = `operations[${operations.length - 1}].row.typeId`;
      const refused = new Refused(400, { field });
      refused.message = `${field}: no type \`nonsense\` exists`;
      return refused;
    };
    const bad = { ...make('bad', 'Bad'), fields: { name: 'Bad', typeId: 'nonsense' } } as Operation;
    add(does(bad), does(make('good'), { ...bad, id: 'worse' } as Operation));
    await calm();
    expect(outbox.queue.map(({ problem }) => problem)).toEqual([
      'typeId: no type `nonsense` exists',
      'Add component “Bad”: typeId: no type `nonsense` exists',
    ]);
  });

  it('may follow from what its author has to decide first', async () => {
    const { server, outbox, add } = stage();
    server.trouble = () =>
      new Refused(409, {
        conflicts: [
          { index: 0, kind: 'component', id: 'web', why: 'deleted', current: null },
          { index: 1, kind: 'relationship', id: 'r', why: 'missing', current: null },
        ],
      });
    const fields = { sourceId: 'web', targetId: 'web', typeId: 'calls' };
    add(does(rename('A'), { op: 'create', kind: 'relationship', id: 'r', fields }));
    await calm();
    expect(outbox.queue).toMatchObject([{ state: 'conflict', conflicts: [{ index: 0, why: 'deleted' }] }]);
  });
});
