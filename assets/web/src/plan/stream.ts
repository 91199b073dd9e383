/** The event stream of a workspace as lists of events. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send } from '@/api/http';
import { CLIENT } from './keep';

/** A parsed event. */
export interface Heard {
  event: string;
  data: unknown;
  id?: string | undefined;
}

/**
 * An idle stream sends a heartbeat every 15 seconds; after this time without data it counts as dead, in milliseconds.
 */
const SILENCE = 40_000;

export interface From {
  /** The ETag of the loaded bundle. */
  since: string;
  /** The last event received after that; undefined at first. */
  lastEventId: string;
}

/** Reads until the stream ends; events that arrive together are passed on together. */
export async function listen(
  root: string,
  { since, lastEventId }: From,
  signal: AbortSignal,
  told: (events: readonly Heard[]) => void,
): Promise<void> {
  const stop = new AbortController();
  let silence = setTimeout(() => stop.abort(), SILENCE);
  const query = new URLSearchParams({ since, client: CLIENT });
  const headers: HeadersInit = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
  try {
    const answer = await send(`${root}/events?${query}`, {
      headers,
      signal: AbortSignal.any([signal, stop.signal]),
      timeout: 0,
    });
    const decoder = new TextDecoder();
    let events: Heard[] = [];
    const parser = createParser({ onEvent: (message) => events.push(heard(message)) });
    const reader = answer.body?.getReader();
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      clearTimeout(silence);
      silence = setTimeout(() => stop.abort(), SILENCE);
      parser.feed(decoder.decode(piece.value, { stream: true }));
      if (events.length > 0) told(events);
      events = [];
    }
  } finally {
    clearTimeout(silence);
    stop.abort();
  }
}

function heard({ event = '', data, id }: EventSourceMessage): Heard {
  return { event, data: JSON.parse(data), id };
}
