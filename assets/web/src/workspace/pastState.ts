/**
 * Past states of the open workspace as represented in URLs: `120` is the state after revision 120, `v3` the version
 * with ID 3.
 */

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { getVersion, getWorkspace, listVersions } from '@/api/generated';
import { type Rows, toRows } from '@/core/sync/rows';
import { formatDateTime } from '@/core/time/format';
import { queryKeys } from '@/data/queries';
import { showPastState, useWorkspace } from './store';

/** The displayed past state, and the state to compare with, from the URL. */
export interface UrlStates {
  at: string | null;
  since: string | null;
}

export function useUrlStates(): UrlStates {
  const query = new URLSearchParams(useSearch());
  return { at: namedState(query.get('past')), since: namedState(query.get('since')) };
}

function namedState(state: string | null): string | null {
  return state && /^v?[1-9]\d{0,15}$/.test(state) ? state : null;
}

/** The query string that shows these states. Other parameters of `search`, such as the position, are kept. */
export function statesQuery({ at, since }: Partial<UrlStates>, search = ''): string {
  const query = new URLSearchParams(search);
  query.delete('past');
  query.delete('since');
  if (at) query.set('past', at);
  if (since) query.set('since', since);
  return query.size > 0 ? `?${query}` : '';
}

/** Loads a state. Past states are immutable, so each is loaded once. */
export function usePastState(state: string | null): UseQueryResult<Rows> {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  return useQuery({
    queryKey: queryKeys.past(workspaceId, state ?? ''),
    queryFn: () => readState(workspaceId, state ?? ''),
    enabled: Boolean(state && workspaceId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

async function readState(workspaceId: string, state: string): Promise<Rows> {
  const isVersion = state.startsWith('v');
  const bundle = isVersion
    ? await getVersion(workspaceId, Number(state.slice(1)))
    : await getWorkspace(workspaceId, { at: Number(state) });
  return toRows(bundle);
}

/** Saved versions, oldest first. */
export function useVersions() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  return useQuery({
    queryKey: queryKeys.versions(workspaceId),
    queryFn: () => listVersions(workspaceId),
    enabled: workspaceId !== '',
  });
}

/** Shows the past state in the URL. */
export function useShownPastState(): UseQueryResult<Rows> & { at: string | null } {
  const { at } = useUrlStates();
  const query = usePastState(at);
  const past = at ? query.data : undefined;
  useEffect(() => {
    showPastState(past ?? null);
    return () => showPastState(null);
  }, [past]);
  return { ...query, at };
}

/** The display name of a state: the name of the version, or the time. */
export function useStateName(state: string | null, rows: Rows | undefined): string {
  const versions = useVersions().data?.versions;
  if (state?.startsWith('v')) {
    const version = versions?.find(({ id }) => `v${id}` === state);
    if (version) return `version “${version.name}”`;
  }
  return rows ? formatDateTime(rows.workspace.updatedAt) : '…';
}
