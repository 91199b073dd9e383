/**
 * Stores unsaved drafts in this browser, so that they survive closing the window. Keys contain the user and workspace,
 * because several people may use the same browser.
 */
import { ownName } from '@/api/base';
import type { ProcessContent, ProcessDraft } from '@/core/process/draft';
import { isDirty } from '@/core/process/draft';

/** The stored part of a draft. */
export interface StoredDraft {
  mine: ProcessContent;
  base: ProcessContent;
}

const PREFIX = ownName('planroom.process/');
const WRITE_DELAY_MS = 250;

const waiting = new Map<string, ProcessDraft>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Stores a draft, or removes it if it is saved. */
export function storeDraft(key: string, draft: ProcessDraft): void {
  waiting.set(key, draft);
  timer ??= setTimeout(flush, WRITE_DELAY_MS);
}

export function forgetDraft(key: string): void {
  waiting.delete(key);
  attempt(() => localStorage.removeItem(PREFIX + key));
}

/** The stored draft, if any. */
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

/** The editor must work even if local storage is missing or full. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

addEventListener('pagehide', flush);
