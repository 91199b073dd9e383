/** The teams of people, for views that select by team. Loaded for the teams that the open views name. */
import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { listTeamMembers, type TeamMember } from '@/api/generated';
import { useSession } from '@/api/session';
import type { ViewDefinition } from '@/core/sync/viewRows';
import type { Memberships } from '@/core/views/memberships';

export const useMemberships = create<{ memberships: Memberships }>()(() => ({ memberships: new Map() }));

/** The teams that the rules of a view name. */
function namedTeams({ include, exclude }: Pick<ViewDefinition, 'include' | 'exclude'>): string[] {
  return [...new Set([...include, ...exclude].flatMap(({ teams = [] }) => teams))];
}

/** Loads the members of the teams in these rules. */
export function useLoadedMemberships(rules: Pick<ViewDefinition, 'include' | 'exclude'> | null): void {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const members = useQueries({
    queries: (rules ? namedTeams(rules) : []).map((id) => ({
      queryKey: [orgId, 'team', id],
      queryFn: () => listTeamMembers(id),
    })),
    combine: allMembers,
  });
  const key = members.map(({ personId, teamId }) => `${personId} ${teamId}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new on every render; `key` is its content
  useEffect(() => {
    if (members.length === 0) return;
    const memberships = new Map<string, Set<string>>();
    for (const [person, teams] of useMemberships.getState().memberships)
      memberships.set(person, new Set(teams));
    for (const { personId, teamId } of members)
      memberships.set(personId, (memberships.get(personId) ?? new Set()).add(teamId));
    useMemberships.setState({ memberships });
  }, [key]);
}

function allMembers(results: readonly { data?: { members: TeamMember[] } | undefined }[]): TeamMember[] {
  return results.flatMap(({ data }) => data?.members ?? []);
}
