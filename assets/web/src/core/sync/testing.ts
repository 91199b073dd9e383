/** A fake server for tests of the outbox. */
import type { Transport } from './outbox';
import type { FoundConflict, Rejection } from './rejection';
import type { SaveRequest } from './request';

export type FakeRow = Record<string, unknown> & { id: string | number; revision: number };

type ParsedBody = Rejection['body'];

export class RejectedRequest extends Error {
  status: number;
  body: ParsedBody;
  constructor(status: number, body: ParsedBody = {}) {
    super(`rejected with ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** An operation as sent. */
interface Sent {
  op: 'create' | 'update' | 'delete' | 'move';
  kind: string;
  id: string | number;
  ref?: string;
  row?: Record<string, unknown>;
  fields?: Record<string, unknown>;
  revision?: number;
  positions?: { id: string; x: number; y: number; revision?: number }[];
}

interface SentBody {
  incarnation?: string;
  operations?: Sent[];
  batchId?: string;
}

/** The lists in the response, by kind of row. */
const LISTS: Readonly<Record<string, string>> = {
  component: 'components',
  relationship: 'relationships',
  stakeholder: 'stakeholders',
  process: 'processes',
};

/** A minimal operations endpoint with rows by ID, revisions, `Idempotency-Key`, and simulated failures. */
export class FakeServer implements Transport {
  rows = new Map<string, FakeRow>();
  revision = 10;
  incarnation = 'first';
  /** The operations of each received request, such as `update web {"name":"A"}`. */
  requests: string[][] = [];
  /** The bodies of the received requests. */
  bodies: SentBody[] = [];
  /** The change sets that were undone. */
  undone: string[] = [];
  isOffline = false;
  isReadyNow = true;
  /** Drops the responses of this many requests after executing them. */
  lostResponses = 0;
  /** The current time, Unix milliseconds. */
  time = 1_000;
  /** Rejects matching requests. */
  rejectionOf: ((request: SaveRequest) => RejectedRequest | undefined) | undefined;
  /** Responds to requests without writing. */
  responseOf: ((request: SaveRequest) => Record<string, unknown>) | undefined;
  #responses = new Map<string, Record<string, unknown>>();
  #later: (() => void)[] = [];
  #numbers = 100;

  constructor(...rows: FakeRow[]) {
    for (const row of rows) this.rows.set(String(row.id), row);
  }

  /** Writes as another user. */
  writeAsOther(id: string, fields: Record<string, unknown>): void {
    this.revision += 1;
    this.rows.set(id, { ...this.rows.get(id), ...fields, id, revision: this.revision });
  }

  async send(request: SaveRequest): Promise<Record<string, unknown>> {
    await Promise.resolve();
    if (this.isOffline) throw new RejectedRequest(0);
    const body = request.body as SentBody;
    this.bodies.push(body);
    this.requests.push((body.operations ?? []).map(describeSent));
    const key = request.headers['Idempotency-Key'];
    const response = this.#responses.get(key ?? '') ?? this.#carryOut(request, body);
    if (key) this.#responses.set(key, response);
    if (this.lostResponses > 0) {
      this.lostResponses -= 1;
      throw new RejectedRequest(0);
    }
    return response;
  }

  #carryOut(request: SaveRequest, body: SentBody): Record<string, unknown> {
    const rejected = this.rejectionOf?.(request);
    if (rejected) throw rejected;
    if (this.responseOf) return this.responseOf(request);
    if (request.method === 'PATCH') {
      this.revision += 1;
      return { workspace: { ...body, revision: this.revision }, changeSetId: `set ${this.revision}` };
    }
    if (request.path.endsWith('/undo')) {
      this.undone.push(String(body.batchId));
      return { changeSetId: `undo of ${body.batchId}`, revision: this.revision };
    }
    if (body.incarnation && body.incarnation !== this.incarnation) {
      throw new RejectedRequest(409, { code: 'other_incarnation' });
    }
    return this.#write(body.operations ?? []);
  }

  #write(operations: readonly Sent[]): Record<string, unknown> {
    const conflicts = operations.flatMap((operation, index) => this.#conflicts(operation, index));
    if (conflicts.length > 0) {
      const isStale = conflicts.every(({ why }) => why === 'stale');
      throw new RejectedRequest(isStale ? 412 : 409, { code: isStale ? 'stale' : 'conflict', conflicts });
    }
    this.revision += 1;
    const { revision } = this;
    const refs: Record<string, number> = {};
    const written = new Map<string, [list: string, row: FakeRow]>();
    const put = (kind: string, id: string, fields: Record<string, unknown>) => {
      const row = { ...this.rows.get(id), ...fields, revision } as FakeRow;
      this.rows.set(id, row);
      written.set(id, [LISTS[kind] ?? kind, row]);
    };
    for (const operation of operations) this.#writeOne(operation, refs, put);
    const response: Record<string, unknown> = { changeSetId: `set ${revision}`, revision, refs };
    for (const [list, row] of written.values())
      response[list] = [...((response[list] ?? []) as FakeRow[]), row];
    return response;
  }

  #writeOne(
    { op, kind, id, ref, row, fields, positions = [] }: Sent,
    refs: Record<string, number>,
    put: (kind: string, id: string, fields: Record<string, unknown>) => void,
  ): void {
    const known = String(refs[String(id)] ?? id);
    if (op === 'create' && kind === 'stakeholder') {
      this.#numbers += 1;
      if (ref) refs[ref] = this.#numbers;
      put(kind, String(this.#numbers), { ...row, id: this.#numbers });
    } else if (op === 'create') put(kind, String(row?.id), row ?? {});
    else if (op === 'update') put(kind, known, fields ?? {});
    else if (op === 'delete') this.rows.delete(known);
    for (const position of positions) put('component', position.id, position);
  }

  #conflicts({ op, kind, id, row, revision, positions = [] }: Sent, index: number): FoundConflict[] {
    const changedBy = { id: 2, displayName: 'Ada' };
    const found = (
      why: string,
      kind: string,
      id: string,
      current: FakeRow | null = null,
    ): FoundConflict[] => [{ index, kind, id, why, current, changedBy }];
    if (op === 'move') {
      return positions.flatMap((position) => {
        const current = this.rows.get(position.id);
        if (!current) return found('deleted', 'component', position.id);
        const isStale = position.revision !== undefined && position.revision !== current.revision;
        return isStale ? found('stale', 'component', position.id, current) : [];
      });
    }
    const target = String(op === 'create' ? row?.id : id);
    const current = this.rows.get(target);
    if (op === 'create') return current ? found('taken', kind, target, current) : [];
    if (!current) return String(id).startsWith('new-') ? [] : found('deleted', kind, target);
    const isStale = revision !== undefined && revision !== current.revision;
    return isStale ? found('stale', kind, target, current) : [];
  }

  refusalOf(error: unknown) {
    if (!(error instanceof RejectedRequest)) return null;
    const { status, body, message } = error;
    return { status, body, message, isTemporary: status === 0 || status === 503 };
  }

  isReady(): boolean {
    return this.isReadyNow;
  }

  now(): number {
    return this.time;
  }

  later(run: () => void): () => void {
    this.#later.push(run);
    return () => {
      this.#later = this.#later.filter((callback) => callback !== run);
    };
  }

  /** Runs the scheduled callbacks. */
  wait(): void {
    const due = this.#later;
    this.#later = [];
    for (const run of due) run();
  }
}

function describeSent({ op, id, row, fields, positions }: Sent): string {
  if (positions) return `move ${positions.map((position) => position.id).join(' ')}`;
  return `${op} ${row?.id ?? id ?? ''} ${JSON.stringify(fields) ?? ''}`.trim();
}
