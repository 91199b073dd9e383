/** What the browser's tab and history call this page. */
import { useEffect } from 'react';
import { useSignInConfig } from '@/data/queries';

/** `title` is of the screen alone; the name of the instance is added. Nothing while it is not known. */
export function useTitle(title: string | undefined): void {
  const instance = useSignInConfig().data?.instanceName || 'Planroom';
  useEffect(() => {
    if (title !== undefined) document.title = title ? `${title} · ${instance}` : instance;
  }, [title, instance]);
}
