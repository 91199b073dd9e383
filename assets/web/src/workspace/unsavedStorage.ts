/**
 * Keeps in this browser what is not saved yet, so that neither a reload nor a crash loses it. Each window writes a record
 * of its own, and holds a lock as long as it lives: a record whose lock is free was left behind, and is taken up by the
 * next window of the same user.
 */
import { del, entries, get, set } from 'idb-keyval';
import { newId } from '@/core/newId';
import { type Queue, recoverQueue } from '@/core/sync/queue';
import { parseStoredEdits, type StoredQueue } from '@/core/sync/storedEdits';

/** Whose work it is, and where it belongs. A token is good for one organization. */
export interface QueueOwner {
  userId: number;
  orgId: string;
  workspaceId: string;
}

interface StoredRecord extends QueueOwner, StoredQueue {
  window: string;
  /** When it was written, Unix milliseconds. */
  at: number;
}

/** What this window calls itself, to its server too. Two windows never share a name, not even one and its copy. */
export const CLIENT_ID = newId();

const PREFIX = 'planroom.unsaved.';
const locks: LockManager | undefined = navigator.locks;
/** On plain http there are no locks: a record that nobody has written for so long is left behind, in milliseconds. */
const ABANDONED_AFTER_MS = 60_000;

if (locks) void locks.request(lockOf(CLIENT_ID), () => new Promise<never>(() => {}));

function lockOf(window: string): string {
  return `planroom.window.${window}`;
}

function keyOf({ userId, orgId, workspaceId }: QueueOwner, window: string): string {
  return PREFIX + JSON.stringify([userId, orgId, workspaceId, window]);
}

/** Writes down what is not saved of a place; answers when it is on the disk. */
export async function storeQueue(place: QueueOwner, queue: Queue): Promise<void> {
  const left = recoverQueue(queue);
  const key = keyOf(place, CLIENT_ID);
  if (left.length === 0) await del(key);
  else await set(key, { ...place, window: CLIENT_ID, edits: left, at: Date.now() } satisfies StoredRecord);
}

/** Takes up what windows of this user have left behind in this organization, each record once. */
export async function recoverQueues(
  owner: Omit<QueueOwner, 'workspaceId'>,
  take: (workspaceId: string, queue: Queue) => Promise<void>,
  whenClosed: () => void,
): Promise<void> {
  const all = (await entries<string, StoredRecord>()).filter(
    ([key, stored]) =>
      typeof key === 'string' &&
      key.startsWith(PREFIX) &&
      stored.userId === owner.userId &&
      stored.orgId === owner.orgId &&
      stored.window !== CLIENT_ID,
  );
  for (const [key, { window, at }] of all) {
    if (!locks && at > Date.now() - ABANDONED_AFTER_MS) continue;
    await whenWindowClosed(window, whenClosed, async () => {
      const stored = await get<StoredRecord>(key);
      if (!stored) return;
      // Ours first, then theirs goes: a crash between the two sends it twice, which does no harm.
      await take(stored.workspaceId, parseStoredEdits(stored));
      await del(key);
    });
  }
}

/** Windows that live, and whose end is waited for. */
const awaited = new Set<string>();

/** Runs with the lock of another window, if that lives no more; else tells when it has closed. */
async function whenWindowClosed(
  window: string,
  whenClosed: () => void,
  run: () => Promise<void>,
): Promise<void> {
  if (!locks) return run();
  const isLeft = await locks.request(lockOf(window), { ifAvailable: true }, async (lock) => {
    if (lock) await run();
    return lock !== null;
  });
  if (isLeft || awaited.has(window)) return;
  awaited.add(window);
  void locks.request(lockOf(window), async () => {}).then(whenClosed);
}
