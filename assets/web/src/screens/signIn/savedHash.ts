/**
 * Keeps the URL fragment of the requested page while the user is at the identity provider. Stored for this tab only,
 * because it may be the secret of a link.
 */
import type { RequestedPage } from '@/core/account/provider';

const KEY = 'planroom.wanted';

export function saveHash(page: RequestedPage): void {
  if (page.hash) sessionStorage.setItem(KEY, JSON.stringify(page));
  else sessionStorage.removeItem(KEY);
}

/** The page with its stored fragment. */
export function withSavedHash(path: string): string {
  const saved = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as RequestedPage | null;
  return saved?.path === path ? path + saved.hash : path;
}
