/** Actions that change the display of the map: search, lenses, panels. */
import {
  Eye,
  FilterX,
  History as HistoryIcon,
  Link2,
  PanelLeft,
  PanelRight,
  PencilLine,
  RectangleEllipsis,
  Search,
  Spline,
} from 'lucide-react';
import { LENSES, NO_FILTERS } from '@/core/model/viewOptions';
import { isFiltering } from '@/core/search/filter';
import { setCardDetails, useCardDetails } from '@/map/state/cardDetails';
import { setLineStyle, useLineStyle } from '@/map/state/lineStyle';
import { isMapOpen } from '@/map/state/location';
import {
  isAnythingSelected,
  isInspectorVisible,
  openFind,
  openInspector,
  toggleInspector,
} from '@/map/state/panels';
import { useView } from '@/map/state/view';
import { mapUrl } from '@/map/state/viewUrl';
import { copyText } from '@/ui/copyText';
import { showToast } from '@/ui/Toasts';
import { currentDrift } from '@/workspace/drift';
import type { Action } from './action';

const isSomethingSelected = () => {
  return isAnythingSelected(useView.getState());
};

const DETAILS = [
  { id: 'description', name: 'descriptions' },
  { id: 'owner', name: 'owners' },
] as const;

/** Copies the link to the map as it is shown. */
async function copyMapLink(): Promise<void> {
  const link = mapUrl();
  showToast((await copyText(link)) ? 'Link to this view copied' : `Could not copy. Link: ${link}`);
}

export const viewActions: readonly Action[] = [
  {
    id: 'view.find',
    title: 'Find on map',
    group: 'View',
    keys: ['/'],
    icon: Search,
    isEnabled: isMapOpen,
    run: openFind,
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
    title: () => (isInspectorVisible(useView.getState()) ? 'Hide inspector' : 'Show inspector'),
    group: 'View',
    keys: ['I'],
    icon: PanelRight,
    isEnabled: isMapOpen,
    // Recent changes are shown in the same place.
    run: toggleInspector,
  },
  {
    id: 'view.recent',
    title: () => (useView.getState().historyOpen ? 'Hide recent changes' : 'Show recent changes'),
    group: 'View',
    keys: ['L'],
    icon: HistoryIcon,
    isEnabled: isMapOpen,
    run: () => useView.setState(({ historyOpen }) => ({ historyOpen: !historyOpen, commentsOpen: false })),
  },
  {
    id: 'view.copyLink',
    title: 'Copy link to this view',
    group: 'View',
    icon: Link2,
    isEnabled: isMapOpen,
    run: copyMapLink,
  },
  {
    id: 'view.filters.clear',
    title: 'Clear filters',
    group: 'View',
    icon: FilterX,
    isEnabled: () => isMapOpen() && isFiltering(useView.getState().filters),
    run: () => useView.setState({ filters: NO_FILTERS }),
  },
  {
    id: 'view.lines',
    title: () =>
      useLineStyle.getState().style === 'routed' ? 'Draw straight lines' : 'Route lines around components',
    group: 'View',
    icon: Spline,
    isEnabled: isMapOpen,
    run: () => setLineStyle(useLineStyle.getState().style === 'routed' ? 'straight' : 'routed'),
  },
  ...DETAILS.map(
    ({ id, name }): Action => ({
      id: `view.cards.${id}`,
      title: () => `${useCardDetails.getState()[id] ? 'Hide' : 'Show'} ${name} on cards`,
      group: 'View',
      icon: RectangleEllipsis,
      isEnabled: isMapOpen,
      run: () => setCardDetails({ [id]: !useCardDetails.getState()[id] }),
    }),
  ),
  ...LENSES.map(
    ({ id, name }): Action => ({
      id: `view.lens.${id}`,
      title: id === 'unowned' ? 'Highlight components without an owner' : `Color by ${name.toLowerCase()}`,
      group: 'View',
      icon: Eye,
      isEnabled: () =>
        isMapOpen() && useView.getState().lens !== id && (id !== 'drift' || currentDrift().hasSources),
      run: () => useView.setState({ lens: id }),
    }),
  ),
];
