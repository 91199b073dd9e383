/** Reads what other pages show of a workspace, few at a time, and again only when it has changed. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { readWorkspace, type Workspace } from '@/api/generated';
import { limitConcurrency } from '@/core/concurrency';
import { toDigest } from '@/core/digest/digest';

/** Browsers hold six connections to one server; the rest of the page wants some too. */
const limitRequests = limitConcurrency(3);

function query({ id, orgId, revision }: Workspace, enabled: boolean) {
  return {
    // The revision is part of the key: what was read stays right until the list says otherwise.
    queryKey: [orgId, 'digest', id, revision],
    queryFn: () => limitRequests(async () => toDigest(await readWorkspace(id, undefined, { timeout: 0 }))),
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  };
}

export function useDigest(workspace: Workspace, enabled: boolean) {
  return useQuery(query(workspace, enabled));
}

export function useDigests(workspaces: readonly Workspace[]) {
  return useQueries({ queries: workspaces.map((workspace) => query(workspace, true)) });
}
