/**
 * The owners column: its choices (no owner, a person or team, or an existing combination of owners), and owners in CSV
 * files.
 */
import type { Holder } from '@/core/model/model';
import { truncate } from '@/core/text';
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

/**
 * The owners as a cell of a CSV file: their names, or references such as `person:ada` if the names do not identify them.
 */
export function formatOwners(owners: readonly Holder[], holders: readonly Holder[]): string {
  const names = owners.map(({ name }) => name).join(', ');
  const parsed = parseOwners(names, holders);
  const isSame = typeof parsed !== 'string' && ownersKey(parsed) === ownersKey(owners);
  return isSame || holders.length === 0 ? names : owners.map(referenceOf).join(', ');
}

function referenceOf({ kind, id }: Holder): string {
  return `${kind}:${id}`;
}

/** The owners in a cell of a CSV file, separated by commas, or an error message. */
export function parseOwners(text: string, holders: readonly Holder[]): Holder[] | string {
  const owners: Holder[] = [];
  const parts = text.split(',').map((part) => part.trim());
  for (let at = 0; at < parts.length; ) {
    const found = ownerAt(parts, at, holders);
    if (typeof found === 'string') return found;
    if (found.holder && !owners.includes(found.holder)) owners.push(found.holder);
    at = found.next;
  }
  return owners;
}

/** The owner that begins at a part, and the part after it. Names may contain commas. */
function ownerAt(
  parts: readonly string[],
  at: number,
  holders: readonly Holder[],
): { holder: Holder | undefined; next: number } | string {
  const first = parts[at] as string;
  if (first === '') return { holder: undefined, next: at + 1 };
  for (let next = parts.length; next > at; next--) {
    const name = normalized(parts.slice(at, next).join(', '));
    const [holder, other] = holders.filter((one) => normalized(one.name) === name);
    if (other) {
      const references = `“${referenceOf(holder as Holder)}” or “${referenceOf(other)}”`;
      return `several people or teams are named “${truncate(first, 60)}”. Write ${references}.`;
    }
    const found = holder ?? holders.find((one) => normalized(referenceOf(one)) === name);
    if (found) return { holder: found, next };
  }
  return `unknown owner “${truncate(first, 60)}”. Owners must be people or teams in the directory.`;
}

function normalized(name: string): string {
  return name.trim().toLocaleLowerCase();
}
