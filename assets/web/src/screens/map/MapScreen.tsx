/** The map screen: canvas, side panel, inspector and overlays. It shows the map itself or a view of it. */
import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { useLoadedDrift } from '@/map/state/drift';
import { type OpenView, useOpenView, useViewAddress } from '@/map/state/openView';
import { useRememberedPanels } from '@/map/state/panels';
import { parseTourQuery } from '@/map/state/tourUrl';
import { useView } from '@/map/state/view';
import { showError } from '@/ui/Toasts';
import { useLoadedMemberships } from '@/workspace/memberships';
import { loadPersonalView } from '@/workspace/personalViews';
import { Canvas } from './canvas/Canvas';
import { CommentsPanel, useThreadInUrl } from './comments/CommentsPanel';
import { Comparison } from './comparison/Comparison';
import { DraftComparison } from './draft/DraftComparison';
import { Drift } from './drift/Drift';
import { Impact } from './impact/Impact';
import { Inspector } from './inspector/Inspector';
import styles from './MapScreen.module.css';
import { SidePanel } from './panel/SidePanel';
import { Playback } from './playback/Playback';
import { Presence } from './presence/Presence';
import { RecentChanges } from './recent/RecentChanges';
import { ContextMenu } from './toolbar/ContextMenu';
import { Toolbar } from './toolbar/Toolbar';
import { UnknownView } from './views/UnknownView';
import { ViewBar } from './views/ViewBar';
import { ViewPanels } from './views/ViewPanels';

export function MapScreen() {
  useRememberedPanels();
  const address = useViewAddress();
  const open = useOpenView();
  const isKnown = address === null || open !== null;
  useLoadedMemberships(open?.view.definition ?? null);
  useLoadedPersonalView(open);
  useLoadedDrift();
  const isPresenting = parseTourQuery(useSearch()) !== null;
  const isHistoryOpen = useView((view) => view.historyOpen);
  const isCommentsOpen = useView((view) => view.commentsOpen);
  useThreadInUrl();
  return (
    <div className={styles.screen} data-print="page">
      <SidePanel />
      <div className={styles.column}>
        {isPresenting ? null : <ViewBar />}
        <div className={styles.middle}>
          {isKnown ? <Canvas key={address ?? ''} /> : <UnknownView address={address} />}
          <Presence />
          <Toolbar isPresenting={isPresenting} />
          <ContextMenu />
          <Comparison />
          <DraftComparison />
          <Impact />
          <Drift />
          <Playback />
          <ViewPanels />
        </div>
      </div>
      {isCommentsOpen ? <CommentsPanel /> : isHistoryOpen ? <RecentChanges /> : <Inspector />}
    </div>
  );
}

/** Loads the positions of a personal view when it is opened. */
function useLoadedPersonalView(open: OpenView | null): void {
  const id = open?.isPersonal ? open.view.id : null;
  useEffect(() => {
    if (id !== null) void loadPersonalView(id).catch(showError);
  }, [id]);
}
