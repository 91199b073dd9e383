/** The playing process and its step in the URL, which makes them linkable. */

import { currentPath } from '@/api/base';
import { navigate } from '@/routing/location';
import { openWorkspacePath } from './location';

/** The URL of a process of the open workspace. */
export function processPath(processId: string): string {
  return openWorkspacePath('processes', processId);
}

/** The URL of a step. `step` is zero-based; the URL is one-based. */
export function stepPath(processId: string, step: number): string {
  return `${openWorkspacePath()}?${new URLSearchParams({ process: processId, step: String(step + 1) })}`;
}

/** Changes the given query parameters and keeps all others. */
export function updateQuery(changes: Readonly<Record<string, string | null>>, replace = true): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(text ? `${currentPath()}?${text}` : currentPath(), { replace });
}

/** Exits playback. */
export function exitPlayback(): void {
  updateQuery({ process: null, step: null });
}
