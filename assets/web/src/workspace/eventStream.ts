/** Reads the event stream of a workspace in batches of events. */
import { readEvents, type StreamEvent } from '@/api/eventStream';
import { CLIENT_ID } from './unsavedStorage';

export interface StreamPosition {
  /** The ETag of the loaded bundle. */
  since: string;
  /** The last event received after that; initially undefined. */
  lastEventId: string;
}

/** Reads until the stream ends. Events that arrive together are passed on together. */
export function readEventStream(
  root: string,
  { since, lastEventId }: StreamPosition,
  signal: AbortSignal,
  serverRows: (events: readonly StreamEvent[]) => void,
): Promise<void> {
  const query = new URLSearchParams({ since, client: CLIENT_ID });
  const headers: HeadersInit = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
  return readEvents(`${root}/events?${query}`, headers, signal, serverRows);
}
