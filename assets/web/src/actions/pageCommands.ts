/**
 * Commands of the current page, such as "New workspace", for the command palette. Components declare the commands of
 * their buttons and menus, whose dialogs and state belong to them.
 */
import { type ComponentType, useEffect, useId } from 'react';
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

const declared = new Map<string, readonly PageCommand[]>();

/** Declares commands while the component is mounted. */
export function usePageCommands(commands: readonly (PageCommand | false)[]): void {
  const key = useId();
  // In each render, because the functions use the state of the component.
  useEffect(() => {
    declared.set(
      key,
      commands.filter((command) => command !== false),
    );
  });
  useEffect(() => () => void declared.delete(key), [key]);
}

/** The commands of the current page, each once. */
export function pageCommands(): readonly Action[] {
  const byId = new Map<string, Action>();
  for (const command of [...declared.values()].flat()) {
    if (!byId.has(command.id)) byId.set(command.id, { group: 'This page', ...command });
  }
  return [...byId.values()];
}
