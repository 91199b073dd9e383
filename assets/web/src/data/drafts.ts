/** Drafts of workspaces, their comparisons, and the protection of workspaces. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  compareDraft,
  type Draft,
  type DraftComparison,
  type DraftState,
  getCompareDraftUrl,
  listDrafts,
  readDraft,
  readProtection,
} from '@/api/generated';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import { UNFINISHED } from '@/core/drafts/states';
import { queryClient } from './queries';

const PAGE = 50;

/** How often a shown draft is loaded again, because its event stream does not contain changes of its base. */
const REFRESH_MS = 60_000;

/** Options of requests that take long for large maps. */
export const LARGE_MAP = { timeout: 120_000 } as const;

type Part = 'drafts' | 'draft' | 'comparison' | 'protection';

const key = (orgId: string, part: Part, id: string) => [orgId, part, id];

function useKey(part: Part, id: string): string[] {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  return key(orgId, part, id);
}

export interface DraftFilter {
  /** Empty: all states. */
  states: readonly DraftState[];
  isOwn: boolean;
}

/** The drafts of a workspace in pages, newest first. */
export function useDrafts(workspaceId: string, { states, isOwn }: DraftFilter) {
  return useInfiniteQuery({
    queryKey: [...useKey('drafts', workspaceId), states, isOwn],
    queryFn: ({ pageParam }) =>
      listDrafts(workspaceId, {
        ...(states.length > 0 ? { state: states.join(',') } : {}),
        ...(isOwn ? { author: 'me' } : {}),
        limit: PAGE,
        ...(pageParam ? { cursor: pageParam } : {}),
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: workspaceId !== '',
  });
}

/** The number of unfinished drafts, up to a limit. */
export function useUnfinishedDrafts(workspaceId: string) {
  return useQuery({
    queryKey: [...useKey('drafts', workspaceId), 'count'],
    queryFn: async () => {
      const { drafts, nextCursor } = await listDrafts(workspaceId, {
        state: UNFINISHED.join(','),
        limit: PAGE,
      });
      return { count: drafts.length, hasMore: nextCursor !== undefined };
    },
    enabled: workspaceId !== '',
  });
}

/** The drafts that the current user is still editing, newest first. */
export async function ownDraftsInProgress(workspaceId: string): Promise<Draft[]> {
  return (await listDrafts(workspaceId, { state: 'draft', author: 'me', limit: PAGE })).drafts;
}

export function useDraft(draftId: string | null | undefined) {
  return useQuery({
    queryKey: useKey('draft', draftId ?? ''),
    queryFn: async () => (await readDraft(draftId ?? '')).draft,
    enabled: Boolean(draftId),
    refetchInterval: REFRESH_MS,
  });
}

/** What a merge of the draft would do to its base now. `isFresh`: loaded again even if it was just loaded. */
export function useDraftComparison(draftId: string, isFresh = false) {
  return useQuery({
    queryKey: useKey('comparison', draftId),
    // Without a format, the response is JSON.
    queryFn: async ({ signal }) =>
      (await compareDraft(draftId, {}, { ...LARGE_MAP, signal })) as DraftComparison,
    enabled: draftId !== '',
    refetchOnMount: isFresh ? 'always' : true,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** The comparison as Markdown. */
export async function readDraftMarkdown(draftId: string): Promise<string> {
  return (await send(getCompareDraftUrl(draftId, { format: 'markdown' }), LARGE_MAP)).text();
}

export function useProtection(workspaceId: string) {
  return useQuery({
    queryKey: useKey('protection', workspaceId),
    queryFn: () => readProtection(workspaceId),
    enabled: workspaceId !== '',
  });
}

function invalidate(part: Part, id: string): Promise<void> {
  const { session } = useSession.getState();
  return queryClient.invalidateQueries({ queryKey: key(session?.orgId ?? '', part, id) });
}

/** Loads a draft, its comparison and the list of its base again. */
export async function invalidateDraft({ id, workspaceId }: Pick<Draft, 'id' | 'workspaceId'>): Promise<void> {
  await Promise.all([
    invalidate('draft', id),
    invalidate('comparison', id),
    invalidate('drafts', workspaceId),
  ]);
}

/** Loads what an event about drafts of a workspace concerns again. The workspace can be the draft. */
export function invalidateDrafts(workspaceId: string, draftId: string | null): void {
  void invalidate('drafts', workspaceId);
  void invalidate('protection', workspaceId);
  if (draftId === null) return;
  void invalidate('draft', draftId);
  void invalidate('comparison', draftId);
}

/** Loads the comparison of a draft again after its map has changed. */
export function invalidateDraftMap(draftId: string): void {
  void invalidate('draft', draftId);
  void invalidate('comparison', draftId);
}

export function invalidateProtection(workspaceId: string): Promise<void> {
  return invalidate('protection', workspaceId);
}
