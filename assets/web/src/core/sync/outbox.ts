/**
 * Sends what waits for one workspace, one after the other, and keeps at it until the server has it. It outlives the
 * screens: whoever leaves a workspace before all is saved need not wait.
 */
import type { Operation } from './operation';
import { next, type Pending, type Queue, saved, set, withId } from './queue';
import { requestFor, type SaveRequest } from './request';
import { type Refusal, verdict } from './verdict';

/** What an outbox needs of the world; tests have their own. */
export interface Post {
  /** Sends one request. Answers what the server answered; throws `Refused` where it did not take it. */
  send(request: SaveRequest, headers: Record<string, string>): Promise<Record<string, unknown>>;
  /** How the server refused; none when the fault is ours. */
  refusalOf(error: unknown): Refusal | null;
  /** Whether the credential at hand is the right one for this workspace. */
  isReady(): boolean;
  /** Tells what is known about a clash beyond the answer: who deleted a row, what has a taken id. */
  explore?(pending: Pending): Promise<Partial<NonNullable<Pending['conflict']>>>;
  /** Calls back later; answers a way not to. */
  later(run: () => void, milliseconds: number): () => void;
}

/** Waits between attempts while the server is away, in milliseconds: the first, and the longest. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export class Outbox {
  readonly workspaceId: string;
  queue: Queue = [];
  /** Whether the last attempt did not reach the server, or was not let in. */
  isHeldUp = false;
  readonly #post: Post;
  readonly #onChange: (outbox: Outbox) => void;
  #wait = FIRST_WAIT;
  #cancel: (() => void) | undefined;
  #isPumping = false;
  #isClosed = false;

  constructor(workspaceId: string, post: Post, onChange: (outbox: Outbox) => void) {
    this.workspaceId = workspaceId;
    this.#post = post;
    this.#onChange = onChange;
  }

  /** Changes the queue, and sends what is to be sent. */
  change(change: (queue: Queue) => Queue): void {
    const queue = change(this.queue);
    if (queue === this.queue) return;
    this.queue = queue;
    this.#onChange(this);
    void this.pump();
  }

  /** Tries at once: the server is back, or somebody has signed in. */
  nudge(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#wait = FIRST_WAIT;
    void this.pump();
  }

  /** Sends nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Sends until nothing waits or the server is away. There is one at a time. */
  async pump(): Promise<void> {
    if (this.#isPumping || this.#cancel || this.#isClosed) return;
    this.#isPumping = true;
    try {
      for (;;) {
        const pending = this.#post.isReady() && !this.#isClosed ? next(this.queue) : undefined;
        if (!pending) return;
        this.#update((queue) => set(queue, pending.key, { state: 'sending' }));
        if (!(await this.#deliver(pending))) return;
      }
    } finally {
      this.#isPumping = false;
    }
  }

  #update(change: (queue: Queue) => Queue): void {
    this.queue = change(this.queue);
    this.#onChange(this);
  }

  /** Sends one. Answers whether to go on. */
  async #deliver(pending: Pending): Promise<boolean> {
    const { key, batch, operation } = pending;
    try {
      const request = requestFor(this.workspaceId, operation);
      const headers: Record<string, string> = { 'X-Batch-Id': batch };
      if (request.body !== undefined) headers['Content-Type'] = 'application/json';
      if (request.method === 'POST') headers['Idempotency-Key'] = key;
      if (request.ifMatch !== undefined) headers['If-Match'] = `"${request.ifMatch}"`;
      const answer = await this.#post.send(request, headers);
      this.#reached();
      this.#update((queue) => numbered(saved(queue, key, latest(answer)), operation, answer));
      return true;
    } catch (error) {
      return this.#refused(pending, error);
    }
  }

  async #refused(pending: Pending, error: unknown): Promise<boolean> {
    const refusal = this.#post.refusalOf(error);
    const { key } = pending;
    if (!refusal) {
      this.#update((queue) => set(queue, key, { state: 'refused', problem: String(error) }));
      return true;
    }
    const verdictOn = verdict(pending, refusal);
    // Whatever the server says of it: it was reached.
    if (verdictOn.is !== 'wait') this.#reached();
    switch (verdictOn.is) {
      case 'wait':
        this.isHeldUp = true;
        this.#update((queue) => set(queue, key, { state: 'waiting' }));
        this.#comeBack(verdictOn.milliseconds);
        return false;
      case 'done':
        this.#update((queue) => saved(queue, key, verdictOn.revision));
        return true;
      case 'again':
        this.#update((queue) =>
          set(queue, key, {
            state: 'waiting',
            operation: verdictOn.operation,
            rebased: (pending.rebased ?? 0) + 1,
          }),
        );
        return true;
      case 'split':
        this.#update((queue) => split(queue, pending, verdictOn.operations));
        return true;
      case 'conflict': {
        const more = await this.#post.explore?.(pending).catch(() => ({}));
        const conflict = { ...verdictOn.conflict, ...(verdictOn.conflict.current ? {} : more) };
        this.#update((queue) => set(queue, key, { state: 'conflict', conflict }));
        return true;
      }
      case 'refused':
        this.#update((queue) => set(queue, key, { state: 'refused', problem: verdictOn.problem }));
        return true;
    }
  }

  #reached(): void {
    this.#wait = FIRST_WAIT;
    this.isHeldUp = false;
  }

  #comeBack(milliseconds = this.#wait): void {
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    this.#cancel = this.#post.later(() => {
      this.#cancel = undefined;
      void this.pump();
    }, milliseconds);
  }
}

function split(queue: Queue, whole: Pending, operations: readonly Operation[]): Queue {
  return queue.flatMap((pending) =>
    pending.key === whole.key
      ? operations.map((operation, place) => ({
          ...whole,
          state: 'waiting' as const,
          key: `${whole.key}.${place}`,
          operation,
        }))
      : [pending],
  );
}

/** Stakeholders get their number from the server: what waits behind a new one must know it. */
function numbered(queue: Queue, operation: Operation, answer: Record<string, unknown>): Queue {
  if (operation.op !== 'create' || operation.kind !== 'stakeholder') return queue;
  const id = (answer.stakeholder as { id?: number } | undefined)?.id;
  return id === undefined ? queue : withId(queue, 'stakeholder', operation.id, String(id));
}

/** The latest revision of the rows in an answer. */
function latest(answer: Record<string, unknown>): number {
  const rows = Object.values(answer).flat() as { revision?: number }[];
  return Math.max(0, ...rows.map((row) => row?.revision ?? 0));
}
