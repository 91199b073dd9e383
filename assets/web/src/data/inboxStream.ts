/**
 * Follows the inbox by the event stream of the user. One window of the browser reads the stream and forwards it to the
 * others, because browsers open only six connections per server.
 */
import { ownName } from '@/api/base';
import { ApiError } from '@/api/errors';
import { readEvents } from '@/api/eventStream';
import type { UnreadCount } from '@/api/generated';
import { useSession } from '@/api/session';
import { setUnread, useUnread } from './inbox';

const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** Messages between windows: a number of unread entries, or a window that asks for it. */
type WindowMessage = { is: 'unread'; unread: number } | { is: 'hello' };

/** Follows the inbox of the active organization until `signal` aborts. */
export async function followInbox(signal: AbortSignal): Promise<void> {
  const { user, session } = useSession.getState();
  if (!user || !session?.orgId) return;
  const name = ownName(`planroom.inbox.${JSON.stringify([user.id, session.orgId])}`);
  const channel = new BroadcastChannel(name);
  const post = (message: WindowMessage) => !signal.aborted && channel.postMessage(message);
  let isLeading = false;
  channel.onmessage = ({ data }: MessageEvent<WindowMessage>) => {
    const { unread } = useUnread.getState();
    if (data.is === 'unread') setUnread(data.unread);
    else if (isLeading && unread !== null) post({ is: 'unread', unread });
  };
  signal.addEventListener('abort', () => channel.close(), { once: true });
  post({ is: 'hello' });
  const lead = async () => {
    isLeading = true;
    await readForever(signal, (unread) => {
      setUnread(unread);
      post({ is: 'unread', unread });
    });
  };
  if (!navigator.locks) return lead();
  await navigator.locks.request(name, { signal }, lead).catch(() => {
    // The window was closed before it acquired the lock.
  });
}

/** Reads the stream, and reconnects when it ends. */
async function readForever(signal: AbortSignal, onUnread: (unread: number) => void): Promise<void> {
  let wait = MIN_RETRY_DELAY_MS;
  while (!signal.aborted) {
    try {
      await readEvents('/api/me/events', {}, signal, (events) => {
        wait = MIN_RETRY_DELAY_MS;
        const last = events.at(-1);
        if (last?.event === 'inbox') onUnread((last.data as UnreadCount).unread);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.retryAfter) wait = Math.max(wait, error.retryAfter);
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_RETRY_DELAY_MS);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
