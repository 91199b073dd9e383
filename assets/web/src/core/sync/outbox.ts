/**
 * Sends the edits of one workspace, one after the other, each as one request, and retries until the server has them. It
 * outlives the screens: leaving a workspace before everything is saved loses nothing.
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
import { requestFor, type SaveRequest } from './request';

/** What an outbox needs from its environment; tests have their own. */
export interface Transport {
  /** Sends one request. Returns the server's answer; throws if the server did not take it. */
  send(request: SaveRequest): Promise<Record<string, unknown>>;
  /** How the server refused; null when the fault is ours. */
  refusalOf(error: unknown): Rejection | null;
  /** Whether the credential at hand is the right one for this workspace. */
  isReady(): boolean;
  /** Adds what is known about conflicts beyond the answer: who deleted a row, and what it was. */
  explore?(edit: Edit): Promise<NonNullable<Edit['conflicts']>>;
  /** Runs later; returns a way to cancel. */
  later(run: () => void, milliseconds: number): () => void;
}

/** Told what the outbox did, beside changes of the queue. */
export interface OutboxListener {
  changed(outbox: Outbox): void;
  /** An edit was saved. Without a change set when the server had all of it already. */
  saved?(edit: Edit, answer: SaveResult): void;
}

/** Waits between attempts while the server is away, in milliseconds: the first, and the longest. */
const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 15_000;

export class Outbox {
  readonly workspaceId: string;
  queue: Queue = [];
  /** Whether the last attempt did not reach the server, or was not allowed in. */
  isHeldUp = false;
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

  /** Changes the queue, and sends what can be sent. */
  change(change: (queue: Queue) => Queue): void {
    const queue = change(this.queue);
    if (queue === this.queue) return;
    this.queue = queue;
    this.#listener.changed(this);
    void this.pump();
  }

  /** Tries immediately: the server is back, or a user has signed in. */
  nudge(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#wait = MIN_RETRY_DELAY_MS;
    void this.pump();
  }

  /** Stops sending. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Sends until nothing waits or the server is away. Only one runs at a time. */
  async pump(): Promise<void> {
    if (this.#isPumping || this.#cancel || this.#isClosed) return;
    this.#isPumping = true;
    try {
      for (;;) {
        const edit = this.#post.isReady() && !this.#isClosed ? nextEdit(this.queue) : undefined;
        if (!edit) return;
        this.#update((queue) => updateEdit(queue, edit.id, { state: 'sending' }));
        if (!(await this.#deliver(edit))) return;
      }
    } finally {
      this.#isPumping = false;
    }
  }

  #update(change: (queue: Queue) => Queue): void {
    this.queue = change(this.queue);
    this.#listener.changed(this);
  }

  /** Sends one edit. Returns whether to go on. */
  async #deliver(edit: Edit): Promise<boolean> {
    const { id } = edit;
    try {
      const request = requestFor(this.workspaceId, edit);
      const answer = savedOf(request, await this.#post.send(request));
      this.#reached();
      const isUndo = edit.cancelled && (edit.changeSetId ?? edit.batch) !== undefined;
      this.#update((queue) => {
        if (isUndo) return removeEdit(queue, id);
        const after = markSaved(queue, id, answer);
        // Cancelled while its outcome was unknown: it is undone next.
        return after.find((one) => one.id === id)?.cancelled
          ? updateEdit(after, id, { state: 'waiting', key: newId() })
          : after;
      });
      if (!isUndo) this.#listener.saved?.(edit, answer);
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
      this.isHeldUp = true;
      const attempted = edit.attempted || refusal.status === 0 || refusal.status >= 500;
      this.#update((queue) => updateEdit(queue, id, { state: 'waiting', attempted }));
      this.#comeBack(result.milliseconds);
      return false;
    }
    // Whatever the server says about the edit: it was reached.
    this.#reached();
    // A cancelled edit that the server did not save needs no decision. Where its undo is refused, others have changed the
    // rows since: they stay, as with every other undo.
    if (this.queue.find((one) => one.id === id)?.cancelled) {
      this.#update((queue) => removeEdit(queue, id));
      return true;
    }
    await this.#decide(edit, result);
    return true;
  }

  /** Takes the consequences of a verdict. An edit that is sent again has another key: its request is another one. */
  async #decide(edit: Edit, result: Exclude<RejectionOutcome, { is: 'wait' }>): Promise<void> {
    const { id, incarnation, rebased = 0 } = edit;
    const to = (change: Partial<Edit>) => (queue: Queue) =>
      updateEdit(queue, id, { ...change, attempted: false, key: newId() });
    switch (result.is) {
      case 'done': {
        const answer: SaveResult = { revision: result.revision, written: {}, refs: {} };
        this.#update((queue) => markSaved(queue, id, answer));
        this.#listener.saved?.(edit, answer);
        break;
      }
      case 'again': {
        const { operations, renamed } = result;
        const next = to({ state: 'waiting', operations, rebased: rebased + 1 });
        this.#update((queue) =>
          renamed.reduce((all, one) => replaceRowId(all, 'stakeholder', one.from, one.to), next(queue)),
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
            // All edits from that incarnation would be refused in turn.
            .filter((one) => one.state === 'waiting' && incarnation && one.incarnation === incarnation)
            .reduce(
              (all, one) => updateEdit(all, one.id, { state: 'outdated' }),
              to({ state: 'outdated' })(queue),
            ),
        );
        break;
      case 'refused':
        this.#update(to({ state: 'refused', problem: result.problem }));
    }
  }

  #reached(): void {
    this.#wait = MIN_RETRY_DELAY_MS;
    this.isHeldUp = false;
  }

  #comeBack(milliseconds = this.#wait): void {
    this.#wait = Math.min(this.#wait * 2, MAX_RETRY_DELAY_MS);
    this.#cancel = this.#post.later(() => {
      this.#cancel = undefined;
      void this.pump();
    }, milliseconds);
  }
}

/** The kinds of rows in an answer, and how the queue calls them. */
const ANSWERED = {
  components: 'component',
  relationships: 'relationship',
  stakeholders: 'stakeholder',
  processes: 'process',
} as const;

/** What an answer says about the edit. */
function savedOf({ method, headers }: SaveRequest, answer: Record<string, unknown>): SaveResult {
  if (method === 'PATCH') {
    const { revision } = answer.workspace as { revision: number };
    return { batch: headers['X-Batch-Id'], revision, written: {}, refs: {} };
  }
  const revision = Number(answer.revision ?? 0);
  const written: Record<string, number> = {};
  for (const [list, kind] of Object.entries(ANSWERED)) {
    for (const row of (answer[list] ?? []) as { id: string | number; revision: number }[]) {
      // A repeated request is answered with the rows as they are now: what others have written since is not ours.
      written[`${kind}/${row.id}`] = Math.min(row.revision, revision);
    }
  }
  const refs = Object.entries((answer.refs ?? {}) as Record<string, string | number>);
  return {
    changeSetId: typeof answer.changeSetId === 'string' ? answer.changeSetId : undefined,
    revision,
    written,
    refs: Object.fromEntries(refs.map(([ref, id]) => [ref, String(id)])),
  };
}
