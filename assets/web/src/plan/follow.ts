/** Reads a workspace and stays with it: the bundle first, then every change as the server tells of it. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError, explain } from '@/api/errors';
import type { Bundle, Change, Gone, Presence } from '@/api/generated';
import { send } from '@/api/http';
import { DIRECTORY } from '@/core/sync/change';
import { rowsOf } from '@/core/sync/rows';
import { save } from './save';
import { tell, tellChange, usePlan } from './store';

/** A quiet stream says something every 15 seconds; after this silence it is taken for dead, in milliseconds. */
const SILENCE = 40_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** What this window calls itself. */
export const CLIENT = crypto.randomUUID();

/** Told what has changed in the directory (people, teams, roles), which is read elsewhere. */
export type OnDirectory = (entity: string) => void;

/** Follows the workspace until `signal` says so. */
export async function follow(
  workspaceId: string,
  signal: AbortSignal,
  onDirectory: OnDirectory,
): Promise<void> {
  const root = `/api/workspaces/${encodeURIComponent(workspaceId)}`;
  let since = '';
  let lastEventId = '';
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      if (!since) {
        since = await read(root, signal);
        lastEventId = '';
      }
      const outcome = await listen(root, since, lastEventId, signal, onDirectory, (id) => {
        lastEventId = id;
        wait = FIRST_WAIT;
      });
      if (outcome === 'reload') since = '';
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) return usePlan.setState({ status: 'missing', problem: explain(error) });
      if (!usePlan.getState().told) usePlan.setState({ status: 'failed', problem: explain(error) });
    }
    if (signal.aborted) return;
    usePlan.setState({ connection: 'away', present: [] });
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403);
}

/** Reads the bundle. Answers its tag. */
async function read(root: string, signal: AbortSignal): Promise<string> {
  const answer = await send(root, { signal, timeout: 0 });
  tell(rowsOf((await answer.json()) as Bundle));
  return answer.headers.get('ETag') ?? '';
}

async function listen(
  root: string,
  since: string,
  lastEventId: string,
  signal: AbortSignal,
  onDirectory: OnDirectory,
  onId: (id: string) => void,
): Promise<'ended' | 'reload'> {
  const stop = new AbortController();
  let silence = setTimeout(() => stop.abort(), SILENCE);
  const query = new URLSearchParams({ since, client: CLIENT });
  try {
    const headers: HeadersInit = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
    const answer = await send(`${root}/events?${query}`, {
      headers,
      signal: AbortSignal.any([signal, stop.signal]),
      timeout: 0,
    });
    if (!answer.body) return 'ended';
    const alive = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        clearTimeout(silence);
        silence = setTimeout(() => stop.abort(), SILENCE);
        controller.enqueue(chunk);
      },
    });
    const decoder = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
    const events = answer.body
      .pipeThrough(alive)
      .pipeThrough(decoder)
      .pipeThrough(new EventSourceParserStream());
    for await (const { event, data, id } of events as unknown as AsyncIterable<{
      event?: string;
      data: string;
      id?: string;
    }>) {
      if (event === 'reload') return 'reload';
      heard(event ?? '', JSON.parse(data), onDirectory);
      if (id) onId(id);
    }
    return 'ended';
  } finally {
    clearTimeout(silence);
    stop.abort();
  }
}

function heard(event: string, data: unknown, onDirectory: OnDirectory): void {
  switch (event) {
    case 'ready':
      usePlan.setState({ connection: 'live' });
      void save();
      break;
    case 'change': {
      const change = data as Change;
      tellChange(change);
      if (DIRECTORY.has(change.entity)) onDirectory(change.entity);
      break;
    }
    case 'presence': {
      const one = data as Presence;
      if (one.client !== CLIENT)
        usePlan.setState(({ present }) => ({ present: [...without(present, one.client), one] }));
      break;
    }
    case 'gone':
      usePlan.setState(({ present }) => ({ present: without(present, (data as Gone).client) }));
  }
}

function without(present: readonly Presence[], client: string): Presence[] {
  return present.filter((one) => one.client !== client);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
