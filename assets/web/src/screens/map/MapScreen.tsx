/** The map: canvas in the middle, what to show at left, what is selected at right, and layers over it. */
import { Canvas } from './canvas/Canvas';
import { Comparison } from './comparison/Comparison';
import { Inspector } from './inspector/Inspector';
import styles from './MapScreen.module.css';
import { SidePanel } from './panel/SidePanel';
import { Playback } from './playback/Playback';
import { Presence } from './presence/Presence';
import { Toolbar } from './toolbar/Toolbar';

export default function MapScreen() {
  return (
    <div className={styles.screen}>
      <SidePanel />
      <div className={styles.middle}>
        <Canvas />
        <Presence />
        <Toolbar />
        <Comparison />
        <Playback />
      </div>
      <Inspector />
    </div>
  );
}
