/** The last viewport of each map and view in this browser: the center of the canvas in map units, and the zoom. */
import { ownName } from '@/api/base';
import type { MapQuery } from '@/core/scene/urlQuery';

type Place = NonNullable<MapQuery['at']>;

const KEY = ownName('planroom.lastViews');
/** Maximum number of maps and views to store. */
const MAX_MAPS = 50;

export function lastView(map: string): Place | null {
  return load().find(([id]) => id === map)?.[1] ?? null;
}

export function saveLastView(map: string, at: Place): void {
  const others = load().filter(([id]) => id !== map);
  localStorage.setItem(KEY, JSON.stringify([[map, at], ...others].slice(0, MAX_MAPS)));
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
