/** The other end of an outbox, for its tests. */
import type { ErrorBody } from '@/api/generated';
import type { Post } from './outbox';
import type { SaveRequest } from './request';

export type Row = Record<string, unknown> & { id: string; revision: number };

export class Refused extends Error {
  status: number;
  body: Partial<ErrorBody>;
  constructor(status: number, body: Partial<ErrorBody> = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** A server as small as it can be: rows by path, `If-Match`, `Idempotency-Key`, and troubles on demand. */
export class FakeServer implements Post {
  rows = new Map<string, Row>();
  revision = 10;
  /** What it was asked, as `PATCH web {"name":"A"}`. */
  asked: string[] = [];
  isAway = false;
  isReadyNow = true;
  /** Loses the answer of so many requests that it has done. */
  loses = 0;
  /** Refuses whatever matches. */
  trouble: ((request: SaveRequest) => Refused | undefined) | undefined;
  #answers = new Map<string, Record<string, unknown>>();
  #later: (() => void)[] = [];

  constructor(...rows: Row[]) {
    for (const row of rows) this.rows.set(row.id, row);
  }

  /** Somebody else writes. */
  writes(id: string, fields: Record<string, unknown>): void {
    this.revision += 1;
    this.rows.set(id, { ...this.rows.get(id), ...fields, id, revision: this.revision });
  }

  async send(request: SaveRequest, headers: Record<string, string>): Promise<Record<string, unknown>> {
    const { method, path, body } = request;
    await Promise.resolve();
    if (this.isAway) throw new Refused(0);
    const id = path.split('/')[5];
    this.asked.push(`${method} ${id ?? ''} ${JSON.stringify(body) ?? ''}`.replace(/ +/g, ' ').trim());
    const known = this.#answers.get(headers['Idempotency-Key'] ?? '');
    if (known) return known;
    const trouble = this.trouble?.(request);
    if (trouble) throw trouble;
    const answer = this.#write(request, id);
    if (headers['Idempotency-Key']) this.#answers.set(headers['Idempotency-Key'], answer);
    if (this.loses > 0) {
      this.loses -= 1;
      throw new Refused(0);
    }
    return answer;
  }

  #write({ method, body, ifMatch }: SaveRequest, id: string | undefined): Record<string, unknown> {
    const fields = body as Record<string, unknown>;
    if (method === 'POST') {
      if (this.rows.has(String(fields.id))) throw new Refused(409);
      this.writes(String(fields.id), fields);
      return { component: this.rows.get(String(fields.id)) };
    }
    if (id === undefined) {
      const moves = body as { id: string }[];
      if (moves.some((move) => !this.rows.has(move.id))) throw new Refused(404);
      this.revision += 1;
      for (const move of moves) {
        this.rows.set(move.id, { ...this.rows.get(move.id), ...move, revision: this.revision });
      }
      return { components: moves.map((move) => this.rows.get(move.id)) };
    }
    const row = this.rows.get(id);
    if (!row) throw new Refused(404);
    if (ifMatch !== undefined && ifMatch !== row.revision) {
      throw new Refused(412, { code: 'stale', current: row, changedBy: { id: 2, displayName: 'Ada' } });
    }
    if (method === 'DELETE') {
      this.rows.delete(id);
      this.revision += 1;
      return { ok: true };
    }
    this.writes(id, fields);
    return { component: this.rows.get(id) };
  }

  refusalOf(error: unknown) {
    if (!(error instanceof Refused)) return null;
    const { status, body, message } = error;
    return { status, body, message, isPassing: status === 0 || status === 503 };
  }

  isReady(): boolean {
    return this.isReadyNow;
  }

  later(run: () => void): () => void {
    this.#later.push(run);
    return () => {
      this.#later = this.#later.filter((one) => one !== run);
    };
  }

  /** Time passes. */
  wait(): void {
    const due = this.#later;
    this.#later = [];
    for (const run of due) run();
  }
}
