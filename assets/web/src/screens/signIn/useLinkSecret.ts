/**
 * The secret of a link, read from the URL fragment, which is never logged. Updates when another link is opened in the
 * same tab.
 */
import { useSyncExternalStore } from 'react';

export function useLinkSecret(): string {
  return useSyncExternalStore(listen, () => location.hash.slice(1));
}

function listen(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
