/** The collapsed groups of each workspace, stored in this browser. */
import { ownName } from '@/api/base';
import { useView } from './view';

const keyOf = (workspaceId: string) => ownName(`planroom.collapsed.${workspaceId}`);

let isTemporary = false;

/** Runs a change of the collapsed groups that is not stored because the user did not request it. */
export function changeTemporarily(change: () => void): void {
  isTemporary = true;
  change();
  isTemporary = false;
}

/** Stores changes of the collapsed groups. Returns a function that ends this. */
export function rememberCollapsed(workspaceId: string): () => void {
  const key = keyOf(workspaceId);
  return useView.subscribe(({ collapsed }, before) => {
    if (collapsed === before.collapsed || isTemporary) return;
    if (collapsed.size === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify([...collapsed]));
  });
}

export function loadCollapsed(workspaceId: string): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(workspaceId)) ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    // If stored data is invalid, expand all groups.
    return new Set();
  }
}
