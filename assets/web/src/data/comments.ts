/** Comments of a workspace. They are loaded apart from the map, and again when a comment was written. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  getCommentOverview,
  getThread,
  type ListThreadsParams,
  listMentionable,
  listThreads,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { queryClient } from './queries';

/** Which threads are listed. */
export type ThreadFilter = Pick<ListThreadsParams, 'anchorType' | 'anchorId' | 'state' | 'kind' | 'detached'>;

const PAGE = 50;

const key = (orgId: string, workspaceId: string) => [orgId, 'comments', workspaceId];

function useKey(workspaceId: string): string[] {
  return key(
    useSession((state) => state.session?.orgId ?? ''),
    workspaceId,
  );
}

/** The number of threads for each anchor, and whether the user can comment. */
export function useCommentOverview(workspaceId: string, enabled = true) {
  return useQuery({
    queryKey: [...useKey(workspaceId), 'overview'],
    queryFn: () => getCommentOverview(workspaceId),
    enabled: enabled && workspaceId !== '',
  });
}

/** Threads in pages, newest first. */
export function useThreads(workspaceId: string, filter: ThreadFilter) {
  return useInfiniteQuery({
    queryKey: [...useKey(workspaceId), 'threads', filter],
    queryFn: ({ pageParam }) =>
      listThreads(workspaceId, { ...filter, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A thread with its messages. */
export function useThread(workspaceId: string, threadId: string) {
  return useQuery({
    queryKey: [...useKey(workspaceId), 'thread', threadId],
    queryFn: () => getThread(workspaceId, threadId),
  });
}

/** Users to mention whose login or name begins with a text; null: none. */
export function useMentionable(workspaceId: string, typed: string | null) {
  return useQuery({
    queryKey: [...useKey(workspaceId), 'people', typed],
    queryFn: () => listMentionable(workspaceId, { q: typed ?? '' }),
    enabled: typed !== null,
  });
}

/** Loads all comments of a workspace that are shown again. */
export function invalidateComments(workspaceId: string): Promise<void> {
  const { session } = useSession.getState();
  return queryClient.invalidateQueries({ queryKey: key(session?.orgId ?? '', workspaceId) });
}
