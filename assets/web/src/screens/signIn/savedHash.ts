/**
 * What stands behind the `#` of the page one came for, while one is at the identity provider: this tab alone remembers it,
 * for it may be the secret of a link.
 */
import type { RequestedPage } from '@/core/account/provider';

const KEY = 'planroom.wanted';

export function saveHash(wanted: RequestedPage): void {
  if (wanted.hash) sessionStorage.setItem(KEY, JSON.stringify(wanted));
  else sessionStorage.removeItem(KEY);
}

/** The page with what was kept for it. */
export function withSavedHash(path: string): string {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as RequestedPage | null;
  return kept?.path === path ? path + kept.hash : path;
}
