/** Invalidates every list of workspaces. */
import { queryClient } from '@/data/queries';

export function invalidateWorkspaces(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'workspaces' });
}
