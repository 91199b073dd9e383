/** The last view of each workspace in this browser: the center of the canvas in map units, and the zoom. */
import type { MapQuery } from '@/core/scene/urlQuery';

type Place = NonNullable<MapQuery['at']>;

const KEY = 'planroom.lastViews';
/** Maximum number of workspaces to store. */
const MAX_WORKSPACES = 50;

export function lastView(workspaceId: string): Place | null {
  return load().find(([id]) => id === workspaceId)?.[1] ?? null;
}

export function saveLastView(workspaceId: string, at: Place): void {
  const others = load().filter(([id]) => id !== workspaceId);
  localStorage.setItem(KEY, JSON.stringify([[workspaceId, at], ...others].slice(0, MAX_WORKSPACES)));
}

function load(): [string, Place][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is [string, Place] {
  if (!Array.isArray(entry)) return false;
  const [id, at] = entry as [unknown, Partial<Place> | null];
  return typeof id === 'string' && [at?.x, at?.y, at?.zoom].every(Number.isFinite) && (at?.zoom ?? 0) > 0;
}
