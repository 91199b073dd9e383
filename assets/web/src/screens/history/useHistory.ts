/** The history of the open workspace, page by page, refreshed on every change. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { type ReadHistoryEntity, readHistory } from '@/api/generated';
import { keys } from '@/app/queries';
import { gestures } from '@/core/history/gestures';
import { usePlan } from '@/plan/store';

const PAGE = 100;
/** Changes within this time are read together, in milliseconds. */
const PAUSE = 150;

export interface Which {
  entity: ReadHistoryEntity | '';
  actor: number;
}

export function useHistory({ entity, actor }: Which) {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const revision = usePlan((plan) => plan.told?.revision ?? 0);
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: [...keys.history(workspaceId), entity, actor],
    queryFn: ({ pageParam }) =>
      readHistory(workspaceId, {
        limit: PAGE,
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
      void client.invalidateQueries({ queryKey: keys.history(workspaceId) });
      void client.invalidateQueries({ queryKey: keys.versions(workspaceId) });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [revision, workspaceId, client]);
  const list = useMemo(
    () => gestures(query.data?.pages.flatMap(({ changes }) => changes) ?? []),
    [query.data],
  );
  return { ...query, gestures: list, oldestRevision: query.data?.pages[0]?.oldestRevision ?? 1 };
}
