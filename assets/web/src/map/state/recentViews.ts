/** The recently opened views of each workspace, shown as tabs. Stored in this browser. */

import { create } from 'zustand';
import { ownName } from '@/api/base';

/** Maximum number of tabs. */
const MAX_TABS = 6;

const keyOf = (workspaceId: string) => ownName(`planroom.views.${workspaceId}`);

interface RecentViews {
  workspaceId: string;
  /** The addresses of views, in the order of the tabs. */
  addresses: readonly string[];
}

export const useRecentViews = create<RecentViews>()(() => ({ workspaceId: '', addresses: [] }));

export function loadRecentViews(workspaceId: string): void {
  if (useRecentViews.getState().workspaceId === workspaceId) return;
  useRecentViews.setState({ workspaceId, addresses: stored(workspaceId) });
}

function stored(workspaceId: string): string[] {
  try {
    const addresses: unknown = JSON.parse(localStorage.getItem(keyOf(workspaceId)) ?? '[]');
    return Array.isArray(addresses) ? addresses.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function save(addresses: readonly string[]): void {
  const { workspaceId } = useRecentViews.getState();
  useRecentViews.setState({ addresses });
  localStorage.setItem(keyOf(workspaceId), JSON.stringify(addresses));
}

/** Adds a tab. If there are too many, the oldest one is closed. Tabs keep their places. */
export function addRecentView(address: string): void {
  const { addresses } = useRecentViews.getState();
  if (!addresses.includes(address)) save([...addresses, address].slice(-MAX_TABS));
}

export function closeRecentView(address: string): void {
  save(useRecentViews.getState().addresses.filter((one) => one !== address));
}
