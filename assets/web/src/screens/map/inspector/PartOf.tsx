/** A field for the group that components are part of. */
import { useMemo } from 'react';
import type { Model } from '@/core/model/model';
import { MIXED_PARENTS, parentItems, sharedParent } from '@/core/model/parents';
import { setPartOf } from '@/map/edits/groups';
import { Combobox } from '@/ui/Combobox';

interface Props {
  model: Model;
  ids: readonly string[];
  label: string;
}

export function PartOf({ model: { rows, catalogue }, ids, label }: Props) {
  const { component, relationship } = rows;
  const key = ids.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that matter, and the IDs by value
  const items = useMemo(() => parentItems(rows, catalogue, ids), [component, relationship, catalogue, key]);
  return (
    <Combobox
      label={label}
      items={items}
      value={sharedParent(rows, ids) ?? MIXED_PARENTS}
      placeholder="Mixed"
      onChange={(id) => setPartOf(ids, id || null)}
    />
  );
}
