/** All teams and people that can be responsible for a component, teams first. */
import { useMemo } from 'react';
import { listPeople, listRoles, listTeams, type Person, type Role, type Team } from '@/api/generated';
import { useSession } from '@/api/session';
import type { Holder } from '@/core/model/model';
import { queryClient, queryKeys, usePeople, useTeams } from '@/data/queries';

export function useHolders(): readonly Holder[] {
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  return useMemo(() => holdersOf(people, teams), [people, teams]);
}

/** The directory of the current organization, from the shared query cache if it is there. */
export async function loadDirectory(): Promise<{ holders: Holder[]; roles: readonly Role[] }> {
  const orgId = useSession.getState().session?.orgId ?? '';
  const [{ people }, { teams }, { types }] = await Promise.all([
    queryClient.ensureQueryData({ queryKey: queryKeys.people(orgId), queryFn: () => listPeople() }),
    queryClient.ensureQueryData({ queryKey: queryKeys.teams(orgId), queryFn: () => listTeams() }),
    queryClient.ensureQueryData({ queryKey: queryKeys.roles(orgId), queryFn: () => listRoles() }),
  ]);
  return { holders: holdersOf(people, teams), roles: types };
}

function holdersOf(
  people: readonly Pick<Person, 'id' | 'name'>[] = [],
  teams: readonly Pick<Team, 'id' | 'name'>[] = [],
): Holder[] {
  return [
    ...teams.map(({ id, name }): Holder => ({ kind: 'team', id, name })),
    ...people.map(({ id, name }): Holder => ({ kind: 'person', id, name })),
  ];
}
