/** The collapsed groups of each workspace, stored in this browser. */
import { useEffect } from 'react';
import { useWorkspace } from '@/workspace/store';
import { useView } from './view';

const keyOf = (workspaceId: string) => `planroom.collapsed.${workspaceId}`;

/** Restores the collapsed groups of the open workspace and stores changes. */
export function useCollapsedGroups(): void {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  useEffect(() => {
    const key = keyOf(workspaceId);
    useView.setState({ collapsed: loadCollapsed(key) });
    return useView.subscribe(({ collapsed }, before) => {
      if (collapsed === before.collapsed) return;
      if (collapsed.size === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify([...collapsed]));
    });
  }, [workspaceId]);
}

function loadCollapsed(key: string): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    // If stored data is invalid, expand all groups.
    return new Set();
  }
}
