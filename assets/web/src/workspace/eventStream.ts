/** The server's event stream of one workspace, as a list of events for each piece that arrives. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send } from '@/api/http';
import { CLIENT_ID } from './unsavedStorage';

/** What the stream says, read. */
export interface StreamEvent {
  event: string;
  data: unknown;
  id?: string | undefined;
}

/** A quiet stream says something every 15 seconds; after this silence it is taken for dead, in milliseconds. */
const SILENCE_TIMEOUT_MS = 40_000;

export interface StreamPosition {
  /** Tag of the bundle that was read. */
  since: string;
  /** The last event that was heard after that; none at first. */
  lastEventId: string;
}

/** Reads until the stream ends; what comes together is told together. */
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
