/** Signing in in a window of its own, so that the page that waits stays as it is. */
import { providerSignInUrl } from '@/core/account/provider';

const CHANNEL = 'planroom.signed-in';

/** Opens the window; false when the browser did not want to. */
export function openSignInWindow(): boolean {
  return (
    window.open(providerSignInUrl('/signed-in'), 'planroom-sign-in', 'popup,width=540,height=720') !== null
  );
}

/** Says in that window that it is done. */
export function notifySignedIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(true);
  channel.close();
}

/** Calls when a window has said so; answers with what stops it. */
export function onSignedIn(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}
