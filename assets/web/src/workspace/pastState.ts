/**
 * Past states of the open workspace, by how an address names them: `120` is what revision 120 left, `v3` the named version
 * with the id 3.
 */

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { listVersions, readVersion, readWorkspace } from '@/api/generated';
import { type Rows, rowsOf } from '@/core/sync/rows';
import { moment } from '@/core/time/format';
import { keys } from '@/data/queries';
import { showPast, usePlan } from './store';

/** The state that the address shows instead of the present one, and the one that it compares with. */
export interface StatesInAddress {
  at: string | null;
  since: string | null;
}

export function useStatesInAddress(): StatesInAddress {
  const query = new URLSearchParams(useSearch());
  return { at: named(query.get('past')), since: named(query.get('since')) };
}

function named(state: string | null): string | null {
  return state && /^v?[1-9]\d{0,15}$/.test(state) ? state : null;
}

/** What an address must have after its `?` to show these states. What else `search` has, such as a place, stays. */
export function queryFor({ at, since }: Partial<StatesInAddress>, search = ''): string {
  const query = new URLSearchParams(search);
  query.delete('past');
  query.delete('since');
  if (at) query.set('past', at);
  if (since) query.set('since', since);
  return query.size > 0 ? `?${query}` : '';
}

/** Reads a state. The past does not change: it is read once. */
export function usePastState(state: string | null): UseQueryResult<Rows> {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  return useQuery({
    queryKey: keys.past(workspaceId, state ?? ''),
    queryFn: () => readState(workspaceId, state ?? ''),
    enabled: Boolean(state && workspaceId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

async function readState(workspaceId: string, state: string): Promise<Rows> {
  const isVersion = state.startsWith('v');
  const bundle = isVersion
    ? await readVersion(workspaceId, Number(state.slice(1)))
    : await readWorkspace(workspaceId, { at: Number(state) });
  return rowsOf(bundle);
}

/** The named versions, in the order in which they were kept. */
export function useVersions() {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  return useQuery({
    queryKey: keys.versions(workspaceId),
    queryFn: () => listVersions(workspaceId),
    enabled: workspaceId !== '',
  });
}

/** Shows the state that the address names, as long as it does. */
export function useShownPast(): UseQueryResult<Rows> & { at: string | null } {
  const { at } = useStatesInAddress();
  const query = usePastState(at);
  const past = at ? query.data : undefined;
  useEffect(() => {
    showPast(past ?? null);
    return () => showPast(null);
  }, [past]);
  return { ...query, at };
}

/** What people call a state: the name of the version, or when it was. */
export function useStateName(state: string | null, rows: Rows | undefined): string {
  const versions = useVersions().data?.versions;
  if (state?.startsWith('v')) {
    const version = versions?.find(({ id }) => `v${id}` === state);
    if (version) return `version “${version.name}”`;
  }
  return rows ? moment(rows.workspace.updatedAt) : '…';
}
