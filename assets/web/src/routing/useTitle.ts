/** The document title. */
import { useEffect } from 'react';
import { useSignInConfig } from '@/data/queries';

/** Sets the document title to `title` and the instance name. Does nothing if `title` is undefined. */
export function useTitle(title: string | undefined): void {
  const instance = useSignInConfig().data?.instanceName || 'Planroom';
  useEffect(() => {
    if (title !== undefined) document.title = title ? `${title} · ${instance}` : instance;
  }, [title, instance]);
}
