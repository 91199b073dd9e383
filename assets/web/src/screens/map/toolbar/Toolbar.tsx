/** The toolbar of the map: tools, add, layout and zoom. */
import { History, LayoutDashboard, Maximize, Minus, Network, Plus } from 'lucide-react';
import { actionOf, isEnabled } from '@/actions';
import { tipOf, titleOf } from '@/actions/action';
import { arrangeActions } from '@/actions/arrange';
import { impactActions } from '@/actions/impact';
import { perform } from '@/actions/perform';
import { usePlan } from '@/plan/store';
import { Button, IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuLine } from '@/ui/Menu';
import { useCamera } from '../canvas/camera';
import { chooseWheel, useWheel } from '../canvas/wheel';
import { useView } from '../view';
import { ActionItem } from './ActionItem';
import { ArrangeBar } from './ArrangeBar';
import { Minimap } from './Minimap';
import styles from './Toolbar.module.css';

export function Toolbar() {
  return (
    <div id="map-tools" tabIndex={-1} className={styles.around}>
      <div className={styles.tools} role="toolbar" aria-label="Tools">
        <span className={styles.hands}>
          <Tool id="view.select" pressed="select" />
          <Tool id="view.hand" pressed="hand" />
          <span className={styles.line} />
        </span>
        <Tool id="map.add" />
        <Arrange />
        <Dependencies />
        <span className={styles.line} />
        <Back id="edit.undo" label="Undo" />
        <Back id="edit.redo" label="Redo" />
        <Recently />
      </div>
      <div className={styles.corner} data-corner>
        <Minimap />
        <Zoom />
      </div>
      <ArrangeBar />
    </div>
  );
}

function Tool({ id, pressed }: { id: string; pressed?: 'select' | 'hand' }) {
  const tool = useView((view) => view.tool);
  const action = actionOf(id);
  const Icon = action.icon;
  return (
    <IconButton
      label={titleOf(action)}
      title={tipOf(action)}
      icon={Icon && <Icon size={18} />}
      aria-pressed={pressed ? tool === pressed : undefined}
      onClick={() => perform(action)}
    />
  );
}

/** Undo or redo. If there is nothing to undo, the button looks disabled but keeps the focus. */
function Back({ id, label }: { id: string; label: string }) {
  const action = actionOf(id);
  // Every change, undo and redo may change the title.
  usePlan(({ done }) => done);
  usePlan(({ undone }) => undone);
  const canDo = isEnabled(action);
  const Icon = action.icon;
  return (
    <IconButton
      label={label}
      title={tipOf(action)}
      icon={Icon && <Icon size={18} />}
      aria-disabled={!canDo}
      onClick={() => canDo && perform(action)}
    />
  );
}

/** Toggles the panel of recent changes. */
function Recently() {
  const isOpen = useView((view) => view.historyOpen);
  const action = actionOf('view.recent');
  return (
    <IconButton
      label="Recent changes"
      title={tipOf(action)}
      icon={<History size={18} />}
      aria-pressed={isOpen}
      onClick={() => perform(action)}
    />
  );
}

function Arrange() {
  // Subscribes to what the enabled state depends on.
  useView((view) => view.selectedComponents);
  const wheel = useWheel();
  const [layered, organic, ...lines] = arrangeActions;
  return (
    <Menu trigger={<IconButton label="Arrange" icon={<LayoutDashboard size={18} aria-hidden />} />}>
      {[layered, organic].map((action) => action && <ActionItem key={action.id} action={action} />)}
      <MenuLine />
      {lines.map((action) => (
        <ActionItem key={action.id} action={action} />
      ))}
      <MenuLine />
      <MenuItem onSelect={() => chooseWheel(wheel === 'pan' ? 'zoom' : 'pan')}>
        {wheel === 'pan' ? 'Scroll to zoom (mouse)' : 'Scroll to pan (trackpad)'}
      </MenuItem>
    </Menu>
  );
}

/** The impact actions for one or two selected components. */
function Dependencies() {
  // Subscribes to what the enabled state depends on.
  useView((view) => view.selectedComponents);
  return (
    <Menu trigger={<IconButton label="Dependencies" icon={<Network size={18} aria-hidden />} />}>
      {impactActions.map((action) => (
        <ActionItem key={action.id} action={action} />
      ))}
    </Menu>
  );
}

function Zoom() {
  const zoom = useCamera((camera) => camera.viewport.zoom);
  const camera = useView((view) => view.camera);
  return (
    <div className={styles.zoom} role="toolbar" aria-label="Zoom">
      <IconButton
        label="Zoom out"
        icon={<Minus size={16} aria-hidden />}
        onClick={() => camera?.zoomBy(0.8)}
      />
      <Button
        kind="quiet"
        className={styles.percent}
        aria-label={`Zoom level ${Math.round(zoom * 100)}%. Zoom to 100%`}
        title={tipOf(actionOf('view.fullSize'))}
        onClick={() => camera?.zoomTo(1)}
      >
        {Math.round(zoom * 100)}%
      </Button>
      <IconButton
        label="Zoom in"
        icon={<Plus size={16} aria-hidden />}
        onClick={() => camera?.zoomBy(1.25)}
      />
      <IconButton
        label="Zoom to fit"
        title={tipOf(actionOf('view.fitAll'))}
        icon={<Maximize size={16} aria-hidden />}
        onClick={() => camera?.fit()}
      />
    </div>
  );
}
