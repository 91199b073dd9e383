/** Which boxes are collapsed is kept in this browser, for each workspace. */
import { useEffect } from 'react';
import { useWorkspace } from '@/workspace/store';
import { useView } from './view';

const keyOf = (workspaceId: string) => `planroom.collapsed.${workspaceId}`;

/** Opens a workspace with the boxes as they were left. */
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
    // Written by hand, or by something else: all boxes are open then.
    return new Set();
  }
}
