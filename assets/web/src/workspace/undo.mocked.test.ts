// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useSession } from '@/api/session';
import { sample } from '@/core/model/testing';
import type { Operation } from '@/core/sync/operation';
import { FakeServer, RejectedRequest } from '@/core/sync/testing';
import { outboxOf } from './outboxes';
import { changePersonalViews, changeWithEdit } from './personalUndo';
import { type PersonalView, usePersonalViews } from './personalViews';
import { edit, resetWorkspace, setServerRows, useWorkspace } from './store';
import { redo, undo, undoEdit } from './undo';

const requests = vi.hoisted(() => ({ server: undefined as unknown, undone: [] as unknown[] }));

vi.mock('./transport', () => ({
  outdatedListener: {},
  transportFor: () =>
    new Proxy(
      {},
      {
        get: (_, name) => {
          const server = requests.server as Record<PropertyKey, unknown>;
          const member = server[name];
          return typeof member === 'function' ? member.bind(server) : member;
        },
      },
    ),
}));
vi.mock('@/api/generated', async (original) => ({
  ...(await original<object>()),
  undo: async (_workspaceId: string, body: unknown) => {
    requests.undone.push(body);
    return { changeSetId: `undo ${requests.undone.length}`, batchId: 'x' };
  },
}));
vi.mock('@/api/http', () => ({
  http: async (_url: string, { body = '{}' } = {}) => ({ view: JSON.parse(body) }),
  send: async () => undefined,
}));
vi.mock('idb-keyval', () => ({ del: async () => {}, set: async () => {}, entries: async () => [] }));
vi.mock('@/ui/Toasts', () => ({ showToast() {}, showError() {}, closeToast() {} }));

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve));
let count = 0;
let server: FakeServer;

beforeEach(() => {
  server = new FakeServer(...['a', 'b', 'c'].map((id) => ({ id, name: id, revision: 1 })));
  requests.server = server;
  requests.undone = [];
  useSession.setState({ status: 'in', user: { id: 1 }, session: { orgId: 'o' } } as never);
  count += 1;
  resetWorkspace(`w${count}`);
  setServerRows(sample({ components: ['a', 'b', 'c'].map((id) => ({ id })) }));
});

const move: Operation = { op: 'move', moves: ['a', 'b', 'c'].map((id) => ({ id, x: 9, y: 9 })) };
const rename: Operation = {
  op: 'update',
  kind: 'component',
  id: 'a',
  fields: { name: 'A' },
  before: { name: 'a' },
  base: 1,
};

const labels = () => {
  const { done, undone } = useWorkspace.getState();
  return [done.map(({ label }) => label), undone.map(({ label }) => label)];
};

describe('undo', () => {
  it('refers to the change set of the edit', async () => {
    edit('Rename', [rename, move]);
    await nextTurn();
    expect((await undo())?.label).toBe('Rename');
    expect(requests.undone).toEqual([{ batchId: 'set 11' }]);
    expect((await redo())?.label).toBe('Rename');
    expect(requests.undone).toEqual([{ batchId: 'set 11' }, { batchId: 'undo 1' }]);
    expect(labels()).toEqual([['Rename'], []]);
  });

  it('withdraws all operations of an unsent edit, and redoes all of them', async () => {
    server.isReadyNow = false;
    edit('Move 3', [move]);
    await nextTurn();
    expect((await undo())?.label).toBe('Move 3');
    expect(useWorkspace.getState().queue).toEqual([]);
    await redo();
    server.isReadyNow = true;
    outboxOf(useWorkspace.getState().workspaceId)?.nudge();
    await nextTurn();
    expect(server.requests).toEqual([['move a b c']]);
    expect(requests.undone).toEqual([]);
  });

  it('waits for an edit that is being sent', async () => {
    edit('Move 3', [move]);
    expect((await undo())?.label).toBe('Move 3');
    expect(server.requests).toEqual([['move a b c']]);
    expect(requests.undone).toEqual([{ batchId: 'set 11' }]);
  });

  it('undoes a move completely if one of its components was deleted', async () => {
    server.rows.delete('b');
    edit('Move 3', [move]);
    expect((await undo())?.label).toBe('Move 3');
    await nextTurn();
    // No part of the move was saved, so the whole edit is withdrawn.
    expect(server.requests).toEqual([['move a b c']]);
    expect(useWorkspace.getState().queue).toEqual([]);
    expect(server.rows.get('a')?.x).toBeUndefined();
    await redo();
    await nextTurn();
    expect(server.requests.at(-1)).toEqual(['move a c']);
    await undo();
    expect(requests.undone).toEqual([{ batchId: 'set 11' }]);
  });

  it('drops a rejected edit', async () => {
    server.rejectionOf = () => new RejectedRequest(403);
    edit('Move 3', [move]);
    await nextTurn();
    expect((await undo())?.label).toBe('Move 3');
    expect(useWorkspace.getState().queue).toEqual([]);
    expect(requests.undone).toEqual([]);
  });

  it('hides an edit whose response was lost, and undoes it once the server responds', async () => {
    server.lostResponses = 1;
    const id = edit('Move 3', [move]);
    await nextTurn();
    expect(await undoEdit(id)).toBe(true);
    expect(useWorkspace.getState().rows?.component.get('a')).toMatchObject({ x: 0 });
    server.wait();
    await nextTurn();
    expect(server.undone).toEqual(['set 11']);
    expect(useWorkspace.getState().queue).toEqual([]);
    expect(labels()).toEqual([[], ['Move 3']]);
  });

  it('cancels the pending undo if the edit is redone in time', async () => {
    server.lostResponses = 1;
    edit('Move 3', [move]);
    await nextTurn();
    await undo();
    await redo();
    server.wait();
    await nextTurn();
    expect(server.undone).toEqual([]);
    expect(useWorkspace.getState().queue).toMatchObject([{ state: 'saved', changeSetId: 'set 11' }]);
    await undo();
    expect(requests.undone).toEqual([{ batchId: 'set 11' }]);
  });

  it('drops edits made before the server was restored', async () => {
    setServerRows({ ...sample({ components: [{ id: 'a' }] }), incarnation: 'first' });
    edit('Rename', [rename]);
    await nextTurn();
    expect(labels()).toEqual([['Rename'], []]);
    setServerRows({ ...sample({ components: [{ id: 'a' }] }), incarnation: 'second' });
    expect(labels()).toEqual([[], []]);
  });
});

describe('an edit', () => {
  it('is sent as one request, with the incarnation for which it was made', async () => {
    setServerRows({ ...sample({ components: [{ id: 'a' }] }), incarnation: 'first' });
    edit('Both', [rename, move]);
    await nextTurn();
    expect(server.bodies).toMatchObject([{ incarnation: 'first', operations: [{}, {}] }]);
  });

  it('with more operations than a request allows is split into several requests and undo steps', async () => {
    const create = (_: unknown, at: number): Operation => ({
      op: 'create',
      kind: 'component',
      id: `n${at}`,
      fields: {},
    });
    edit('Paste', Array.from({ length: 10_001 }, create));
    await nextTurn();
    await nextTurn();
    expect(server.requests.map(({ length }) => length)).toEqual([10_000, 1]);
    expect(labels()).toEqual([['Paste (1 of 2)', 'Paste (2 of 2)'], []]);
  });

  it('has one update per row, regardless of its operations', async () => {
    edit('Twice', [rename, { ...rename, fields: { description: 'd' }, before: {} } as Operation]);
    await nextTurn();
    expect(server.requests).toEqual([['update a {"name":"A","description":"d"}']]);
  });
});

describe('undo in personal views', () => {
  const x = () => usePersonalViews.getState().views.get('mine')?.places?.[0]?.x;
  const moveTo = (to: number) => ({
    viewId: 'mine',
    fields: { places: [{ componentId: 'a', x: to, y: 0 }] },
  });

  beforeEach(() => {
    const mine = { id: 'mine', places: moveTo(1).fields.places } as unknown as PersonalView;
    usePersonalViews.setState({
      workspaceId: `w${count}`,
      status: 'ready',
      views: new Map([['mine', mine]]),
    });
  });

  it('writes the replaced fields again, any number of times', async () => {
    changePersonalViews('Move', [moveTo(2)]);
    changePersonalViews('Move on', [moveTo(3)]);
    await undo();
    expect(x()).toBe(2);
    await undo();
    expect(x()).toBe(1);
    await redo();
    await redo();
    expect(x()).toBe(3);
    expect(labels()).toEqual([['Move', 'Move on'], []]);
    expect(requests.undone).toEqual([]);
  });

  it('is one step with the edit that changed the workspace too', async () => {
    changeWithEdit(edit('Move into group', [rename]), 'Move into group', [moveTo(2)]);
    await nextTurn();
    await undo();
    expect(requests.undone).toHaveLength(1);
    expect(x()).toBe(1);
    await redo();
    expect(requests.undone).toHaveLength(2);
    expect(x()).toBe(2);
    expect(labels()).toEqual([['Move into group'], []]);
  });
});
