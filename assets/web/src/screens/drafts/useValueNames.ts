/** Names for values of fields that refer to something else, such as the type of a component. */
import { useMemo } from 'react';
import type { DraftChange } from '@/api/generated';
import type { NameLookup } from '@/core/drafts/changes';
import { useCatalogue, usePeople, useRoles, useTeams } from '@/data/queries';
import { useWorkspace } from '@/workspace/store';

/** Names of components come from the changes, then from the open workspace. */
export function useValueNames(changes: readonly DraftChange[]): NameLookup {
  const { data: catalogue } = useCatalogue();
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  const roles = useRoles().data?.types;
  const components = useWorkspace((state) => state.rows?.component);
  return useMemo(() => {
    const inChanges = new Map(
      changes.filter(({ kind }) => kind === 'component').map(({ id, name }) => [id, name]),
    );
    const named = (list: readonly { id: string; name: string }[] | undefined, id: string) =>
      list?.find((one) => one.id === id)?.name;
    return (field, id) => {
      switch (field) {
        case 'typeId':
          return named(catalogue?.componentTypes, id) ?? named(catalogue?.relationTypes, id);
        case 'sourceId':
        case 'targetId':
        case 'componentId':
          return inChanges.get(id) ?? components?.get(id)?.name;
        case 'personId':
          return named(people, id);
        case 'teamId':
          return named(teams, id);
        case 'linkType':
          return named(roles, id);
        case 'properties.lifecycle':
          return named(catalogue?.lifecycleStates, id);
        default:
          return undefined;
      }
    };
  }, [catalogue, people, teams, roles, components, changes]);
}
