/** Actions that change what the map shows: search, lenses, panels. */
import { Eye, FilterX, History, PanelLeft, PanelRight, PencilLine, Search } from 'lucide-react';
import { flushSync } from 'react-dom';
import { LENSES, NO_FILTERS } from '@/core/model/viewOptions';
import { isFiltering } from '@/core/search/filter';
import { isMapOpen } from '@/map/state/location';
import { FIND_ID, openInspector } from '@/map/state/panels';
import { useView } from '@/map/state/view';
import type { Action } from './action';

const isSomethingSelected = () => {
  const { selectedComponents, selectedRelationships } = useView.getState();
  return selectedComponents.size + selectedRelationships.size > 0;
};

export const viewActions: readonly Action[] = [
  {
    id: 'view.find',
    title: 'Find on map',
    group: 'View',
    keys: ['/'],
    icon: Search,
    isEnabled: isMapOpen,
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
    isEnabled: () => isMapOpen() && isSomethingSelected(),
    run: openInspector,
  },
  {
    id: 'view.panel',
    title: () => (useView.getState().panelOpen ? 'Hide side panel' : 'Show side panel'),
    group: 'View',
    keys: ['P'],
    icon: PanelLeft,
    isEnabled: isMapOpen,
    run: () => useView.setState(({ panelOpen }) => ({ panelOpen: !panelOpen })),
  },
  {
    id: 'view.inspector',
    title: () => (useView.getState().inspectorOpen ? 'Hide inspector' : 'Show inspector'),
    group: 'View',
    keys: ['I'],
    icon: PanelRight,
    isEnabled: isMapOpen,
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
    isEnabled: isMapOpen,
    run: () => useView.setState(({ historyOpen }) => ({ historyOpen: !historyOpen })),
  },
  {
    id: 'view.filters.clear',
    title: 'Clear filters',
    group: 'View',
    icon: FilterX,
    isEnabled: () => isMapOpen() && isFiltering(useView.getState().filters),
    run: () => useView.setState({ filters: NO_FILTERS }),
  },
  ...LENSES.map(
    ({ id, name }): Action => ({
      id: `view.lens.${id}`,
      title: id === 'nobody' ? 'Highlight components without an owner' : `Color by ${name.toLowerCase()}`,
      group: 'View',
      icon: Eye,
      isEnabled: () => isMapOpen() && useView.getState().lens !== id,
      run: () => useView.setState({ lens: id }),
    }),
  ),
];
