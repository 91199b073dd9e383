/** Binds the shortcuts of all actions, once per window. */
import { useEffect } from 'react';
import { allActions, isEnabled } from '.';
import { runAction } from './runAction';
import { matchesShortcut } from './shortcuts';

export function useKeyboardShortcuts(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const { target } = event;
  const action = allActions().find(
    (action) =>
      action.keys?.some((keys) => matchesShortcut(keys, event)) &&
      (action.whileTyping || !isHandledBy(target, event)) &&
      isEnabled(action),
  );
  if (!action) return;
  event.preventDefault();
  runAction(action);
}

const SWITCHES = 'input[type="checkbox"], input[type="radio"]';
const FIELDS = `input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable=""],
  [contenteditable="true"], [role="textbox"]`;
const WINDOWS = '[role="dialog"], [role="alertdialog"], [role="menu"]';
const PRESSABLE = `button, a[href], summary, ${SWITCHES}, [role="button"], [role="menuitem"], [role="tab"],
  [role="option"]`;
const ARROW_KEY_WIDGETS = `${SWITCHES}, [role="listbox"], [role="tree"], [role="radiogroup"], [role="tablist"], [role="grid"],
  [role="slider"]`;

/** Whether the focused element handles the key itself. */
function isHandledBy(target: EventTarget | null, { key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(WINDOWS)) return true;
  if (target.closest(FIELDS)) return key !== 'Escape';
  if (key === ' ' || key === 'Enter') return target.closest(PRESSABLE) !== null;
  return key.startsWith('Arrow') && target.closest(ARROW_KEY_WIDGETS) !== null;
}
