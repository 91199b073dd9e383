/** All actions of the client. The command palette, keyboard shortcuts, menus and help are generated from this list. */
import type { Action } from './action';
import { commentActions } from './comments';
import { draftActions } from './drafts';
import { editActions } from './edit';
import { exportActions } from './export';
import { groupingActions } from './groups';
import { impactActions } from './impact';
import { layoutActions } from './layout';
import { lineActions } from './line';
import { mapActions } from './map';
import { navigationActions } from './navigation';
import { noteActions, noteCreationActions } from './notes';
import { processActions } from './process';
import { viewActions } from './view';
import { viewsActions } from './views';

const GROUPS: readonly Action['group'][] = [
  'This page',
  'Map',
  'Selection',
  'Edit',
  'Arrange',
  'View',
  'Process',
  'Export',
  'Go to',
  'Account',
  'Help',
];

const ALL: readonly Action[] = sortByGroup([
  ...layoutActions,
  ...editActions,
  ...exportActions,
  ...navigationActions,
  ...draftActions,
  ...impactActions,
  // Before the actions on all kinds of selections, which have the same shortcuts.
  ...noteActions,
  // Before those with the same shortcuts: Enter opens the view of a component.
  ...viewsActions,
  ...viewActions,
  ...commentActions,
  ...mapActions,
  ...noteCreationActions,
  ...groupingActions,
  ...lineActions,
  ...processActions,
]);

/** Sorts actions by group; actions of a group keep their order. */
export function sortByGroup(actions: readonly Action[]): Action[] {
  return [...actions].sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
}

/** All actions by group. If several enabled actions share a shortcut, the first one runs. */
export function allActions(): readonly Action[] {
  return ALL;
}

export function actionOf(id: string): Action {
  const found = ALL.find((action) => action.id === id);
  if (!found) throw new Error(`Unknown action ${id}.`);
  return found;
}

export function isEnabled(action: Action): boolean {
  return action.isEnabled?.() ?? true;
}

/** Whether the command palette lists an action. */
export function isListed(action: Action): boolean {
  return isEnabled(action) && (action.isListed?.() ?? true) && !action.refusal?.();
}

/** Groups actions by group name. */
export function groupActions(some: readonly Action[]): { group: string; actions: Action[] }[] {
  return GROUPS.map((group) => ({ group, actions: some.filter((action) => action.group === group) })).filter(
    ({ actions }) => actions.length > 0,
  );
}
