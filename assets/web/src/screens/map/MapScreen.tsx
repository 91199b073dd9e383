/** The map screen: canvas, side panel, inspector and overlays. */

import { useRememberedPanels } from '@/map/state/panels';
import { useView } from '@/map/state/view';
import { Canvas } from './canvas/Canvas';
import { Comparison } from './comparison/Comparison';
import { Impact } from './impact/Impact';
import { Inspector } from './inspector/Inspector';
import styles from './MapScreen.module.css';
import { SidePanel } from './panel/SidePanel';
import { Playback } from './playback/Playback';
import { Presence } from './presence/Presence';
import { RecentChanges } from './recent/RecentChanges';
import { ContextMenu } from './toolbar/ContextMenu';
import { Toolbar } from './toolbar/Toolbar';

export default function MapScreen() {
  useRememberedPanels();
  const isHistoryOpen = useView((view) => view.historyOpen);
  return (
    <div className={styles.screen}>
      <SidePanel />
      <div className={styles.middle}>
        <Canvas />
        <Presence />
        <Toolbar />
        <ContextMenu />
        <Comparison />
        <Impact />
        <Playback />
      </div>
      {isHistoryOpen ? <RecentChanges /> : <Inspector />}
    </div>
  );
}
