/**
 * Loads a workspace and keeps it up to date: first the bundle, then the event stream. If several windows of a browser
 * show the same workspace, one of them reads the stream and forwards it to the others, because browsers open only six
 * connections per server.
 */
import { ownName } from '@/api/base';
import { ApiError, errorText } from '@/api/errors';
import type { StreamEvent } from '@/api/eventStream';
import type { AccessRequestsChanged, Bundle, Change, DepartedClient, Presence } from '@/api/generated';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import { DIRECTORY_KINDS, isOwnAccess, type ReaderFields } from '@/core/sync/applyChanges';
import { toRows } from '@/core/sync/rows';
import { invalidateComments } from '@/data/comments';
import { invalidateAllDrafts, invalidateDraftMap, invalidateDrafts } from '@/data/drafts';
import { queryClient } from '@/data/queries';
import { invalidateSources } from '@/data/sources';
import { readEventStream } from './eventStream';
import { retryAll } from './outboxes';
import { applyServerChanges, type Connection, setReaderFields, setServerRows, useWorkspace } from './store';
import { outdatedListener } from './transport';
import { CLIENT_ID } from './unsavedStorage';

const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 5_000;

/** Called when people, teams, roles or kinds have changed. They are loaded elsewhere. */
export type DirectoryListener = (entity: string) => void;

/** Messages between windows. */
type WindowMessage =
  | { is: 'events'; events: readonly StreamEvent[] }
  | { is: 'connection'; connection: Connection }
  /** A window has opened. The window that reads the stream replies with the connection state. */
  | { is: 'hello' };

/** Follows the workspace until `signal` aborts. */
export function followWorkspace(
  workspaceId: string,
  signal: AbortSignal,
  onDirectory: DirectoryListener,
): Promise<void> {
  return new Follower(workspaceId, signal, onDirectory).run();
}

/** Whether this window has followed a workspace. */
let hasFollowed = false;

class Follower {
  readonly #workspaceId: string;
  readonly #root: string;
  readonly #name: string;
  readonly #signal: AbortSignal;
  readonly #onDirectory: DirectoryListener;
  readonly #channel: BroadcastChannel;
  readonly #stop = new AbortController();
  #from = { since: '', lastEventId: '' };
  /** Events received while the bundle was loading. */
  #early: StreamEvent[] | null = [];
  #isLeading = false;
  #reading: Promise<void> | null = null;
  #isStale = false;

  constructor(workspaceId: string, signal: AbortSignal, onDirectory: DirectoryListener) {
    const { user, session } = useSession.getState();
    this.#workspaceId = workspaceId;
    this.#root = `/api/workspaces/${encodeURIComponent(workspaceId)}`;
    this.#name = ownName(`planroom.live.${JSON.stringify([user?.id, session?.orgId, workspaceId])}`);
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#onDirectory = onDirectory;
    this.#channel = new BroadcastChannel(this.#name);
  }

  async run(): Promise<void> {
    this.#channel.onmessage = ({ data }: MessageEvent<WindowMessage>) => this.#onWindowMessage(data);
    outdatedListener.notify = (workspaceId) => {
      if (workspaceId === this.#workspaceId) void this.#readAgain();
    };
    this.#signal.addEventListener('abort', () => this.#channel.close(), { once: true });
    await this.#persist(() => this.#read());
    if (this.#signal.aborted) return;
    this.#broadcast({ is: 'hello' });
    const lead = () => Promise.race([this.#lead(), aborted(this.#signal)]);
    if (!navigator.locks) return lead();
    await navigator.locks.request(this.#name, { signal: this.#signal }, lead).catch(() => {
      // The window was closed before it acquired the lock.
    });
  }

  /** Reads the stream for all windows of this browser, and reconnects when it ends. */
  async #lead(): Promise<void> {
    this.#isLeading = true;
    let endedAt = 0;
    while (!this.#signal.aborted) {
      await this.#persist(() =>
        readEventStream(this.#root, this.#from, this.#signal, (events) => this.#onEvents(events)),
      );
      if (Date.now() - endedAt < MIN_RETRY_DELAY_MS) await pause(MIN_RETRY_DELAY_MS, this.#signal);
      endedAt = Date.now();
    }
  }

  /** Retries until it succeeds. Permanent errors end the loop. */
  async #persist(run: () => Promise<void>): Promise<void> {
    let wait = MIN_RETRY_DELAY_MS;
    while (!this.#signal.aborted) {
      try {
        return await run();
      } catch (error) {
        if (this.#signal.aborted) return;
        if (isGone(error)) return this.#end(error);
        if (!useWorkspace.getState().serverRows)
          useWorkspace.setState({ status: 'failed', problem: errorText(error) });
        this.#connected('away');
        await pause((error instanceof ApiError && error.retryAfter) || wait, this.#signal);
        wait = Math.min(wait * 2, MAX_RETRY_DELAY_MS);
      }
    }
  }

  #end(error: unknown): void {
    useWorkspace.setState({ status: 'missing', problem: errorText(error) });
    this.#stop.abort();
  }

  /** Loads the bundle and applies events that arrived in the meantime. */
  async #read(): Promise<void> {
    this.#early ??= [];
    const response = await send(`${this.#root}?include=notes,views,decisions`, {
      signal: this.#signal,
      timeout: 0,
    });
    const bundle = (await response.json()) as Bundle;
    if (this.#signal.aborted) return;
    this.#from = { since: response.headers.get('ETag') ?? '', lastEventId: '' };
    const before = useWorkspace.getState().serverRows?.incarnation;
    const rows = toRows(bundle);
    setServerRows(rows);
    // The database was restored, so cached past states and other data may be invalid.
    if (before && rows.incarnation && before !== rows.incarnation) void queryClient.invalidateQueries();
    const early = this.#early;
    this.#early = null;
    if (early) this.#apply(early);
  }

  /** Reloads the bundle, and once more if it became stale in the meantime. */
  #readAgain(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= (async () => {
      while (this.#isStale && !this.#signal.aborted) {
        this.#isStale = false;
        await this.#persist(() => this.#read());
      }
      this.#reading = null;
    })();
    return this.#reading;
  }

  #onWindowMessage(message: WindowMessage): void {
    if (message.is === 'events') this.#apply(message.events);
    else if (message.is === 'connection') this.#connected(message.connection);
    else if (this.#isLeading) {
      this.#broadcast({ is: 'connection', connection: useWorkspace.getState().connection });
    }
  }

  #onEvents(events: readonly StreamEvent[]): void {
    this.#broadcast({ is: 'events', events });
    this.#apply(events);
  }

  #apply(events: readonly StreamEvent[]): void {
    let changes: Change[] = [];
    for (const event of events) {
      if (event.event === 'ready') this.#connected('live');
      else if (this.#early) this.#early.push(event);
      else if (event.event === 'change') changes.push(event.data as Change);
      else if (event.event === 'reload') {
        changes = [];
        void this.#readAgain();
      } else if (event.event === 'accessRequests') {
        setReaderFields(this.#workspaceId, withoutNull(event.data as AccessRequestsChanged));
      } else this.#beside(event);
      if (event.id && !this.#early) this.#from = { ...this.#from, lastEventId: event.id };
    }
    if (changes.length > 0) this.#changed(changes);
  }

  /** Events that are not about rows of the map. */
  #beside(event: StreamEvent): void {
    if (event.event === 'comments') void invalidateComments(this.#workspaceId);
    else if (event.event === 'sources') invalidateSources(this.#workspaceId);
    else if (event.event === 'drafts') this.#draftsChanged(event.data as DraftsEvent);
    else updatePresent(event);
  }

  #changed(changes: readonly Change[]): void {
    const before = useWorkspace.getState().serverRows?.workspace;
    applyServerChanges(changes);
    const userId = useSession.getState().user?.id;
    for (const change of changes) {
      if (DIRECTORY_KINDS.has(change.entity)) this.#onDirectory(change.entity);
      // Only the bundle contains the user's own access level.
      if (before && isOwnAccess(change, userId, before)) void this.#readAgain();
    }
    // Comments on what was deleted are detached, and an undo brings them back.
    if (changes.some(({ op }) => op !== 'update')) void invalidateComments(this.#workspaceId);
  }

  #draftsChanged({ op, draftId }: DraftsEvent): void {
    if (op === 'map') {
      if (draftId !== null) invalidateDraftMap(draftId, this.#workspaceId);
      return;
    }
    if (op === 'comments') {
      void invalidateComments(draftId ?? this.#workspaceId);
      return;
    }
    invalidateDrafts(this.#workspaceId, draftId);
    // Only the bundle says what the user can do in a protected workspace, or in a draft that has ended.
    const isEnd = op === 'merge' || op === 'close' || op === 'update';
    if (op === 'protection' || (isEnd && draftId === this.#workspaceId)) void this.#readAgain();
  }

  #connected(connection: Connection): void {
    const before = useWorkspace.getState().connection;
    if (this.#isLeading) this.#broadcast({ is: 'connection', connection });
    useWorkspace.setState({ connection, ...(connection === 'live' ? {} : { present: [] }) });
    if (connection !== 'live' || before === 'live') return;
    retryAll();
    // People can join after the stream of the previous workspace has ended, and before this one has begun.
    if (before === 'connecting' && hasFollowed) this.#onDirectory('person');
    // What is loaded beside the map can change while the connection is lost, and after the workspace was closed.
    void invalidateComments(this.#workspaceId);
    if (before !== 'connecting') void invalidateAllDrafts();
    else if (hasFollowed) invalidateDrafts(this.#workspaceId, null);
    if (before !== 'connecting' || hasFollowed) invalidateSources(this.#workspaceId);
    hasFollowed = true;
    // The last request may have ended while the connection was lost.
    if (useWorkspace.getState().serverRows?.workspace.accessRequests) void this.#readAgain();
  }

  #broadcast(message: WindowMessage): void {
    if (!this.#signal.aborted) this.#channel.postMessage(message);
  }
}

interface DraftsEvent {
  /** `map`: the map of the draft, or of its base, has changed. `comments`: comments on the draft were written. */
  op: 'create' | 'update' | 'review' | 'rebase' | 'merge' | 'close' | 'protection' | 'map' | 'comments';
  draftId: string | null;
}

/** In the event, null means that the request of the current user has ended. */
function withoutNull({ accessRequestedAt, ...counts }: AccessRequestsChanged): Partial<ReaderFields> {
  return accessRequestedAt === undefined
    ? counts
    : { ...counts, accessRequestedAt: accessRequestedAt ?? undefined };
}

/** Someone has joined or left. */
function updatePresent({ event, data }: StreamEvent): void {
  if (event === 'presence') {
    const presence = data as Presence;
    if (presence.client === CLIENT_ID) return;
    useWorkspace.setState(({ present }) => ({ present: [...without(present, presence.client), presence] }));
  } else if (event === 'gone') {
    useWorkspace.setState(({ present }) => ({ present: without(present, (data as DepartedClient).client) }));
  }
}

function without(present: readonly Presence[], client: string): Presence[] {
  return present.filter((presence) => presence.client !== client);
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return Promise.race([new Promise<void>((resolve) => setTimeout(resolve, milliseconds)), aborted(signal)]);
}
