/** Actions that change what the map shows: search, lenses, panels. */
import { Eye, FilterX, History, PanelLeft, PanelRight, PencilLine, Search } from 'lucide-react';
import { flushSync } from 'react-dom';
import { isFiltering } from '@/core/model/filter';
import { LENSES, NO_FILTERS } from '@/core/model/look';
import { useView } from '@/screens/map/view';
import type { Action } from './action';
import { onMap } from './place';

/** The field that finds on the map. */
export const FIND_ID = 'find-on-map';
/** The part of the inspector that takes the focus when something is opened. */
export const INSPECTOR_ID = 'inspector';

const isSomethingSelected = () => {
  const { selectedComponents, selectedRelationships } = useView.getState();
  return selectedComponents.size + selectedRelationships.size > 0;
};

export const lookActions: readonly Action[] = [
  {
    id: 'view.find',
    title: 'Find on map',
    group: 'View',
    keys: ['/'],
    icon: Search,
    isEnabled: onMap,
    run: () => {
      flushSync(() => useView.setState({ panelOpen: true }));
      document.getElementById(FIND_ID)?.querySelector('input')?.focus();
    },
  },
  {
    id: 'selection.open',
    title: 'Edit in inspector',
    group: 'Selection',
    keys: ['Enter'],
    icon: PencilLine,
    isEnabled: () => onMap() && isSomethingSelected(),
    run: openInspector,
  },
  {
    id: 'view.panel',
    title: () => (useView.getState().panelOpen ? 'Hide side panel' : 'Show side panel'),
    group: 'View',
    keys: ['P'],
    icon: PanelLeft,
    isEnabled: onMap,
    run: () => useView.setState(({ panelOpen }) => ({ panelOpen: !panelOpen })),
  },
  {
    id: 'view.inspector',
    title: () => (useView.getState().inspectorOpen ? 'Hide inspector' : 'Show inspector'),
    group: 'View',
    keys: ['I'],
    icon: PanelRight,
    isEnabled: onMap,
    // Recent changes are shown in the same place.
    run: () =>
      useView.setState(({ inspectorOpen, historyOpen }) => ({
        inspectorOpen: historyOpen || !inspectorOpen,
        historyOpen: false,
      })),
  },
  {
    id: 'view.recent',
    title: () => (useView.getState().historyOpen ? 'Hide recent changes' : 'Show recent changes'),
    group: 'View',
    keys: ['L'],
    icon: History,
    isEnabled: onMap,
    run: () => useView.setState(({ historyOpen }) => ({ historyOpen: !historyOpen })),
  },
  {
    id: 'view.filters.clear',
    title: 'Clear filters',
    group: 'View',
    icon: FilterX,
    isEnabled: () => onMap() && isFiltering(useView.getState().filters),
    run: () => useView.setState({ filters: NO_FILTERS }),
  },
  ...LENSES.map(
    ({ id, name }): Action => ({
      id: `view.lens.${id}`,
      title: id === 'nobody' ? 'Highlight components without an owner' : `Color by ${name.toLowerCase()}`,
      group: 'View',
      icon: Eye,
      isEnabled: () => onMap() && useView.getState().lens !== id,
      run: () => useView.setState({ lens: id }),
    }),
  ),
];

/** Shows the inspector and puts the focus on the first thing in it that can be edited. */
export function openInspector(): void {
  flushSync(() => useView.setState({ inspectorOpen: true, historyOpen: false }));
  const inspector = document.getElementById(INSPECTOR_ID);
  inspector?.querySelector<HTMLElement>('input, textarea, select')?.focus();
}
