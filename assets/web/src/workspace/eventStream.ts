/** Reads the event stream of a workspace in batches of events. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send } from '@/api/http';
import { CLIENT_ID } from './unsavedStorage';

/** A parsed event. */
export interface StreamEvent {
  event: string;
  data: unknown;
  id?: string | undefined;
}

/**
 * Timeout in milliseconds after which the stream is considered dead. An idle stream sends a heartbeat every 15 seconds.
 */
const SILENCE_TIMEOUT_MS = 40_000;

export interface StreamPosition {
  /** The ETag of the loaded bundle. */
  since: string;
  /** The last event received after that; initially undefined. */
  lastEventId: string;
}

/** Reads until the stream ends. Events that arrive together are passed on together. */
export async function readEventStream(
  root: string,
  { since, lastEventId }: StreamPosition,
  signal: AbortSignal,
  serverRows: (events: readonly StreamEvent[]) => void,
): Promise<void> {
  const stop = new AbortController();
  let silence = setTimeout(() => stop.abort(), SILENCE_TIMEOUT_MS);
  const query = new URLSearchParams({ since, client: CLIENT_ID });
  const headers: HeadersInit = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
  try {
    const answer = await send(`${root}/events?${query}`, {
      headers,
      signal: AbortSignal.any([signal, stop.signal]),
      timeout: 0,
    });
    const decoder = new TextDecoder();
    let events: StreamEvent[] = [];
    const parser = createParser({ onEvent: (message) => events.push(parseEvent(message)) });
    const reader = answer.body?.getReader();
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      clearTimeout(silence);
      silence = setTimeout(() => stop.abort(), SILENCE_TIMEOUT_MS);
      parser.feed(decoder.decode(piece.value, { stream: true }));
      if (events.length > 0) serverRows(events);
      events = [];
    }
  } finally {
    clearTimeout(silence);
    stop.abort();
  }
}

function parseEvent({ event = '', data, id }: EventSourceMessage): StreamEvent {
  return { event, data: JSON.parse(data), id };
}
