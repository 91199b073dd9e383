/** Sign-out from Planroom and, if configured, from the identity provider. */
import { currentPath, ownName, withBase } from './base';
import { signOut as endSession } from './generated';
import { setSignedOut } from './session';

const KEY = ownName('planroom.left');

/**
 * Signs out and calls `then`. If the provider's session must be ended too, the browser is redirected and returns to the
 * page that is open after `then`.
 */
export async function signOut(then: () => void = () => {}): Promise<void> {
  const { continueAt } = await endSession();
  setSignedOut();
  then();
  if (!continueAt) return;
  // Stored only for this tab, because the URL may contain the secret of a link.
  sessionStorage.setItem(KEY, currentPath() + location.search + location.hash);
  location.assign(continueAt);
}

/** On page load, restores the URL that was open before the redirect to the provider. */
export function restorePageAfterSignOut(): void {
  const left = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (left && currentPath() === '/sign-in' && !location.search)
    history.replaceState(null, '', withBase(left));
}
