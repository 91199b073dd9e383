/** Saves a change by the arrow keys when the key is released, so that holding a key is one edit. */

/** Delay before saving if the action was not triggered by a key, for example from the command palette. */
const COMMIT_DELAY_MS = 600;

let timer: ReturnType<typeof setTimeout> | undefined;
let pending: (() => void) | null = null;

/** Calls `commit` once when an arrow key is released. Call it before the change, because it may save another one. */
export function commitOnRelease(commit: () => void): void {
  // A change of another kind is saved first.
  if (pending && pending !== commit) release();
  pending = commit;
  window.addEventListener('keyup', release);
  window.addEventListener('blur', release);
  clearTimeout(timer);
  timer = setTimeout(release, COMMIT_DELAY_MS);
}

function release(event?: Event): void {
  if (event instanceof KeyboardEvent && !event.key.startsWith('Arrow')) return;
  clearTimeout(timer);
  window.removeEventListener('keyup', release);
  window.removeEventListener('blur', release);
  const commit = pending;
  pending = null;
  commit?.();
}
