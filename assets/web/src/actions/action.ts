/** What can be done, as data: one list feeds the palette, the keys, the menus and the help. */
import type { ComponentType } from 'react';
import { formatShortcut } from './shortcuts';

export interface Action {
  /** Stable, as `map.delete`. */
  id: string;
  /** As a button or menu says it: "Delete". A function where it depends on what is selected. */
  title: string | (() => string);
  group: 'Map' | 'Selection' | 'View' | 'Arrange' | 'Edit' | 'Process' | 'Export' | 'Go to' | 'Help';
  /** Keys, as `Mod+Shift+Z`, `Delete`, `?`; `Mod` is Cmd on a Mac and Ctrl elsewhere. The first is shown. */
  keys?: readonly string[];
  /** Whether the keys count while somebody types in a field, too. */
  whileTyping?: boolean;
  /** Keys to be shown only: the browser itself makes something of them that we answer (copy, cut, paste). */
  nativeKeys?: readonly string[];
  icon?: ComponentType<{ size?: number }>;
  /** Whether it makes sense now. What is not enabled is greyed in menus and left out of the palette. */
  isEnabled?: () => boolean;
  /** Why it cannot be done now, where that is no matter of course: it is offered all the same, and says this. */
  refusal?: () => string | null;
  run: () => void | Promise<void>;
}

/** All keys of an action, to be shown: those that we bind, and those that are the browser's. */
export function actionShortcuts({ keys = [], nativeKeys = [] }: Action): readonly string[] {
  return [...keys, ...nativeKeys];
}

/** The title as it reads now. */
export function actionTitle(action: Action): string {
  return typeof action.title === 'string' ? action.title : action.title();
}

/** What a button of it says when a pointer rests on it: its title, and its first keys as this machine writes them. */
export function actionTooltip(action: Action): string {
  const [keys] = action.keys ?? [];
  return keys ? `${actionTitle(action)} (${formatShortcut(keys)})` : actionTitle(action);
}
