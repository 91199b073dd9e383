/** Search fields for a person, team or component. */
import { User, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { typeAppearance } from '@/core/model/lens';
import type { Holder, Model } from '@/core/model/model';
import { prepareEntry, rank } from '@/core/search/fuzzy';
import { searchComponents } from '@/core/search/search';
import { Autocomplete } from '@/ui/Autocomplete';
import { TypeIcon } from '@/ui/TypeIcon';
import { useHolders } from '@/workspace/useHolders';

const MAX_SHOWN = 30;

interface Props<T> {
  label: string;
  onChoose: (value: T) => void;
  onLeave?: () => void;
  autoFocus?: boolean;
}

export function HolderPicker({ onChoose, ...rest }: Props<Holder>) {
  const [query, setQuery] = useState('');
  const all = useHolders();
  const holders = useMemo(
    () => all.map((holder) => [holder, prepareEntry({ title: holder.name, words: [holder.id] })] as const),
    [all],
  );
  const shown =
    query.trim() === ''
      ? holders.map(([holder]) => holder).slice(0, MAX_SHOWN)
      : rank(holders, query, MAX_SHOWN);
  return (
    <Autocomplete
      {...rest}
      query={query}
      onQuery={setQuery}
      options={shown.map((value) => ({
        key: `${value.kind}/${value.id}`,
        value,
        title: value.name,
        hint: value.kind === 'team' ? 'Team' : 'Person',
        icon: value.kind === 'team' ? <Users size={16} aria-hidden /> : <User size={16} aria-hidden />,
      }))}
      onChoose={onChoose}
      empty="No matching people or teams. Add them under People, teams and roles in the organization menu."
    />
  );
}

export function ComponentPicker({
  model,
  except,
  onChoose,
  ...rest
}: Props<string> & { model: Model; except?: string }) {
  const [query, setQuery] = useState('');
  const found =
    query.trim() === ''
      ? [...model.rows.component.values()].slice(0, MAX_SHOWN)
      : searchComponents(model, query, MAX_SHOWN);
  return (
    <Autocomplete
      {...rest}
      query={query}
      onQuery={setQuery}
      options={found
        .filter(({ id }) => id !== except)
        .map((component) => {
          const { name, icon } = typeAppearance(model, component);
          return {
            key: component.id,
            value: component.id,
            title: component.name,
            hint: name,
            icon: <TypeIcon icon={icon} />,
          };
        })}
      onChoose={onChoose}
      empty="No matching components"
    />
  );
}
