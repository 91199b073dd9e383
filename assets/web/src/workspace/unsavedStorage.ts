/**
 * Stores unsaved edits in this browser, so that they survive a reload or crash. Each window writes a separate record
 * and holds a lock while it is open. A record without a held lock is abandoned, and the next window of the same user
 * takes it over.
 */

import { del, entries, get, set } from 'idb-keyval';
import { ownName } from '@/api/base';
import { newId } from '@/core/newId';
import { type Queue, recoverQueue } from '@/core/sync/queue';

/** The user and workspace of a record. Each token is valid for one organization. */
export interface QueueOwner {
  userId: number;
  orgId: string;
  workspaceId: string;
}

interface StoredRecord extends QueueOwner {
  window: string;
  edits: Queue;
  /** Time of writing, Unix milliseconds. */
  at: number;
}

/** The ID of this window, also sent to the server. Every window has a unique ID, even a duplicated one. */
export const CLIENT_ID = newId();

const PREFIX = ownName('planroom.unsaved.');
const locks: LockManager | undefined = navigator.locks;
/** Without locks (over plain HTTP), records are considered abandoned after this time, in milliseconds. */
const ABANDONED_AFTER_MS = 60_000;

if (locks) void locks.request(lockOf(CLIENT_ID), () => new Promise<never>(() => {}));

function lockOf(window: string): string {
  return `planroom.window.${window}`;
}

function keyOf({ userId, orgId, workspaceId }: QueueOwner, window: string): string {
  return PREFIX + JSON.stringify([userId, orgId, workspaceId, window]);
}

/** Stores the unsaved edits of a workspace. Resolves when the write is complete. */
export async function storeQueue(place: QueueOwner, queue: Queue): Promise<void> {
  const left = recoverQueue(queue);
  const key = keyOf(place, CLIENT_ID);
  if (left.length === 0) await del(key);
  else await set(key, { ...place, window: CLIENT_ID, edits: left, at: Date.now() } satisfies StoredRecord);
}

/** Takes over records abandoned by other windows of this user in this organization, each exactly once. */
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
      // Write the new record before deleting the old one. A crash in between causes the edits to be sent twice, which
      // is safe.
      await take(stored.workspaceId, recoverQueue(stored.edits));
      await del(key);
    });
  }
}

/** Open windows that are being waited for. */
const awaited = new Set<string>();

/** Calls back with the lock of another window, immediately if that window is closed, otherwise when it closes. */
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
