/**
 * Stores the URL fragment of the requested page during sign-in with the identity provider. Stored only for this tab,
 * because it may be the secret of a link.
 */
import { ownName } from '@/api/base';
import type { RequestedPage } from '@/core/account/provider';

const KEY = ownName('planroom.wanted');

export function saveHash(page: RequestedPage): void {
  if (page.hash) sessionStorage.setItem(KEY, JSON.stringify(page));
  else sessionStorage.removeItem(KEY);
}

/** Adds the stored fragment to a page's path. */
export function withSavedHash(path: string): string {
  const saved = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as RequestedPage | null;
  return saved?.path === path ? path + saved.hash : path;
}
