/** The map screen: canvas, side panel, inspector and overlays. */
import { Canvas } from './canvas/Canvas';
import { Comparison } from './comparison/Comparison';
import { Impact } from './impact/Impact';
import { Inspector } from './inspector/Inspector';
import styles from './MapScreen.module.css';
import { SidePanel } from './panel/SidePanel';
import { Playback } from './playback/Playback';
import { Presence } from './presence/Presence';
import { Recent } from './recent/Recent';
import { MapMenu } from './toolbar/MapMenu';
import { Toolbar } from './toolbar/Toolbar';
import { useView } from './view';

export default function MapScreen() {
  const isHistoryOpen = useView((view) => view.historyOpen);
  return (
    <div className={styles.screen}>
      <SidePanel />
      <div className={styles.middle}>
        <Canvas />
        <Presence />
        <Toolbar />
        <MapMenu />
        <Comparison />
        <Impact />
        <Playback />
      </div>
      {isHistoryOpen ? <Recent /> : <Inspector />}
    </div>
  );
}
