/** The server's impact analysis, reloaded when a relationship changes. */
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { findPaths, getImpact } from '@/api/generated';
import type { ImpactQuery } from '@/core/impact/query';
import type { ImpactResult, PathsResult } from '@/core/impact/results';
import { queryClient, queryKeys } from '@/data/queries';
import { useWorkspace } from '@/workspace/store';

export interface ImpactData {
  found: readonly ImpactResult[];
  paths: readonly PathsResult[];
  isLoading: boolean;
  error: unknown;
  again(): void;
}

/** Maximum number of paths requested. */
const MAX_PATHS = 12;

type Part = { found: ImpactResult } | { paths: PathsResult };

export function useImpact({ of, direction, depth, types, to }: ImpactQuery): ImpactData {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  useRefreshOnChange(workspaceId);
  const relationTypes = types.length > 0 ? { relationTypes: types.join(',') } : {};
  const directions =
    direction === 'between'
      ? []
      : direction === 'both'
        ? (['dependents', 'dependencies'] as const)
        : [direction];
  const reaching = directions.map((direction) => ({
    queryKey: [...queryKeys.impact(workspaceId), of, direction, depth, types.join()],
    queryFn: async (): Promise<Part> => {
      const params = { componentId: of, direction, ...(depth ? { depth } : {}), ...relationTypes };
      const { reached, notFollowed } = await getImpact(workspaceId, params);
      return { found: { direction, reached, notFollowed } };
    },
    placeholderData: keepPreviousData,
  }));
  const joining = endsOf({ of, direction, to }).map(([from, end]) => ({
    queryKey: [...queryKeys.impact(workspaceId), 'paths', from, end, types.join()],
    queryFn: async (): Promise<Part> => {
      const response = await findPaths(workspaceId, { from, to: end, count: MAX_PATHS, ...relationTypes });
      return { paths: { from, to: end, ...response } };
    },
  }));
  return useQueries({
    queries: [...reaching, ...joining],
    combine: (results): ImpactData => ({
      found: results.flatMap(({ data }) => (data && 'found' in data ? [data.found] : [])),
      paths: results.flatMap(({ data }) => (data && 'paths' in data ? [data.paths] : [])),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error)?.error,
      again: () => void Promise.all(results.map(({ refetch }) => refetch())),
    }),
  });
}

/** The ends of the path search. Paths lead from a component to what it depends on. */
function endsOf({
  of,
  direction,
  to,
}: Pick<ImpactQuery, 'of' | 'direction' | 'to'>): [from: string, to: string][] {
  if (to === null || to === of) return [];
  if (direction === 'dependents') return [[to, of]];
  if (direction === 'dependencies') return [[of, to]];
  return [
    [of, to],
    [to, of],
  ];
}

/** Reloads the result when a relationship is added or removed. */
function useRefreshOnChange(workspaceId: string): void {
  const relationships = useWorkspace((state) => state.serverRows?.relationship);
  const known = useRef(relationships);
  useEffect(() => {
    const before = known.current;
    known.current = relationships;
    if (before && before !== relationships) {
      void queryClient.invalidateQueries({ queryKey: queryKeys.impact(workspaceId) });
    }
  }, [relationships, workspaceId]);
}
