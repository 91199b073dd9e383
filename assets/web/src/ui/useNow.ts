/** The current time, updated often enough for texts such as “3 minutes ago”, at the same moment in all components. */
import { useSyncExternalStore } from 'react';

const INTERVAL_MS = 30_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The timers of a hidden page are delayed, so the time is updated when the page is shown. */
function onVisible(): void {
  if (document.visibilityState === 'visible') tick();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, INTERVAL_MS);
    document.addEventListener('visibilitychange', onVisible);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

function current(): number {
  // While nothing is subscribed, the time is not updated.
  if (listeners.size === 0 && Date.now() - now >= INTERVAL_MS) now = Date.now();
  return now;
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, current);
}
