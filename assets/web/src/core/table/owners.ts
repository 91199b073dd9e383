/** Owners as a cell of the table has them: nobody, a person or team, or several who own something together already. */
import type { Holder } from '@/core/model/model';
import type { ColumnChoice } from './columns';
import { type ComponentRow, ownersKey } from './componentRows';

/** What may be chosen: those who own something together are kept as they are until somebody chooses otherwise. */
export function ownerChoices(holders: readonly Holder[], lines: readonly ComponentRow[]): ColumnChoice[] {
  const choices = new Map([[ownersKey([]), 'No owner']]);
  for (const holder of holders) choices.set(ownersKey([holder]), holder.name);
  for (const { ownersKey: key, owners } of lines) if (!choices.has(key)) choices.set(key, owners);
  return [...choices].map(([id, name]) => ({ id, name }));
}

/** Who was chosen. Those who are not known any more keep their id for a name. */
export function chosenOwners(key: string, holders: readonly Holder[]): Holder[] {
  const chosen = JSON.parse(key) as [Holder['kind'], string][];
  return chosen.map(
    ([kind, id]) => holders.find((one) => one.kind === kind && one.id === id) ?? { kind, id, name: id },
  );
}
