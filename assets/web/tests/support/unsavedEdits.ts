/** The stored record of a closed window. */
import type { Page } from '@playwright/test';
import type { Actor } from './actor.ts';

export interface UnsavedRecord {
  /** The label shown by undo. */
  label: string;
  operation: Record<string, unknown>;
}

/** The user and workspace of the record. */
export interface QueueOwner {
  userId: number;
  orgId: string;
  workspaceId: string;
}

export async function queueOwner(actor: Actor, workspaceId: string): Promise<QueueOwner> {
  const { organizations } = await actor.get('/api/orgs');
  return { userId: (await actor.get('/api/me')).id, orgId: organizations[0].id, workspaceId };
}

/**
 * Stores unsaved edits in the browser of `page`, as if left by a crashed window. They are recovered immediately.
 * Operations with the same label are one edit.
 */
export async function storeUnsaved(
  page: Page,
  place: QueueOwner,
  all: readonly UnsavedRecord[],
): Promise<void> {
  const window = `left-${Math.random()}`;
  const edits = [...new Set(all.map(({ label }) => label))].map((label, at) => ({
    id: `${window}-${at}`,
    key: `${window}-${at}`,
    label,
    operations: all.filter((entry) => entry.label === label).map(({ operation }) => operation),
    state: 'waiting',
    at: Date.now(),
  }));
  const key = `planroom.unsaved.${JSON.stringify([place.userId, place.orgId, place.workspaceId, window])}`;
  await page.evaluate(
    async ({ key, record }) => {
      const open = indexedDB.open('keyval-store');
      await new Promise((resolve, reject) => {
        open.onsuccess = resolve;
        open.onerror = reject;
        open.onupgradeneeded = () => open.result.createObjectStore('keyval');
      });
      const transaction = open.result.transaction('keyval', 'readwrite');
      transaction.objectStore('keyval').put(record, key);
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      open.result.close();
      document.dispatchEvent(new Event('visibilitychange'));
    },
    { key, record: { ...place, window, edits, at: Date.now() } },
  );
}

/** The number of stored edits. */
export function countStored(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const open = indexedDB.open('keyval-store');
    await new Promise((resolve) => {
      open.onsuccess = resolve;
    });
    if (!open.result.objectStoreNames.contains('keyval')) return 0;
    const all = open.result.transaction('keyval').objectStore('keyval').getAll();
    await new Promise((resolve) => {
      all.onsuccess = resolve;
    });
    open.result.close();
    return (all.result as { edits?: unknown[] }[]).reduce((sum, { edits = [] }) => sum + edits.length, 0);
  });
}
