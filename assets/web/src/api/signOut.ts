/** Signing out: here, and at the identity provider too where this instance does so for who signed in there. */
import { logOut } from './generated';
import { setSignedOut } from './session';

const KEY = 'planroom.left';

/** Signs out. `then` is done at once; a browser that goes on to the provider comes back to the page that is open by then. */
export async function signOut(then: () => void = () => {}): Promise<void> {
  const { continueAt } = await logOut();
  setSignedOut();
  then();
  if (!continueAt) return;
  // This tab alone remembers it, for it may hold the secret of a link.
  sessionStorage.setItem(KEY, location.pathname + location.search + location.hash);
  location.assign(continueAt);
}

/** As the page begins: from the provider one comes to the sign-in, and goes on to where one was. */
export function restorePageAfterSignOut(): void {
  const left = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (left && location.pathname === '/sign-in' && !location.search) history.replaceState(null, '', left);
}
