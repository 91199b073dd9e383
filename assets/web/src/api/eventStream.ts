/** Reads event streams in batches of events. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send } from './http';

/** A parsed event. */
export interface StreamEvent {
  event: string;
  data: unknown;
  id?: string | undefined;
}

/**
 * Timeout in milliseconds after which a stream is considered dead. An idle stream sends a heartbeat every 15 seconds.
 */
const SILENCE_TIMEOUT_MS = 40_000;

/** Reads a stream until it ends. Events that arrive together are passed on together. */
export async function readEvents(
  url: string,
  headers: HeadersInit,
  signal: AbortSignal,
  onEvents: (events: readonly StreamEvent[]) => void,
): Promise<void> {
  const stop = new AbortController();
  let silence = setTimeout(() => stop.abort(), SILENCE_TIMEOUT_MS);
  try {
    const response = await send(url, { headers, signal: AbortSignal.any([signal, stop.signal]), timeout: 0 });
    const decoder = new TextDecoder();
    let events: StreamEvent[] = [];
    const parser = createParser({ onEvent: (message) => events.push(parseEvent(message)) });
    const reader = response.body?.getReader();
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      clearTimeout(silence);
      silence = setTimeout(() => stop.abort(), SILENCE_TIMEOUT_MS);
      parser.feed(decoder.decode(piece.value, { stream: true }));
      if (events.length > 0) onEvents(events);
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
