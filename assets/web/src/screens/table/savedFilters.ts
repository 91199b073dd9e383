/** The saved filters of the current user, stored in this browser. */

import { create } from 'zustand';
import { ownName } from '@/api/base';
import { useSession } from '@/api/session';
import { parseSavedFilters, type SavedFilter } from '@/core/table/tableQuery';

function keyOf(userId: number | undefined): string {
  return ownName(`planroom.table.filters/${userId}`);
}

export const useSavedFilters = create<{ filters: readonly SavedFilter[] }>()(() => ({
  filters: loadFilters(),
}));

useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) useSavedFilters.setState({ filters: loadFilters() });
});

// Another tab has saved filters.
window.addEventListener('storage', ({ key }) => {
  if (key === keyOf(useSession.getState().user?.id)) useSavedFilters.setState({ filters: loadFilters() });
});

/** Stores exactly these filters, sorted by name. */
export function saveFilters(filters: readonly SavedFilter[]): void {
  const sorted = [...filters].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  useSavedFilters.setState({ filters: sorted });
  try {
    localStorage.setItem(keyOf(useSession.getState().user?.id), JSON.stringify(sorted));
  } catch {
    // Without local storage, filters are kept until the page is closed.
  }
}

function loadFilters(): SavedFilter[] {
  try {
    return parseSavedFilters(localStorage.getItem(keyOf(useSession.getState().user?.id)) ?? '[]');
  } catch {
    return [];
  }
}
