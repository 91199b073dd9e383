/**
 * Stores unsaved edits in this browser, so that a reload or crash does not lose them. Each window writes its own record
 * and holds a lock while it is open: a record whose lock is free was left behind, and the next window of the same user
 * takes it over.
 */
import { del, entries, get, set } from 'idb-keyval';
import { newId } from '@/core/newId';
import { type Queue, recoverQueue } from '@/core/sync/queue';
import { parseStoredEdits, type StoredQueue } from '@/core/sync/storedEdits';

/** The user and workspace of a record. A token is valid for one organization. */
export interface QueueOwner {
  userId: number;
  orgId: string;
  workspaceId: string;
}

interface StoredRecord extends QueueOwner, StoredQueue {
  window: string;
  /** Time of writing, Unix milliseconds. */
  at: number;
}

/** The id of this window, also sent to the server. Two windows never share an id, not even a duplicated one. */
export const CLIENT_ID = newId();

const PREFIX = 'planroom.unsaved.';
const locks: LockManager | undefined = navigator.locks;
/** Without locks, on plain http, a record counts as left behind after this time, in milliseconds. */
const ABANDONED_AFTER_MS = 60_000;

if (locks) void locks.request(lockOf(CLIENT_ID), () => new Promise<never>(() => {}));

function lockOf(window: string): string {
  return `planroom.window.${window}`;
}

function keyOf({ userId, orgId, workspaceId }: QueueOwner, window: string): string {
  return PREFIX + JSON.stringify([userId, orgId, workspaceId, window]);
}

/** Stores the unsaved edits of a workspace. Resolves when they are written. */
export async function storeQueue(place: QueueOwner, queue: Queue): Promise<void> {
  const left = recoverQueue(queue);
  const key = keyOf(place, CLIENT_ID);
  if (left.length === 0) await del(key);
  else await set(key, { ...place, window: CLIENT_ID, edits: left, at: Date.now() } satisfies StoredRecord);
}

/** Takes over records that other windows of this user left behind in this organization, each once. */
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
      // Write our record before deleting theirs: a crash in between sends the edits twice, which is harmless.
      await take(stored.workspaceId, parseStoredEdits(stored));
      await del(key);
    });
  }
}

/** Open windows whose end is awaited. */
const awaited = new Set<string>();

/** Runs with the lock of another window if that has closed; otherwise waits until it closes. */
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
