/** Loads map digests for cards, a few at a time, and reloads them only after a change. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { getWorkspace, type Workspace } from '@/api/generated';
import { limitConcurrency } from '@/core/concurrency';
import { toDigest } from '@/core/digest/digest';

/** Browsers open six connections per server. Leave some for the rest of the page. */
const limitRequests = limitConcurrency(3);

function query({ id, orgId, revision }: Workspace, enabled: boolean) {
  return {
    // The revision is part of the key, so a digest stays valid until the list shows a newer revision.
    queryKey: [orgId, 'digest', id, revision],
    queryFn: () => limitRequests(async () => toDigest(await getWorkspace(id, undefined, { timeout: 0 }))),
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
