/**
 * Commands of the current page, such as "New workspace", for the command palette. Components declare the commands of
 * their buttons and menus, whose dialogs and state belong to them.
 */
import { type ComponentType, useEffect, useId } from 'react';
import { create } from 'zustand';
import type { Action } from './action';

interface PageCommand {
  /** Stable identifier, such as `workspaces.new`. */
  id: string;
  title: string;
  /** By default "This page". */
  group?: Action['group'];
  icon?: ComponentType<{ size?: number }>;
  run: () => void;
}

/** The latest commands by component, whose functions use its state. */
const declared = new Map<string, readonly PageCommand[]>();

/** The commands of the current page, each once. */
const usePageActions = create<{ list: readonly Action[] }>()(() => ({ list: [] }));

/** Declares commands while the component is mounted. */
export function usePageCommands(commands: readonly (PageCommand | false)[]): void {
  const key = useId();
  useEffect(() => {
    declared.set(
      key,
      commands.filter((command) => command !== false),
    );
    update();
  });
  useEffect(
    () => () => {
      declared.delete(key);
      update();
    },
    [key],
  );
}

/** The commands of the current page. */
export function usePageCommandList(): readonly Action[] {
  return usePageActions(({ list }) => list);
}

/** Components declare their commands in each render, but the list changes only with what it shows. */
function update(): void {
  const byId = new Map<string, Action>();
  for (const { id, title, group = 'This page', icon } of [...declared.values()].flat()) {
    if (byId.has(id)) continue;
    byId.set(id, { id, title, group, ...(icon && { icon }), run: () => runCommand(id) });
  }
  const list = [...byId.values()];
  const isSame = (a: Action | undefined, b: Action) => a?.id === b.id && a.title === b.title;
  const before = usePageActions.getState().list;
  if (list.length === before.length && list.every((action, at) => isSame(before[at], action))) return;
  usePageActions.setState({ list });
}

function runCommand(id: string): void {
  [...declared.values()]
    .flat()
    .find((command) => command.id === id)
    ?.run();
}
