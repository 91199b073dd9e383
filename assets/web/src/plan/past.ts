/**
 * Past states of the open workspace as named in URLs: `120` is the state after revision 120, `v3` the version with id
 * 3.
 */

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { listVersions, readVersion, readWorkspace } from '@/api/generated';
import { keys } from '@/app/queries';
import { type Rows, rowsOf } from '@/core/sync/rows';
import { moment } from '@/core/time/moment';
import { showPast, usePlan } from './store';

/** The past state shown, and the one compared with, from the URL. */
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

/** The query string that shows these states. Other parameters of `search`, such as the position, stay. */
export function queryFor({ at, since }: Partial<StatesInAddress>, search = ''): string {
  const query = new URLSearchParams(search);
  query.delete('past');
  query.delete('since');
  if (at) query.set('past', at);
  if (since) query.set('since', since);
  return query.size > 0 ? `?${query}` : '';
}

/** Loads a state. Past states never change, so each is loaded once. */
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

/** Saved versions in the order in which they were saved. */
export function useVersions() {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  return useQuery({
    queryKey: keys.versions(workspaceId),
    queryFn: () => listVersions(workspaceId),
    enabled: workspaceId !== '',
  });
}

/** Shows the state in the URL while it is there. */
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

/** The display name of a state: the name of the version, or its time. */
export function useStateName(state: string | null, rows: Rows | undefined): string {
  const versions = useVersions().data?.versions;
  if (state?.startsWith('v')) {
    const version = versions?.find(({ id }) => `v${id}` === state);
    if (version) return `version “${version.name}”`;
  }
  return rows ? moment(rows.workspace.updatedAt) : '…';
}
