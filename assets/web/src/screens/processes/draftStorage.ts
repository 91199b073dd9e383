/**
 * Keeps in this browser what is typed into processes and not saved, so that a closed window does not lose it. Keys name
 * whose it is and where: several people may use one browser.
 */
import type { Content, Draft } from '@/core/process/draft';
import { isDirty } from '@/core/process/draft';

/** What is kept of one. */
export interface Kept {
  mine: Content;
  base: Content;
}

const PREFIX = 'planroom.process/';
const SOON = 250;

const waiting = new Map<string, Draft>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps a draft, or forgets it when the server has all of it. */
export function keep(key: string, draft: Draft): void {
  waiting.set(key, draft);
  timer ??= setTimeout(flush, SOON);
}

export function forget(key: string): void {
  waiting.delete(key);
  attempt(() => localStorage.removeItem(PREFIX + key));
}

/** What was kept, if anything was. */
export function kept(key: string): Kept | undefined {
  return attempt(() => {
    const text = localStorage.getItem(PREFIX + key);
    return text ? (JSON.parse(text) as Kept) : undefined;
  });
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  for (const [key, draft] of waiting) {
    const { mine, base } = draft;
    attempt(() => {
      if (isDirty(draft)) localStorage.setItem(PREFIX + key, JSON.stringify({ mine, base }));
      else localStorage.removeItem(PREFIX + key);
    });
  }
  waiting.clear();
}

/** A browser that keeps nothing, or is full, is no reason to stop. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

addEventListener('pagehide', flush);
