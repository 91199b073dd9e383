/** The sources of a workspace, and how the map differs from them. */
import { useQuery } from '@tanstack/react-query';
import {
  type Drift,
  type DriftFinding,
  getDrift,
  getSource,
  type ListedClaim,
  type ListedSource,
  listSources,
} from '@/api/generated';
import { queryClient } from './queries';

/** Rows per request. */
const PAGE = 1_000;
/** Maximum number of requests for a list. */
const MAX_PAGES = 10;

export const sourceKeys = {
  sources: (workspaceId: string) => ['sources', workspaceId],
  claims: (workspaceId: string) => ['claims', workspaceId],
  drift: (workspaceId: string) => ['drift', workspaceId],
};

/** Reloads everything about sources after a synchronization. */
export function invalidateSources(workspaceId: string): void {
  for (const key of Object.values(sourceKeys)) {
    void queryClient.invalidateQueries({ queryKey: key(workspaceId) });
  }
}

export function useSources(workspaceId: string | null) {
  return useQuery({
    queryKey: sourceKeys.sources(workspaceId ?? ''),
    queryFn: () => listSources(workspaceId ?? ''),
    enabled: workspaceId !== null && workspaceId !== '',
  });
}

/** Reads the pages of a list, up to a limit. */
async function allPages<T>(
  page: (cursor: string | undefined) => Promise<{ items: readonly T[]; next: string | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const { items, next } = await page(cursor);
    all.push(...items);
    if (next === undefined) break;
    cursor = next;
  }
  return all;
}

function syncTimes(sources: readonly ListedSource[]) {
  return sources.map(({ id, lastSyncAt }) => [id, lastSyncAt] as const);
}

/** Where a row of the map is in the files of a source. */
export interface RowClaim extends ListedClaim {
  source: ListedSource;
}

function claimsQuery(workspaceId: string, sources: readonly ListedSource[]) {
  return {
    queryKey: [...sourceKeys.claims(workspaceId), ...syncTimes(sources)],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const claims: RowClaim[] = [];
      for (const source of sources) {
        const found = await allPages(async (cursor) => {
          const params = { limit: PAGE, ...(cursor ? { cursor } : {}) };
          const response = await getSource(workspaceId, source.id, params, { signal });
          return { items: response.claims, next: response.nextCursor };
        });
        for (const claim of found) claims.push({ ...claim, source });
      }
      return claims;
    },
    enabled: sources.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** The claims of all sources, by kind and id of the row. Loaded when they are needed first. */
export function useClaims(workspaceId: string, sources: readonly ListedSource[]) {
  return useQuery({ ...claimsQuery(workspaceId, sources), select: byRow });
}

function byRow(all: readonly RowClaim[]): ReadonlyMap<string, readonly RowClaim[]> {
  const withRow = all.filter(({ id }) => typeof id === 'string');
  return Map.groupBy(withRow, ({ kind, id }) => claimKey(kind, String(id)));
}

/** The rows that the map does not have, as someone has accepted, by source. */
export function useAccepted(workspaceId: string, sources: readonly ListedSource[]) {
  return useQuery({ ...claimsQuery(workspaceId, sources), select: acceptedBySource });
}

function acceptedBySource(all: readonly RowClaim[]): ReadonlyMap<string, readonly RowClaim[]> {
  const accepted = all.filter(({ acceptedAt }) => typeof acceptedAt === 'number');
  return Map.groupBy(accepted, ({ source }) => source.id);
}

export function claimKey(kind: string, id: string): string {
  return `${kind} ${id}`;
}

/** The drift report with all findings, up to a limit. Loaded again after each synchronization. */
export function driftQuery(workspaceId: string, sources: readonly ListedSource[]) {
  return {
    queryKey: [...sourceKeys.drift(workspaceId), ...syncTimes(sources)],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Drift> => {
      let first: Drift | undefined;
      const findings = await allPages<DriftFinding>(async (cursor) => {
        const params = { limit: PAGE, ...(cursor ? { cursor } : {}) };
        const response = await getDrift(workspaceId, params, { signal });
        first ??= response;
        return { items: response.findings, next: response.nextCursor };
      });
      if (!first) throw new Error('The server sent no report.');
      const { counts, sources, staleSources } = first;
      return { counts, sources, staleSources, findings };
    },
  };
}
