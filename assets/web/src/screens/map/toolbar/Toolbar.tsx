/** The toolbar of the map: tools, add, layout and zoom. */
import {
  History as HistoryIcon,
  LayoutDashboard,
  Maximize,
  MessageSquare,
  Minus,
  Network,
  Plus,
  StickyNote,
} from 'lucide-react';
import { actionOf } from '@/actions';
import { actionTitle, actionTooltip } from '@/actions/action';
import { impactActions } from '@/actions/impact';
import { layoutActions } from '@/actions/layout';
import { runAction } from '@/actions/runAction';
import { useCommentOverview } from '@/data/comments';
import { useCamera } from '@/map/state/camera';
import { useOpenView } from '@/map/state/openView';
import { useView } from '@/map/state/view';
import { UndoButtons } from '@/screens/commands/UndoButtons';
import { ProposeButton } from '@/screens/drafts/ProposeButton';
import { Button, IconButton } from '@/ui/Button';
import { Menu, MenuSeparator } from '@/ui/Menu';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { ActionItem } from './ActionItem';
import { LayoutBar } from './LayoutBar';
import { Minimap } from './Minimap';
import styles from './Toolbar.module.css';

/** While a tour is presented, only the zoom controls are shown. */
export function Toolbar({ isPresenting }: { isPresenting: boolean }) {
  const canEdit = useCanEdit();
  const open = useOpenView();
  return (
    <div id="map-tools" tabIndex={-1} className={styles.around}>
      {!isPresenting && (
        <div className={styles.tools} role="toolbar" aria-label="Tools" data-tools>
          <span className={styles.pointerTools}>
            <Tool id="view.hand" pressed="hand" />
            <Tool id="view.select" pressed="select" />
            <span className={styles.line} />
          </span>
          {canEdit && <Tool id="map.add" />}
          {canEdit && <NoteMenu />}
          {canEdit && <LayoutMenu />}
          <ImpactMenu />
          <span className={styles.line} />
          {(canEdit || open?.isPersonal) && <UndoButtons />}
          <RecentChangesButton />
          <CommentsButton />
          <ProposeButton />
        </div>
      )}
      <div className={styles.corner} data-corner>
        <Minimap />
        <ZoomControls />
      </div>
      <LayoutBar />
    </div>
  );
}

function Tool({ id, pressed }: { id: string; pressed?: 'select' | 'hand' }) {
  const tool = useView((view) => view.tool);
  const action = actionOf(id);
  const Icon = action.icon;
  return (
    <IconButton
      label={actionTitle(action)}
      title={actionTooltip(action)}
      icon={Icon && <Icon size={18} />}
      aria-pressed={pressed ? tool === pressed : undefined}
      onClick={() => runAction(action)}
    />
  );
}

/** Toggles the panel of recent changes. */
function RecentChangesButton() {
  const isOpen = useView((view) => view.historyOpen);
  const action = actionOf('view.recent');
  return (
    <IconButton
      label="Recent changes"
      title={actionTooltip(action)}
      icon={<HistoryIcon size={18} />}
      aria-pressed={isOpen}
      onClick={() => runAction(action)}
    />
  );
}

/** Toggles the panel of comments. Users without edit access see what they can do: the button has a text for them. */
function CommentsButton() {
  const isOpen = useView((view) => view.commentsOpen);
  const canEdit = useCanEdit();
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const { data } = useCommentOverview(workspaceId);
  const action = actionOf('comments.toggle');
  const open = data?.open ?? 0;
  const label = open > 0 ? `Comments, ${open.toLocaleString('en')} open` : 'Comments';
  return (
    <Button
      kind="quiet"
      aria-label={label}
      title={actionTooltip(action)}
      icon={<MessageSquare size={18} aria-hidden />}
      aria-pressed={isOpen}
      onClick={() => runAction(action)}
    >
      {canEdit ? open > 0 && open.toLocaleString('en') : data?.canComment ? 'Comment' : 'Comments'}
    </Button>
  );
}

function LayoutMenu() {
  // Re-render when the enabled state may change.
  useView((view) => view.selectedComponents);
  const [layered, organic, ...lines] = layoutActions;
  return (
    <Menu trigger={<IconButton label="Arrange" icon={<LayoutDashboard size={18} aria-hidden />} />}>
      {[layered, organic].map((action) => action && <ActionItem key={action.id} action={action} />)}
      <MenuSeparator />
      {lines.map((action) => (
        <ActionItem key={action.id} action={action} />
      ))}
    </Menu>
  );
}

/** Adds notes, frames and images. */
function NoteMenu() {
  return (
    <Menu trigger={<IconButton label="Notes" icon={<StickyNote size={18} aria-hidden />} />}>
      {['note.add', 'note.addFrame', 'note.addImage'].map((id) => (
        <ActionItem key={id} action={actionOf(id)} />
      ))}
    </Menu>
  );
}

/** The impact actions for one or two selected components. */
function ImpactMenu() {
  // Re-render when the enabled state may change.
  useView((view) => view.selectedComponents);
  return (
    <Menu trigger={<IconButton label="Dependencies" icon={<Network size={18} aria-hidden />} />}>
      {impactActions.map((action) => (
        <ActionItem key={action.id} action={action} />
      ))}
    </Menu>
  );
}

function ZoomControls() {
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
        title={actionTooltip(actionOf('view.fullSize'))}
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
        title={actionTooltip(actionOf('view.fitAll'))}
        icon={<Maximize size={16} aria-hidden />}
        onClick={() => camera?.fit()}
      />
    </div>
  );
}
