/** The history of the open workspace, page by page, refreshed on every change. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { type GetHistoryParams, getHistory } from '@/api/generated';
import { groupChangeSets } from '@/core/history/changeSets';
import { queryKeys } from '@/data/queries';
import { useWorkspace } from '@/workspace/store';

const PAGE_SIZE = 100;
/** Changes within this time are loaded together, in milliseconds. */
const REFRESH_DELAY_MS = 150;

export interface HistoryFilter {
  entity: NonNullable<GetHistoryParams['entity']> | '';
  actor: number;
}

export function useHistory({ entity, actor }: HistoryFilter) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const revision = useWorkspace((state) => state.serverRows?.revision ?? 0);
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.history(workspaceId), entity, actor],
    queryFn: ({ pageParam }) =>
      getHistory(workspaceId, {
        limit: PAGE_SIZE,
        ...(pageParam ? { before: pageParam } : {}),
        ...(entity ? { entity } : {}),
        ...(actor ? { actor } : {}),
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next ?? undefined,
  });
  const seen = useRef(revision);
  useEffect(() => {
    if (seen.current === revision) return;
    seen.current = revision;
    const timer = setTimeout(() => {
      void client.invalidateQueries({ queryKey: queryKeys.history(workspaceId) });
      void client.invalidateQueries({ queryKey: queryKeys.versions(workspaceId) });
    }, REFRESH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [revision, workspaceId, client]);
  const list = useMemo(
    () => groupChangeSets(query.data?.pages.flatMap(({ changes }) => changes) ?? []),
    [query.data],
  );
  return { ...query, changeSets: list, oldestRevision: query.data?.pages[0]?.oldestRevision ?? 1 };
}
