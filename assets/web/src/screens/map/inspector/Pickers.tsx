/** Search fields for a person, team or component. */
import { User, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { find } from '@/core/find/find';
import { prepared, ranked } from '@/core/find/fuzzy';
import { typeLook } from '@/core/model/lens';
import type { Holder, Model } from '@/core/model/model';
import { useHolders } from '@/plan/useHolders';
import { Finder } from '@/ui/Finder';
import { TypeIcon } from '@/ui/TypeIcon';

const SHOWN = 30;

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
    () => all.map((holder) => [holder, prepared({ title: holder.name, words: [holder.id] })] as const),
    [all],
  );
  const shown =
    query.trim() === '' ? holders.map(([one]) => one).slice(0, SHOWN) : ranked(holders, query, SHOWN);
  return (
    <Finder
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
    query.trim() === '' ? [...model.rows.component.values()].slice(0, SHOWN) : find(model, query, SHOWN);
  return (
    <Finder
      {...rest}
      query={query}
      onQuery={setQuery}
      options={found
        .filter(({ id }) => id !== except)
        .map((component) => {
          const { name, icon } = typeLook(model, component);
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
