/** Keyboard handling of the map in addition to actions: Tab moves between components and notes, Enter opens the focused one. */
import { type RefObject, useEffect } from 'react';
import { mountClipboard } from '../edits/clipboard';
import { rows } from '../edits/edits';
import { openNote } from '../edits/notes';
import { useInteraction } from '../state/interaction';
import { openInspector } from '../state/panels';
import { focusNext } from '../state/selection';
import { setSelection, useView } from '../state/view';
import { drillDownFrom } from '../state/viewNavigation';

/** Binds Tab and Enter on the map, and the clipboard events. */
export function useMapKeyboard(canvas: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const tab = (event: KeyboardEvent) => {
      focusByTab(event, element);
      openFocused(event);
    };
    element.addEventListener('keydown', tab);
    const unmountClipboard = mountClipboard();
    return () => {
      element.removeEventListener('keydown', tab);
      unmountClipboard();
    };
  }, [canvas]);
}

/** For screen readers, components are buttons, so Enter opens them instead of running an action. */
function openFocused(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(event.target instanceof Element)) return;
  const id = event.target.getAttribute('data-component');
  const note = rows().note.get(event.target.getAttribute('data-note') ?? '');
  if (note) {
    event.preventDefault();
    openNote(note);
    return;
  }
  if (id === null) return;
  event.preventDefault();
  if (drillDownFrom(id)) return;
  // If a relationship is selected, the inspector shows it.
  if (useView.getState().selectedRelationships.size === 0) setSelection([id]);
  openInspector();
}

function focusByTab(event: KeyboardEvent, map: HTMLElement): void {
  if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return;
  // Only from the map and its components. From buttons on the map, Tab works as usual.
  const from = event.target as HTMLElement;
  if (from !== map && !from.matches('[data-component], [data-note]')) return;
  if (from === map) {
    if (event.shiftKey) return;
    useInteraction.setState({ focused: null, focusedNote: null });
  }
  if (focusNext(event.shiftKey ? -1 : 1)) event.preventDefault();
}
