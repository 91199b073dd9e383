/** Queries shared by the directory pages. */
import { useQueries } from '@tanstack/react-query';
import { listTeamMembers, type TeamMember } from '@/api/generated';
import { useSession } from '@/api/session';
import { limitConcurrency } from '@/core/concurrency';
import { useOrganizations, useTeams, useWorkspaces } from '@/data/queries';
import { useOrgSlug } from '@/routing/paths';
import { useDigests } from '@/screens/workspaces/useDigests';
import type { LoadedWorkspace } from './responsibilities';

const limitRequests = limitConcurrency(4);

/** Whether the user administers the organization in the URL. */
export function useIsAdmin(): boolean {
  const slug = useOrgSlug();
  const organizations = useOrganizations().data?.organizations;
  return organizations?.find((organization) => organization.slug === slug)?.role === 'org:admin';
}

/** The members of all teams loaded so far. */
export function useMemberships(): readonly TeamMember[] {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const teams = useTeams().data?.teams ?? [];
  return useQueries({
    queries: teams.map(({ id }) => ({
      queryKey: [orgId, 'team', id],
      queryFn: () => limitRequests(() => listTeamMembers(id)),
    })),
    combine: allMembers,
  });
}

function allMembers(results: readonly { data?: { members: TeamMember[] } | undefined }[]): TeamMember[] {
  return results.flatMap(({ data }) => data?.members ?? []);
}

/** All accessible workspaces, loaded a few at a time, with progress. */
export function useAllWorkspaces() {
  const list = useWorkspaces();
  const workspaces = list.data?.workspaces ?? [];
  const results = useDigests(workspaces);
  const read = workspaces.flatMap((workspace, at): LoadedWorkspace[] => {
    const digest = results[at]?.data;
    return digest ? [{ workspace, digest }] : [];
  });
  const failed = workspaces.filter((_, at) => results[at]?.isError);
  const isDone = list.isSuccess && results.every(({ isPending }) => !isPending);
  const retry = () => {
    void list.refetch();
    for (const result of results) if (result.isError) void result.refetch();
  };
  return { read, failed, isDone, total: workspaces.length, error: list.error, again: retry };
}
