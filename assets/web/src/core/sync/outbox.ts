/**
 * Sends the edits of one workspace in order, one request each, and retries until the server has saved them. The outbox
 * is independent of screens, so leaving a workspace before everything is saved does not lose edits.
 */
import { newId } from '@/core/newId';
import {
  type Edit,
  markSaved,
  nextEdit,
  type Queue,
  removeEdit,
  replaceRowId,
  type SaveResult,
  updateEdit,
} from './queue';
import { handleRejection, type Rejection, type RejectionOutcome } from './rejection';
import { isRevert, requestFor, type SaveRequest } from './request';
import { withViewRowId } from './viewRows';

/** The environment of an outbox, replaced in tests. */
export interface Transport {
  /** Sends a request and returns the response. Throws if the server did not accept the request. */
  send(request: SaveRequest): Promise<Record<string, unknown>>;
  /** The server's rejection, or null if the error occurred on the client. */
  refusalOf(error: unknown): Rejection | null;
  /** Whether the current access token is valid for this workspace. */
  isReady(): boolean;
  /** Adds details that the response does not contain to conflicts: who deleted a row, and its content. */
  explore?(edit: Edit): Promise<NonNullable<Edit['conflicts']>>;
  /** The current time, Unix milliseconds. */
  now(): number;
  /** Schedules a callback. Returns a function that cancels it. */
  later(run: () => void, milliseconds: number): () => void;
}

/** Called on events other than changes of the queue. */
export interface OutboxListener {
  changed(outbox: Outbox): void;
  /** An edit was saved. There is no change set if the server already had all its changes. */
  saved?(edit: Edit, result: SaveResult): void;
}

/** The first and the maximum delay between attempts while the server is unreachable, in milliseconds. */
const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 15_000;

/**
 * How long a request can be repeated with its key. The server keeps responses for a day; after that, it would carry out
 * the request again.
 */
const REPEATABLE_FOR_MS = 23 * 3_600_000;

export class Outbox {
  readonly workspaceId: string;
  queue: Queue = [];
  /** Whether the last attempt failed to reach the server or was not authorized. */
  isStalled = false;
  readonly #post: Transport;
  readonly #listener: OutboxListener;
  #wait = MIN_RETRY_DELAY_MS;
  #cancel: (() => void) | undefined;
  #isPumping = false;
  #isClosed = false;

  constructor(workspaceId: string, post: Transport, listener: OutboxListener) {
    this.workspaceId = workspaceId;
    this.#post = post;
    this.#listener = listener;
  }

  /** Changes the queue, and sends edits that are ready. */
  change(change: (queue: Queue) => Queue): void {
    const queue = change(this.queue);
    if (queue === this.queue) return;
    this.queue = queue;
    void this.pump();
    // Unless the first request has started, which also changes the queue.
    if (this.queue === queue) this.#listener.changed(this);
  }

  /** Retries immediately, because the server is reachable again or a user has signed in. */
  nudge(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#wait = MIN_RETRY_DELAY_MS;
    void this.pump();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Sends edits until the queue is empty or the server is unreachable. Only one call runs at a time. */
  async pump(): Promise<void> {
    if (this.#isPumping || this.#cancel || this.#isClosed) return;
    this.#isPumping = true;
    try {
      for (;;) {
        const next = this.#post.isReady() && !this.#isClosed ? nextEdit(this.queue) : undefined;
        if (!next) return;
        const edit = this.#timed(next);
        // Listeners draw the map, which takes longer than sending the request.
        const saving = this.#send(edit);
        this.#update((queue) => updateEdit(queue, edit.id, { ...edit, state: 'sending' }));
        if (!(await this.#deliver(edit, saving))) return;
      }
    } finally {
      this.#isPumping = false;
    }
  }

  /** The edit with the time of its first request. A late repetition gets a new key, and expects the positions it saw. */
  #timed(edit: Edit): Edit {
    const now = this.#post.now();
    if (!edit.attempted) return { ...edit, sentAt: now };
    if (now - (edit.sentAt ?? edit.at) < REPEATABLE_FOR_MS) return edit;
    return { ...edit, key: newId(), sentAt: now, isGuarded: true };
  }

  #update(change: (queue: Queue) => Queue): void {
    this.queue = change(this.queue);
    this.#listener.changed(this);
  }

  async #send(edit: Edit): Promise<SaveResult> {
    const request = requestFor(this.workspaceId, edit);
    return savedOf(request, await this.#post.send(request));
  }

  /** Applies the result of sending an edit. Returns whether to continue with the next one. */
  async #deliver(edit: Edit, sent: Promise<SaveResult>): Promise<boolean> {
    const { id } = edit;
    try {
      const result = await sent;
      this.#reached();
      const isReverted = isRevert(edit);
      this.#update((queue) => {
        if (isReverted) return removeEdit(queue, id);
        const after = markSaved(queue, id, result);
        if (!after.find((edit) => edit.id === id)?.cancelled) return after;
        // The edit was canceled while its outcome was unknown. If it has changed anything, it is undone next.
        return result.changeSetId
          ? updateEdit(after, id, { state: 'waiting', key: newId() })
          : removeEdit(after, id);
      });
      if (!isReverted) this.#listener.saved?.(edit, result);
      return true;
    } catch (error) {
      return this.#refused(edit, error);
    }
  }

  async #refused(edit: Edit, error: unknown): Promise<boolean> {
    const refusal = this.#post.refusalOf(error);
    const { id } = edit;
    if (!refusal) {
      this.#update((queue) => updateEdit(queue, id, { state: 'refused', problem: String(error) }));
      return true;
    }
    const result = handleRejection(edit, refusal);
    if (result.is === 'wait') {
      this.isStalled = true;
      const attempted = edit.attempted || refusal.status === 0 || refusal.status >= 500;
      this.#update((queue) => updateEdit(queue, id, { state: 'waiting', attempted }));
      this.#comeBack(result.milliseconds);
      return false;
    }
    // Any response means that the server is reachable.
    this.#reached();
    // A canceled edit that was not saved needs no decision. If its undo is rejected, others have changed the rows
    // since. Their changes are kept, as with every undo.
    if (this.queue.find((edit) => edit.id === id)?.cancelled) {
      this.#update((queue) => removeEdit(queue, id));
      return true;
    }
    await this.#decide(edit, result);
    return true;
  }

  /** Applies the outcome of a rejection. An edit that is sent again gets a new key, because its request differs. */
  async #decide(edit: Edit, result: Exclude<RejectionOutcome, { is: 'wait' }>): Promise<void> {
    const { id, incarnation, rebased = 0 } = edit;
    const to = (change: Partial<Edit>) => (queue: Queue) =>
      updateEdit(queue, id, { ...change, attempted: false, key: newId() });
    switch (result.is) {
      case 'done': {
        const saved: SaveResult = { revision: result.revision, written: {}, refs: {} };
        this.#update((queue) => markSaved(queue, id, saved));
        this.#listener.saved?.(edit, saved);
        break;
      }
      case 'again': {
        const { operations, seen, renamed } = result;
        const next = to({ state: 'waiting', operations, ...(seen && { seen }), rebased: rebased + 1 });
        this.#update((queue) =>
          renamed.reduce(
            (all, rename) => replaceRowId(all, 'stakeholder', rename.from, rename.to),
            next(queue),
          ),
        );
        break;
      }
      case 'conflict': {
        const { operations, conflicts } = result;
        const known = { ...edit, operations, conflicts };
        const explored = await this.#post.explore?.(known).catch(() => conflicts);
        this.#update(to({ state: 'conflict', operations, conflicts: explored ?? conflicts }));
        break;
      }
      case 'outdated':
        this.#update((queue) =>
          queue
            // The server would reject all edits from that incarnation.
            .filter((edit) => edit.state === 'waiting' && incarnation && edit.incarnation === incarnation)
            .reduce(
              (all, edit) => updateEdit(all, edit.id, { state: 'outdated' }),
              to({ state: 'outdated' })(queue),
            ),
        );
        break;
      case 'refused': {
        const { problem, isProtected = false } = result;
        this.#update(to({ state: 'refused', problem, isProtected }));
      }
    }
  }

  #reached(): void {
    this.#wait = MIN_RETRY_DELAY_MS;
    this.isStalled = false;
  }

  #comeBack(milliseconds = this.#wait): void {
    this.#wait = Math.min(this.#wait * 2, MAX_RETRY_DELAY_MS);
    this.#cancel = this.#post.later(() => {
      this.#cancel = undefined;
      void this.pump();
    }, milliseconds);
  }
}

/** The kinds of rows in a response, and their names in the queue. */
const ROW_LISTS = {
  components: 'component',
  relationships: 'relationship',
  stakeholders: 'stakeholder',
  processes: 'process',
  notes: 'note',
  views: 'view',
  viewPlaces: 'view-place',
  viewLines: 'view-line',
  tours: 'tour',
  decisions: 'decision',
} as const;

type WrittenRow = { revision: number } & ({ id: string | number } | { viewId: string });

/** What the response says about the edit. */
function savedOf({ method, headers }: SaveRequest, response: Record<string, unknown>): SaveResult {
  const changeSetId = typeof response.changeSetId === 'string' ? response.changeSetId : undefined;
  if (method === 'PATCH') {
    const { revision } = response.workspace as { revision: number };
    return { changeSetId: changeSetId ?? headers['X-Batch-Id'], revision, written: {}, refs: {} };
  }
  const revision = Number(response.revision ?? 0);
  const written: Record<string, number> = {};
  for (const [list, kind] of Object.entries(ROW_LISTS)) {
    for (const saved of (response[list] ?? []) as WrittenRow[]) {
      const row = 'viewId' in saved ? withViewRowId(saved) : saved;
      // A repeated request returns the current rows, which may include later changes by others.
      written[`${kind}/${row.id}`] = Math.min(row.revision, revision);
    }
  }
  const refs = Object.entries((response.refs ?? {}) as Record<string, string | number>);
  return {
    changeSetId,
    revision,
    written,
    refs: Object.fromEntries(refs.map(([ref, id]) => [ref, String(id)])),
  };
}
