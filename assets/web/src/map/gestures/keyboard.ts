/** Keys of the map that are no actions: Tab walks from component to component, Enter opens the one that has it. */
import { type RefObject, useEffect } from 'react';
import { mountClipboard } from '../edits/clipboard';
import { useInteraction } from '../state/interaction';
import { openInspector } from '../state/panels';
import { focusNext } from '../state/selection';
import { setSelection, useView } from '../state/view';

/** Binds Tab on the map, and the browser's own copy, cut and paste. */
export function useMapKeyboard(canvas: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const tab = (event: KeyboardEvent) => {
      focusByTab(event, element);
      openFocused(event);
    };
    element.addEventListener('keydown', tab);
    const away = mountClipboard();
    return () => {
      element.removeEventListener('keydown', tab);
      away();
    };
  }, [canvas]);
}

/** A component is a button to those who hear it, so Enter is not for the window's actions. */
function openFocused(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.altKey || event.ctrlKey || event.metaKey) return;
  const id = event.target instanceof Element ? event.target.getAttribute('data-component') : null;
  if (id === null) return;
  event.preventDefault();
  // A relationship that was walked to is what is opened.
  if (useView.getState().selectedRelationships.size === 0) setSelection([id]);
  openInspector();
}

function focusByTab(event: KeyboardEvent, map: HTMLElement): void {
  if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return;
  // Only from the map itself and its components; buttons on it are walked as buttons are.
  const from = event.target as HTMLElement;
  if (from !== map && !from.matches('[data-component]')) return;
  if (from === map) {
    if (event.shiftKey) return;
    useInteraction.setState({ focused: null });
  }
  if (focusNext(event.shiftKey ? -1 : 1)) event.preventDefault();
}
