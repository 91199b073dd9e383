/**
 * Keeps the URL fragment of the requested page while the user is at the identity provider. Stored for this tab only,
 * because it may be the secret of a link.
 */
import type { Wanted } from '@/core/account/provider';

const KEY = 'planroom.wanted';

export function keepHash(wanted: Wanted): void {
  if (wanted.hash) sessionStorage.setItem(KEY, JSON.stringify(wanted));
  else sessionStorage.removeItem(KEY);
}

/** The page with its stored fragment. */
export function withHash(path: string): string {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Wanted | null;
  return kept?.path === path ? path + kept.hash : path;
}
