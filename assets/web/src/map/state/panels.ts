/** The panels beside the map: their ids, and moving the focus into them. */
import { flushSync } from 'react-dom';
import { useView } from './view';

/** The field that finds on the map. */
export const FIND_ID = 'find-on-map';
/** The part of the inspector that takes the focus when something is opened. */
export const INSPECTOR_ID = 'inspector';

/** Shows the inspector and puts the focus on the first thing in it that can be edited. */
export function openInspector(): void {
  flushSync(() => useView.setState({ inspectorOpen: true, historyOpen: false }));
  const inspector = document.getElementById(INSPECTOR_ID);
  inspector?.querySelector<HTMLElement>('input, textarea, select')?.focus();
}
