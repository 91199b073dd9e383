/** Choices for the conflicts of a draft with its base, field by field. */
import type { ChangedKind, DraftChange, DraftField, Resolution } from '@/api/generated';
import { changeKey } from './changes';

export type Side = 'base' | 'draft';

/** One decision: a field, or a row whose conflict has no fields. */
export interface ConflictItem {
  key: string;
  change: DraftChange;
  /** Null: the decision concerns the row as a whole. */
  field: DraftField | null;
}

/** The chosen side of each item, by key. */
export type Choices = ReadonlyMap<string, Side>;

/** What has to be decided, in the order of the comparison. */
export function conflictItems(changes: readonly DraftChange[]): ConflictItem[] {
  return changes
    .filter(({ conflict }) => conflict)
    .flatMap((change): ConflictItem[] => {
      const fields = change.conflict === 'fields' ? change.fields.filter(({ conflict }) => conflict) : [];
      if (fields.length === 0) return [{ key: changeKey(change), change, field: null }];
      return fields.map((field) => ({ key: `${changeKey(change)}/${field.field}`, change, field }));
    });
}

export function choose(choices: Choices, key: string, side: Side): Choices {
  return new Map(choices).set(key, side);
}

export function chooseAll(items: readonly ConflictItem[], side: Side): Choices {
  return new Map(items.map(({ key }) => [key, side]));
}

/** The number of items without a choice. */
export function openItems(items: readonly ConflictItem[], choices: Choices): number {
  return items.filter(({ key }) => !choices.has(key)).length;
}

/** The side that is chosen for all items; null if the choices differ or are incomplete. */
export function commonSide(items: readonly ConflictItem[], choices: Choices): Side | null {
  const [first] = items;
  const side = first && choices.get(first.key);
  return side && items.every(({ key }) => choices.get(key) === side) ? side : null;
}

/** The choices as a part of a request. Choices for conflicts that no longer exist are dropped. */
export function toResolutions(items: readonly ConflictItem[], choices: Choices): Resolution[] {
  return items.flatMap(({ key, change: { kind: rowKind, id }, field }) => {
    const take = choices.get(key);
    if (!take) return [];
    const kind = rowKind as ChangedKind;
    return [field ? { kind, id, field: field.field, take } : { kind, id, take }];
  });
}

/** The effect of each side, for conflicts of a row as a whole. */
export function rowChoiceTexts({ change, conflict, baseRow }: DraftChange): Record<Side, string> {
  if (conflict === 'removed') {
    return change === 'removed'
      ? { base: 'Keep, with the changes of the workspace', draft: 'Remove' }
      : { base: 'Leave removed', draft: 'Restore, with the changes of the draft' };
  }
  if (change === 'added') return { base: 'Do not add', draft: 'Add' };
  if (change === 'removed') return { base: 'Keep', draft: 'Remove' };
  return { base: baseRow ? 'Keep as in the workspace' : 'Leave out', draft: 'Change as in the draft' };
}
