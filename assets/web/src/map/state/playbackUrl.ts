/** What plays, and where it stands, is in the address: a link to a step opens there. */

import { navigate } from 'wouter/use-browser-location';
import { openWorkspacePath } from './location';

/** The address of a process of the open workspace. */
export function processPath(processId: string): string {
  return openWorkspacePath('processes', processId);
}

/** The address of a step, counted from 0 here and from 1 there. */
export function stepPath(processId: string, step: number): string {
  return `${openWorkspacePath()}?${new URLSearchParams({ process: processId, step: String(step + 1) })}`;
}

/** Changes what the address says, and leaves the rest of it as it is. */
export function updateQuery(changes: Readonly<Record<string, string | null>>, replace = true): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(text ? `${location.pathname}?${text}` : location.pathname, { replace });
}

/** Leaves playback. */
export function leavePlayback(): void {
  updateQuery({ process: null, step: null });
}
