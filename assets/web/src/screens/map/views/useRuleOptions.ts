/** The values that rules can have, with their names. */
import { useMemo } from 'react';
import { GROUP_TYPE } from '@/core/containment/containment';
import { usedKeywords } from '@/core/model/keywords';
import { technologiesOf } from '@/core/model/technology';
import { useKinds, useRoles } from '@/data/queries';
import type { ComboboxItem } from '@/ui/Combobox';
import { useModel } from '@/workspace/model';
import { useHolders } from '@/workspace/useHolders';

export interface RuleOptions {
  components: readonly ComboboxItem[];
  groups: readonly ComboboxItem[];
  types: readonly ComboboxItem[];
  kinds: readonly ComboboxItem[];
  lifecycle: readonly ComboboxItem[];
  tags: readonly ComboboxItem[];
  technology: readonly ComboboxItem[];
  owners: readonly ComboboxItem[];
  teams: readonly ComboboxItem[];
  roles: readonly ComboboxItem[];
  relationTypes: readonly ComboboxItem[];
}

export function useRuleOptions(): RuleOptions {
  const model = useModel();
  const holders = useHolders();
  const kinds = useKinds().data?.kinds;
  const roles = useRoles().data?.types;
  return useMemo(() => {
    const components = [...(model?.rows.component.values() ?? [])];
    const types = model?.catalogue.componentTypes ?? [];
    const typeNames = new Map(types.map(({ id, name }) => [id, name]));
    const item = ({ id, name }: ComboboxItem) => ({ id, name });
    const component = ({ id, name, typeId }: (typeof components)[number]) => ({
      id,
      name,
      hint: typeNames.get(typeId) ?? typeId,
    });
    const keywords = (lists: readonly (readonly string[] | undefined)[]) =>
      usedKeywords(lists).map((keyword) => ({ id: keyword, name: keyword }));
    const isGroup = ({ id, typeId }: (typeof components)[number]) =>
      typeId === GROUP_TYPE || model?.containment.children.has(id);
    return {
      components: components.map(component),
      groups: components.filter(isGroup).map(component),
      types: types.map(item),
      kinds: (kinds ?? []).map(item),
      lifecycle: [...(model?.catalogue.lifecycleStates ?? []).map(item), { id: '', name: 'No lifecycle' }],
      tags: keywords(components.map(({ tags }) => tags)),
      technology: keywords(components.map(technologiesOf)),
      owners: [
        ...holders.map(({ id, name, kind }) => ({ id, name, hint: kind })),
        { id: '', name: 'No owner' },
      ],
      teams: holders.filter(({ kind }) => kind === 'team').map(item),
      roles: [...(model?.catalogue.stakeholderLinkTypes ?? []), ...(roles ?? [])]
        .filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at)
        .map(item),
      relationTypes: (model?.catalogue.relationTypes ?? []).map(item),
    };
  }, [model, holders, kinds, roles]);
}
