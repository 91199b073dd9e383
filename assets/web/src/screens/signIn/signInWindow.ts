/** Sign-in in a separate window, so that the current page keeps its state. */
import { ownName, withBase } from '@/api/base';
import { providerSignInUrl } from '@/core/account/provider';

const CHANNEL = ownName('planroom.signed-in');

/** Opens the window. Returns false if the browser blocked it. */
export function openSignInWindow(): boolean {
  return (
    window.open(
      withBase(providerSignInUrl('/signed-in')),
      ownName('planroom-sign-in'),
      'popup,width=540,height=720',
    ) !== null
  );
}

/** Called in the sign-in window after sign-in. */
export function notifySignedIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(true);
  channel.close();
}

/** Calls back when sign-in in the separate window is complete. Returns a function that stops listening. */
export function onSignedIn(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}
