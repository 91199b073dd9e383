/** The choices of the owners column: no owner, a person or team, or an existing combination of owners. */
import type { Holder } from '@/core/model/model';
import type { ColumnChoice } from './columns';
import { type ComponentRow, ownersKey } from './componentRows';

/** The choices, including existing combinations of owners. */
export function ownerChoices(holders: readonly Holder[], lines: readonly ComponentRow[]): ColumnChoice[] {
  const choices = new Map([[ownersKey([]), 'No owner']]);
  for (const holder of holders) choices.set(ownersKey([holder]), holder.name);
  for (const { ownersKey: key, owners } of lines) if (!choices.has(key)) choices.set(key, owners);
  return [...choices].map(([id, name]) => ({ id, name }));
}

/** The chosen owners. For unknown owners, the ID is used as name. */
export function chosenOwners(key: string, holders: readonly Holder[]): Holder[] {
  const chosen = JSON.parse(key) as [Holder['kind'], string][];
  return chosen.map(
    ([kind, id]) =>
      holders.find((holder) => holder.kind === kind && holder.id === id) ?? { kind, id, name: id },
  );
}
