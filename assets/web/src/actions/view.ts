/** How the map is looked at: finding, lenses, panels. */
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
    title: 'Find on the map',
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
    title: 'Open',
    group: 'Selection',
    keys: ['Enter'],
    icon: PencilLine,
    isEnabled: () => isMapOpen() && isSomethingSelected(),
    run: openInspector,
  },
  {
    id: 'view.panel',
    title: () => (useView.getState().panelOpen ? 'Hide the side panel' : 'Show the side panel'),
    group: 'View',
    keys: ['P'],
    icon: PanelLeft,
    isEnabled: isMapOpen,
    run: () => useView.setState(({ panelOpen }) => ({ panelOpen: !panelOpen })),
  },
  {
    id: 'view.inspector',
    title: () => (useView.getState().inspectorOpen ? 'Hide the inspector' : 'Show the inspector'),
    group: 'View',
    keys: ['I'],
    icon: PanelRight,
    isEnabled: isMapOpen,
    // What was done recently stands in the same place.
    run: () =>
      useView.setState(({ inspectorOpen, historyOpen }) => ({
        inspectorOpen: historyOpen || !inspectorOpen,
        historyOpen: false,
      })),
  },
  {
    id: 'view.recent',
    title: () => (useView.getState().historyOpen ? 'Hide what was done' : 'Show what was done recently'),
    group: 'View',
    keys: ['L'],
    icon: History,
    isEnabled: isMapOpen,
    run: () => useView.setState(({ historyOpen }) => ({ historyOpen: !historyOpen })),
  },
  {
    id: 'view.filters.clear',
    title: 'Show everything again',
    group: 'View',
    icon: FilterX,
    isEnabled: () => isMapOpen() && isFiltering(useView.getState().filters),
    run: () => useView.setState({ filters: NO_FILTERS }),
  },
  ...LENSES.map(
    ({ id, name }): Action => ({
      id: `view.lens.${id}`,
      title: id === 'nobody' ? 'Colour what nobody owns' : `Colour by ${name.toLowerCase()}`,
      group: 'View',
      icon: Eye,
      isEnabled: () => isMapOpen() && useView.getState().lens !== id,
      run: () => useView.setState({ lens: id }),
    }),
  ),
];
