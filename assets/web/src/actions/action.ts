/** Actions as data. The command palette, keyboard shortcuts, menus and help are generated from one list. */
import type { ComponentType } from 'react';
import { formatShortcut } from './shortcuts';

export interface Action {
  /** Stable identifier, such as `map.delete`. */
  id: string;
  /** The label in buttons and menus, such as "Delete". A function if it depends on the selection. */
  title: string | (() => string);
  group:
    | 'This page'
    | 'Map'
    | 'Selection'
    | 'View'
    | 'Arrange'
    | 'Edit'
    | 'Process'
    | 'Export'
    | 'Go to'
    | 'Account'
    | 'Help';
  /**
   * Shortcuts such as `Mod+Shift+Z`, `Delete`, `?`. `Mod` is Cmd on Mac and Ctrl elsewhere. The first one is displayed.
   */
  keys?: readonly string[];
  /** Whether the shortcuts also work while a text field has the focus. */
  whileTyping?: boolean;
  /** Shortcuts handled by the browser, for display only (copy, cut, paste). */
  nativeKeys?: readonly string[];
  icon?: ComponentType<{ size?: number }>;
  /** Whether the action is enabled. Disabled actions are grayed out in menus and hidden in the palette. */
  isEnabled?: () => boolean;
  /**
   * Whether the command palette lists the action while it is enabled, by default yes. Not listed: shortcuts that would do
   * nothing now, or only work while their key is held.
   */
  isListed?: () => boolean;
  /**
   * The reason why the action cannot run now, if it needs an explanation. The action stays enabled and shows this text.
   */
  refusal?: () => string | null;
  run: () => void | Promise<void>;
}

/** All shortcuts of an action for display, including those handled by the browser. */
export function actionShortcuts({ keys = [], nativeKeys = [] }: Action): readonly string[] {
  return [...keys, ...nativeKeys];
}

export function actionTitle(action: Action): string {
  return typeof action.title === 'string' ? action.title : action.title();
}

/** The tooltip: the title and the first shortcut in the notation of this platform. */
export function actionTooltip(action: Action): string {
  const [keys] = action.keys ?? [];
  return keys ? `${actionTitle(action)} (${formatShortcut(keys)})` : actionTitle(action);
}
