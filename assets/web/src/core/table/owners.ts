/** Owners as a cell of the table has them: nobody, a person or team, or several who own something together already. */
import type { Holder } from '@/core/model/model';
import type { Choice } from './columns';
import type { Line } from './lines';

/** Owners as the id of a choice; the same for the same owners, in whatever order. */
export function ownersKey(holders: readonly Pick<Holder, 'kind' | 'id'>[]): string {
  return JSON.stringify(holders.map(({ kind, id }) => [kind, id]).sort());
}

/** What may be chosen: those who own something together are kept as they are until somebody chooses otherwise. */
export function ownerChoices(holders: readonly Holder[], lines: readonly Line[]): Choice[] {
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
