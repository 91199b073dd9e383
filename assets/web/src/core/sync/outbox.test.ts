import { describe, expect, it } from 'vitest';
import { discarded, keptMine, tookTheirs, underId } from './decide';
import type { Operation } from './operation';
import { Outbox } from './outbox';
import { type Pending, type Queue, takenUp, unsaved } from './queue';
import { FakeServer, Refused, type Row } from './testing';

let count = 0;

function does(operation: Operation, batch = 'b'): Pending {
  count += 1;
  return { key: `k${count}`, batch, label: 'x', operation, state: 'waiting', at: 0 };
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
  const outbox = new Outbox('shop', server, () => {});
  const add = (...pending: Pending[]) => outbox.change((queue) => [...queue, ...pending]);
  return { server, outbox, add };
}

const calm = () => new Promise<void>((resolve) => setTimeout(resolve));
const states = (queue: Queue) => queue.map(({ state }) => state);

describe('an outbox', () => {
  it('sends one after the other, each on top of the one before', async () => {
    const { server, outbox, add } = stage();
    add(does(rename('A')), does(rename('AB', 'A')), does(rename('ABC', 'AB')));
    await calm();
    expect(server.asked).toEqual([
      'PATCH web {"name":"A"}',
      'PATCH web {"name":"AB"}',
      'PATCH web {"name":"ABC"}',
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
    expect(server.asked.map((one) => one.split(' ')[0])).toEqual(['PATCH', 'POST', 'PATCH']);
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
    add(...takenUp([{ ...does(rename('A')), state: 'sending' }]));
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
    expect(unsaved(outbox.queue)).toEqual([]);
  });

  it('with the same field: both are offered, and what follows on that row waits', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { name: 'theirs' });
    add(does(rename('mine')), does(rename('mine too', 'mine')), does(make('api')));
    await calm();
    expect(states(outbox.queue)).toEqual(['conflict', 'waiting', 'saved']);
    expect(outbox.isHeldUp).toBe(false);
    expect(outbox.queue[0]?.conflict).toMatchObject({
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
    outbox.change((queue) => keptMine(queue, queue[0]?.key ?? ''));
    await calm();
    expect(server.rows.get('web')?.name).toBe('mine too');
    expect(unsaved(outbox.queue)).toEqual([]);
  });

  it('and one takes theirs: it stays, and what did not clash is written', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { name: 'theirs' });
    const both = { ...rename('mine'), fields: { name: 'mine', description: 'also mine' } } as Operation;
    add(does(both));
    await calm();
    outbox.change((queue) => tookTheirs(queue, queue[0]?.key ?? ''));
    await calm();
    expect(server.rows.get('web')).toMatchObject({ name: 'theirs', description: 'also mine' });
  });

  it('and one merges by hand: that is written', async () => {
    const { server, outbox, add } = stage();
    server.writes('web', { name: 'theirs' });
    add(does(rename('mine')));
    await calm();
    outbox.change((queue) => keptMine(queue, queue[0]?.key ?? '', new Map([['name', 'both']])));
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
    expect(outbox.queue[0]?.conflict?.clashes.map(({ field }) => field)).toEqual(['properties.tier']);
    outbox.change((queue) => keptMine(queue, queue[0]?.key ?? ''));
    await calm();
    expect(server.rows.get('web')?.properties).toEqual({ tier: 3, zone: 'b', mine: true });
  });

  it('by deleting the row: it can be brought back with one’s own changes', async () => {
    const { server, outbox, add } = stage();
    server.rows.delete('web');
    add(does(rename('mine')));
    await calm();
    expect(outbox.queue[0]?.conflict?.why).toBe('deleted');
    outbox.change((queue) => keptMine(queue, queue[0]?.key ?? ''));
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
    expect(unsaved(outbox.queue)).toEqual([]);
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
    server.send = (request, headers) => {
      server.writes('web', { description: String(server.revision) });
      return send(request, headers);
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
    server.trouble = ({ method }) => (method === 'PATCH' ? new Refused(403) : undefined);
    add(does(rename('A')), does(make('api')));
    await calm();
    expect(states(outbox.queue)).toEqual(['refused', 'saved']);
    expect(outbox.queue[0]?.problem).toBe('refused with 403');
  });

  it('holds up what needs it', async () => {
    const { server, outbox, add } = stage();
    server.trouble = ({ path }) => (path.endsWith('/components') ? new Refused(400) : undefined);
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    add(does(make('api')), does({ op: 'create', kind: 'relationship', id: 'r', fields }));
    await calm();
    expect(states(outbox.queue)).toEqual(['refused', 'waiting']);
  });

  it('is discarded with what hangs on it', async () => {
    const { server, outbox, add } = stage();
    server.trouble = ({ path }) => (path.endsWith('/components') ? new Refused(400) : undefined);
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    add(does(make('api')), does({ op: 'create', kind: 'relationship', id: 'r', fields }), does(rename('A')));
    await calm();
    outbox.change((queue) => discarded(queue, queue[0]?.key ?? ''));
    await calm();
    expect(outbox.queue.map(({ operation }) => operation.op)).toEqual(['update']);
    expect(server.rows.has('r')).toBe(false);
  });

  it('because its id is taken: it can have another, and what refers to it follows', async () => {
    const { server, outbox, add } = stage();
    const fields = { sourceId: 'web', targetId: 'api', typeId: 'calls' };
    server.writes('api', { name: 'theirs' });
    add(does(make('api', 'mine')), does({ op: 'create', kind: 'relationship', id: 'r', fields }));
    await calm();
    expect(outbox.queue[0]?.conflict?.why).toBe('taken');
    outbox.change((queue) => underId(queue, queue[0]?.key ?? '', 'api-2'));
    await calm();
    expect(server.rows.get('api')?.name).toBe('theirs');
    expect(server.rows.get('api-2')?.name).toBe('mine');
    expect(server.rows.get('r')?.targetId).toBe('api-2');
  });
});
