/** The server's impact analysis, read again whenever a relationship changes. */
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { findPaths, readImpact } from '@/api/generated';
import { keys, queryClient } from '@/app/queries';
import type { Found, Ways } from '@/core/impact/answer';
import type { Question } from '@/core/impact/question';
import { usePlan } from '@/plan/store';

export interface Answer {
  found: readonly Found[];
  ways: readonly Ways[];
  isLoading: boolean;
  error: unknown;
  again(): void;
}

/** Maximum number of paths requested. */
const WAYS = 12;

type Part = { found: Found } | { ways: Ways };

export function useAnswer({ of, way, depth, types, to }: Question): Answer {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  useFresh(workspaceId);
  const relationTypes = types.length > 0 ? { relationTypes: types.join(',') } : {};
  const directions =
    way === 'between' ? [] : way === 'both' ? (['dependents', 'dependencies'] as const) : [way];
  const reaching = directions.map((direction) => ({
    queryKey: [...keys.impact(workspaceId), of, direction, depth, types.join()],
    queryFn: async (): Promise<Part> => {
      const asked = { componentId: of, direction, ...(depth ? { depth } : {}), ...relationTypes };
      return { found: { way: direction, reached: (await readImpact(workspaceId, asked)).reached } };
    },
    placeholderData: keepPreviousData,
  }));
  const joining = endsOf({ of, way, to }).map(([from, end]) => ({
    queryKey: [...keys.impact(workspaceId), 'ways', from, end, types.join()],
    queryFn: async (): Promise<Part> => {
      const answer = await findPaths(workspaceId, { from, to: end, count: WAYS, ...relationTypes });
      return { ways: { from, to: end, ...answer } };
    },
  }));
  return useQueries({
    queries: [...reaching, ...joining],
    combine: (results): Answer => ({
      found: results.flatMap(({ data }) => (data && 'found' in data ? [data.found] : [])),
      ways: results.flatMap(({ data }) => (data && 'ways' in data ? [data.ways] : [])),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error)?.error,
      again: () => void Promise.all(results.map(({ refetch }) => refetch())),
    }),
  });
}

/** The ends of the path search: a relationship points from the dependent to the dependency. */
function endsOf({ of, way, to }: Pick<Question, 'of' | 'way' | 'to'>): [from: string, to: string][] {
  if (to === null || to === of) return [];
  if (way === 'dependents') return [[to, of]];
  if (way === 'dependencies') return [[of, to]];
  return [
    [of, to],
    [to, of],
  ];
}

/** Reads the answer again when a relationship is added or removed. */
function useFresh(workspaceId: string): void {
  const relationships = usePlan((plan) => plan.told?.relationship);
  const known = useRef(relationships);
  useEffect(() => {
    const before = known.current;
    known.current = relationships;
    if (before && before !== relationships) {
      void queryClient.invalidateQueries({ queryKey: keys.impact(workspaceId) });
    }
  }, [relationships, workspaceId]);
}
