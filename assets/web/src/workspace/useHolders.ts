/** All teams and people that can be responsible for a component, teams first. */
import { useMemo } from 'react';
import type { Holder } from '@/core/model/model';
import { usePeople, useTeams } from '@/data/queries';

export function useHolders(): readonly Holder[] {
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  return useMemo(
    () => [
      ...(teams ?? []).map(({ id, name }): Holder => ({ kind: 'team', id, name })),
      ...(people ?? []).map(({ id, name }): Holder => ({ kind: 'person', id, name })),
    ],
    [people, teams],
  );
}
