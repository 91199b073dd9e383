/** Drafts of workspaces, their comparisons, and the protection of workspaces. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  compareDraft,
  compareDraftUrl,
  type Draft,
  type DraftState,
  getDraft,
  getProtection,
  listDrafts,
} from '@/api/generated';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import { UNFINISHED } from '@/core/drafts/states';
import { queryClient } from './queries';

const PAGE = 50;

/** Delay after a change of a map before drafts are loaded again, in milliseconds, and its maximum during further changes. */
const MAP_DELAY_MS = 400;
const MAX_MAP_DELAY_MS = 3_000;

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
  /** Only drafts that wait for a review by the current user. */
  isWaiting: boolean;
}

/** The drafts of a workspace in pages, newest first. */
export function useDrafts(workspaceId: string, { states, isOwn, isWaiting }: DraftFilter) {
  return useInfiniteQuery({
    queryKey: [...useKey('drafts', workspaceId), states, isOwn, isWaiting],
    queryFn: ({ pageParam }) =>
      listDrafts(workspaceId, {
        ...(states.length > 0 ? { state: states.join(',') } : {}),
        ...(isOwn ? { author: 'me' } : {}),
        ...(isWaiting ? { reviewer: 'me' } : {}),
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
    queryFn: async () => (await getDraft(draftId ?? '')).draft,
    enabled: Boolean(draftId),
  });
}

/** What a merge of the draft would do to its base now. `isFresh`: loaded again even if it was just loaded. */
export function useDraftComparison(draftId: string, isFresh = false) {
  return useQuery({
    queryKey: useKey('comparison', draftId),
    // Without a format, the response is JSON.
    queryFn: ({ signal }) => compareDraft(draftId, {}, { ...LARGE_MAP, signal }),
    enabled: draftId !== '',
    refetchOnMount: isFresh ? 'always' : true,
    placeholderData: keepPreviousData,
  });
}

/** The comparison as Markdown. */
export async function readDraftMarkdown(draftId: string): Promise<string> {
  return (await send(compareDraftUrl(draftId, { format: 'markdown' }), LARGE_MAP)).text();
}

export function useProtection(workspaceId: string) {
  return useQuery({
    queryKey: useKey('protection', workspaceId),
    queryFn: () => getProtection(workspaceId),
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

/** Loads all drafts that are shown again. */
export async function invalidateAllDrafts(): Promise<void> {
  const { session } = useSession.getState();
  const parts: readonly Part[] = ['drafts', 'draft', 'comparison', 'protection'];
  const load = (part: Part) => queryClient.invalidateQueries({ queryKey: [session?.orgId ?? '', part] });
  await Promise.all(parts.map(load));
}

/** Loads what an event about drafts of a workspace concerns again. The workspace can be the draft. */
export function invalidateDrafts(workspaceId: string, draftId: string | null): void {
  void invalidate('drafts', workspaceId);
  void invalidate('protection', workspaceId);
  if (draftId === null) return;
  void invalidate('draft', draftId);
  void invalidate('comparison', draftId);
}

/** Changes of maps whose drafts are not loaded again yet, by draft. */
const changedMaps = new Map<string, { timer: ReturnType<typeof setTimeout>; since: number }>();

/**
 * Loads a draft, its comparison and the list of the open workspace again after the map of the draft or of its base has
 * changed.
 */
export function invalidateDraftMap(draftId: string, workspaceId: string): void {
  const before = changedMaps.get(draftId);
  clearTimeout(before?.timer);
  const now = performance.now();
  const since = before?.since ?? now;
  const load = () => {
    changedMaps.delete(draftId);
    void invalidate('draft', draftId);
    void invalidate('comparison', draftId);
    // Approvals lapse.
    void invalidate('drafts', workspaceId);
  };
  const delay = Math.max(0, Math.min(MAP_DELAY_MS, since + MAX_MAP_DELAY_MS - now));
  changedMaps.set(draftId, { timer: setTimeout(load, delay), since });
}

export function invalidateProtection(workspaceId: string): Promise<void> {
  return invalidate('protection', workspaceId);
}
