/**
 * Keeps in this browser what is typed into processes and not saved, so that a closed window does not lose it. Keys name
 * whose it is and where: several people may use one browser.
 */
import type { ProcessContent, ProcessDraft } from '@/core/process/draft';
import { isDirty } from '@/core/process/draft';

/** What is kept of one. */
export interface StoredDraft {
  mine: ProcessContent;
  base: ProcessContent;
}

const PREFIX = 'planroom.process/';
const WRITE_DELAY_MS = 250;

const waiting = new Map<string, ProcessDraft>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps a draft, or forgets it when the server has all of it. */
export function storeDraft(key: string, draft: ProcessDraft): void {
  waiting.set(key, draft);
  timer ??= setTimeout(flush, WRITE_DELAY_MS);
}

export function forgetDraft(key: string): void {
  waiting.delete(key);
  attempt(() => localStorage.removeItem(PREFIX + key));
}

/** What was kept, if anything was. */
export function loadDraft(key: string): StoredDraft | undefined {
  return attempt(() => {
    const text = localStorage.getItem(PREFIX + key);
    return text ? (JSON.parse(text) as StoredDraft) : undefined;
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
