/** Somebody changed which workspaces there are: whatever lists them is read again. */
import { queryClient } from '@/data/queries';

export function invalidateWorkspaces(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'workspaces' });
}
