/**
 * THE list of what can be done. Every file of this folder that exports lists of actions adds them here by being there:
 * palette, keys, menus and help follow.
 */
import type { Action } from './action';

const files = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./index.ts', '!./*.test.ts'], {
  eager: true,
});

const GROUPS: readonly Action['group'][] = [
  'Map',
  'Selection',
  'Edit',
  'Arrange',
  'View',
  'Process',
  'Export',
  'Go to',
  'Help',
];

let list: readonly Action[] | undefined;

/**
 * All of them, by group. Among those with the same keys the first that is enabled is done. (Asked for late, for files
 * of actions may import what imports this.)
 */
export function allActions(): readonly Action[] {
  list ??= Object.values(files)
    .flatMap((file) => Object.values(file).filter(isList).flat())
    .sort((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group));
  return list;
}

export function actionOf(id: string): Action {
  const found = allActions().find((action) => action.id === id);
  if (!found) throw new Error(`Unknown action ${id}.`);
  return found;
}

/** Whether it makes sense now. */
export function isEnabled(action: Action): boolean {
  return action.isEnabled?.() ?? true;
}

/** The actions under the names of their groups. */
export function grouped(some: readonly Action[]): { group: string; actions: Action[] }[] {
  return GROUPS.map((group) => ({ group, actions: some.filter((one) => one.group === group) })).filter(
    ({ actions }) => actions.length > 0,
  );
}

function isList(value: unknown): value is readonly Action[] {
  return Array.isArray(value) && value.every((one) => one && typeof one === 'object' && 'run' in one);
}
