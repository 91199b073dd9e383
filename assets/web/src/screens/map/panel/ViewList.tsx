/** The views in the side panel: the map itself, shared views, personal ones, and tours. */
import { Ellipsis, GripVertical, Layers, Play, Plus, User } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import { actionOf } from '@/actions';
import { actionTooltip } from '@/actions/action';
import { saveAsView } from '@/actions/views';
import { inOrder } from '@/core/sync/viewRows';
import { formatCount } from '@/core/text';
import { reorderView } from '@/map/edits/views';
import { useViewAddress } from '@/map/state/openView';
import { panelSectionId } from '@/map/state/panels';
import { showTour } from '@/map/state/tourUrl';
import { openViewDialog } from '@/map/state/viewDialogs';
import { viewPath } from '@/map/state/viewNavigation';
import { IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import { useCanEdit } from '@/workspace/model';
import { usePersonalViews } from '@/workspace/personalViews';
import { useWorkspace } from '@/workspace/store';
import { type ListedView, useViews } from '../views/useViews';
import { ViewMenuItems } from '../views/ViewMenuItems';
import { CollapsibleSection } from './CollapsibleSection';
import panel from './SidePanel.module.css';
import styles from './ViewList.module.css';

export function ViewList() {
  const { shared, personal } = useViews();
  const address = useViewAddress();
  const canEdit = useCanEdit();
  const isPast = useWorkspace((state) => state.past !== null);
  const status = usePersonalViews((state) => state.status);
  const count = shared.length + personal.length;
  return (
    <CollapsibleSection id={panelSectionId('views')} title="Views" count={count} open>
      <ul className={styles.list} aria-label="Views">
        <li className={styles.row} data-current={address === null || undefined}>
          <Layers size={16} aria-hidden className={styles.icon} />
          <Link
            href={viewPath(null)}
            className={styles.link}
            aria-current={address === null ? 'page' : undefined}
          >
            All
          </Link>
        </li>
        <Rows views={shared} canMove={canEdit && !isPast} />
      </ul>
      {count === 0 && (
        <p className={panel.hint}>
          A view shows a part of the map for one purpose, such as payments or one team. Components stay the
          same in every view.
        </p>
      )}
      {personal.length > 0 && (
        <>
          <div className={styles.heading}>My views</div>
          <ul className={styles.list} aria-label="My views">
            <Rows views={personal} canMove={!isPast} />
          </ul>
        </>
      )}
      {status === 'failed' && <p className={panel.hint}>Could not load your personal views.</p>}
      {!isPast && (
        <div className={panel.line}>
          <button
            type="button"
            className={panel.textButton}
            title={actionTooltip(actionOf('views.save'))}
            onClick={saveAsView}
          >
            Save as view
          </button>
        </div>
      )}
      <Tours />
    </CollapsibleSection>
  );
}

function Rows({ views, canMove }: { views: readonly ListedView[]; canMove: boolean }) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  const drop = (index: number) => {
    const from = views.findIndex(({ address }) => address === dragged);
    // The index in the list without the dragged view.
    if (dragged !== null && from >= 0) reorderView(dragged, index > from ? index - 1 : index);
    end();
  };
  return (
    <>
      {views.map((listed, index) => (
        <Row
          key={listed.address}
          listed={listed}
          canMove={canMove && views.length > 1}
          isOver={over === index}
          isLast={index === views.length - 1 && over === views.length}
          onDragStart={() => setDragged(listed.address)}
          onDragEnd={end}
          onDragOver={(event) => {
            if (dragged === null) return;
            event.preventDefault();
            const { top, height } = event.currentTarget.getBoundingClientRect();
            setOver(event.clientY > top + height / 2 ? index + 1 : index);
          }}
          onDrop={() => over !== null && drop(over)}
          onMove={(by) => reorderView(listed.address, index + by)}
        />
      ))}
    </>
  );
}

interface RowProps {
  listed: ListedView;
  canMove: boolean;
  /** Whether a dragged view would be placed before or after this one. */
  isOver: boolean;
  isLast: boolean;
  onDragStart: () => void;
  onDragEnd: () => void;
  onDragOver: (event: DragEvent<HTMLElement>) => void;
  onDrop: () => void;
  onMove: (by: 1 | -1) => void;
}

function Row({ listed, canMove, isOver, isLast, onMove, ...drag }: RowProps) {
  const { address, isPersonal, view } = listed;
  const isCurrent = useViewAddress() === address;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!canMove || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      className={styles.row}
      data-current={isCurrent || undefined}
      data-over={(isOver && 'before') || (isLast && 'after') || undefined}
      draggable={canMove}
      {...drag}
    >
      {isPersonal ? (
        <User size={16} aria-hidden className={styles.icon} />
      ) : (
        <GripVertical size={16} aria-hidden className={styles.grip} data-hidden={!canMove || undefined} />
      )}
      <Link
        href={viewPath(address)}
        className={styles.link}
        title={view.description || (canMove ? `${view.name} (Alt+↑ or Alt+↓ to reorder)` : view.name)}
        aria-current={isCurrent ? 'page' : undefined}
        aria-keyshortcuts={canMove ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
        draggable={false}
        onKeyDown={onKeyDown}
      >
        {view.name}
      </Link>
      <Menu
        trigger={
          <IconButton
            label={`Menu of view ${view.name}`}
            icon={<Ellipsis size={16} aria-hidden />}
            className={styles.menu}
          />
        }
      >
        <ViewMenuItems address={address} />
      </Menu>
    </li>
  );
}

function Tours() {
  const tours = useWorkspace((state) => state.rows?.tour);
  const canEdit = useCanEdit();
  const ordered = inOrder(tours?.values() ?? []);
  if (ordered.length === 0 && !canEdit) return null;
  return (
    <>
      <div className={styles.heading}>
        Tours
        {canEdit && (
          <IconButton
            label="Create tour"
            icon={<Plus size={15} aria-hidden />}
            className={styles.add}
            onClick={() => openViewDialog({ kind: 'tour', id: null })}
          />
        )}
      </div>
      {ordered.length === 0 && (
        <p className={panel.hint}>
          A tour presents views, components and steps of processes one after another, with a short text for
          each.
        </p>
      )}
      <ul className={styles.list} aria-label="Tours">
        {ordered.map(({ id, name, stops }) => (
          <li key={id} className={styles.row}>
            <IconButton
              label={`Present ${name}`}
              icon={<Play size={15} aria-hidden />}
              className={styles.play}
              disabled={stops.length === 0}
              onClick={() => showTour(id)}
            />
            <button
              type="button"
              className={styles.link}
              onClick={() => (canEdit ? openViewDialog({ kind: 'tour', id }) : showTour(id))}
            >
              {name}
            </button>
            <span className={styles.number}>{formatCount(stops.length, 'stop')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
