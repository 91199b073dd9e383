/** Keys of the map. All but Tab will be bound by the registry of actions: then the loop over `ACTIONS` goes. */
import { type RefObject, useEffect } from 'react';
import type { Action } from '@/actions/action';
import { arrangeActions } from '@/actions/arrange';
import { mapActions } from '@/actions/map';
import { redo, undo } from '@/plan/undo';
import { complain } from '@/ui/Toasts';
import { mountClipboard } from './clipboard';
import { useHold } from './hold';
import { tabTo } from './selection';

const UNDO: readonly Action[] = [
  { id: 'edit.undo', title: 'Undo', group: 'Edit', keys: ['Mod+Z'], run: async () => void (await undo()) },
  {
    id: 'edit.redo',
    title: 'Redo',
    group: 'Edit',
    keys: ['Mod+Shift+Z'],
    run: async () => void (await redo()),
  },
];
const ACTIONS: readonly Action[] = [...mapActions, ...arrangeActions, ...UNDO];

export function useKeys(canvas: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const tab = (event: KeyboardEvent) => walkByTab(event, element);
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isElsewhere(event.target)) return;
      const pressed = chord(event);
      const action = ACTIONS.find(
        ({ keys, isEnabled }) => keys?.some((key) => matches(key, pressed)) && (isEnabled?.() ?? true),
      );
      if (!action || (action.id === 'map.open' && (event.target as HTMLElement).matches('button, a'))) return;
      event.preventDefault();
      Promise.resolve(action.run()).catch(complain);
    };
    element.addEventListener('keydown', tab);
    document.addEventListener('keydown', act);
    const away = mountClipboard();
    return () => {
      element.removeEventListener('keydown', tab);
      document.removeEventListener('keydown', act);
      away();
    };
  }, [canvas]);
}

function walkByTab(event: KeyboardEvent, map: HTMLElement): void {
  if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return;
  // Only from the map itself and its components; buttons on it are walked as buttons are.
  const from = event.target as HTMLElement;
  if (from !== map && !from.matches('[data-component]')) return;
  if (from === map) {
    if (event.shiftKey) return;
    useHold.setState({ focused: null });
  }
  if (tabTo(event.shiftKey ? -1 : 1)) event.preventDefault();
}

function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="menu"], [role="dialog"]') !==
      null
  );
}

function chord({ key, code, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Set<string> {
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return new Set([
    ...(ctrlKey || metaKey ? ['Mod'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey && key !== '+' ? ['Shift'] : []),
    (shiftKey && digit) || (altKey && letter) || (key.length === 1 ? key.toUpperCase() : key),
  ]);
}

function matches(keys: string, pressed: ReadonlySet<string>): boolean {
  const parts = keys === '+' ? ['+'] : keys.split('+');
  return parts.length === pressed.size && parts.every((part) => pressed.has(part));
}
