/** Invalidates every list of workspaces. */
import { queryClient } from '@/app/queries';

export function workspacesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'workspaces' });
}
