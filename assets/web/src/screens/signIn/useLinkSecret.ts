/** The secret of a link: it stands behind the `#`, out of every log. Another link in the same tab is another secret. */
import { useSyncExternalStore } from 'react';

export function useLinkSecret(): string {
  return useSyncExternalStore(listen, () => location.hash.slice(1));
}

function listen(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
