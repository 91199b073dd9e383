/** Stores the paths of lines in this tab, so that a reload shows the same routes. */
import { ownName } from '@/api/base';
import type { TrackPath } from '@/core/route/types';

type Paths = ReadonlyMap<string, TrackPath>;

const keyOf = (workspaceId: string) => ownName(`planroom.routes.${workspaceId}`);

export function storePaths(workspaceId: string, paths: Paths): void {
  const stored = [...paths].flatMap(([id, { points, ports, isFixed, pinned }]) =>
    isFixed || pinned ? [] : [[id, ...ports, ...points.flatMap(({ x, y }) => [x, y])]],
  );
  try {
    sessionStorage.setItem(keyOf(workspaceId), JSON.stringify(stored));
  } catch {
    // The quota is exceeded, so lines are routed again after a reload.
    sessionStorage.removeItem(keyOf(workspaceId));
  }
}

export function loadPaths(workspaceId: string): Paths {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(workspaceId)) ?? '[]');
    return new Map(Array.isArray(stored) ? stored.flatMap(parseEntry) : []);
  } catch {
    return new Map();
  }
}

/** Checks only the format. Paths that are invalid for their line are ignored during routing. */
function parseEntry(entry: unknown): [string, TrackPath][] {
  if (!Array.isArray(entry)) return [];
  const [id, start, end, ...coordinates] = entry as unknown[];
  if (typeof id !== 'string' || !isPort(start) || !isPort(end)) return [];
  if (coordinates.length < 4 || coordinates.length % 2 !== 0 || !coordinates.every(Number.isFinite))
    return [];
  const numbers = coordinates as number[];
  const points = Array.from({ length: numbers.length / 2 }, (_, at) => ({
    x: numbers[2 * at] as number,
    y: numbers[2 * at + 1] as number,
  }));
  return [[id, { points, ports: [start, end], trunk: -1 }]];
}

function isPort(value: unknown): value is number {
  return value === 0 || value === 1 || value === 2 || value === 3 || value === 4;
}
