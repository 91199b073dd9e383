/** The workspaces most recently opened in this browser. */

import { ownName } from '@/api/base';

const KEY = ownName('planroom.recent');
const MAX_REMEMBERED = 200;

/** When each workspace was opened, in Unix milliseconds by ID. */
export function recentlyOpened(): ReadonlyMap<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Map(Array.isArray(stored) ? stored : []);
  } catch {
    return new Map();
  }
}

/** Records that a workspace was opened. */
export function recordOpened(workspaceId: string): void {
  const others = [...recentlyOpened()].filter(([id]) => id !== workspaceId);
  const entries = [[workspaceId, Date.now()], ...others].slice(0, MAX_REMEMBERED);
  try {
    localStorage.setItem(KEY, JSON.stringify(entries));
  } catch {
    // Without local storage, only the order is lost.
  }
}
