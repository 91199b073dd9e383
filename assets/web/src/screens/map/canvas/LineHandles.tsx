/** The handles of the selected line: its waypoints, the pieces between bends, and its label. */
import { ViewportPortal } from '@xyflow/react';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import { center, containsPoint, expandRect, type Point } from '@/core/scene/geometry';
import type { Direction } from '@/core/scene/hitTest';
import { partAlong } from '@/core/scene/lineLayout';
import { useAppearance } from '@/map/drawing/appearance';
import { labelScale, MIN_REQUESTED_LABEL_ZOOM } from '@/map/drawing/detail';
import { editLine } from '@/map/edits/relationships';
import { handleName, handleOf, type LineHandle, nudgeHandle, removeHandle } from '@/map/gestures/lineHandles';
import { useCamera } from '@/map/state/camera';
import { type EditedLine, editedLine } from '@/map/state/editedLine';
import { cancelInteraction, useInteraction } from '@/map/state/interaction';
import { useRoutes } from '@/map/state/routes';
import { focusComponent } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import styles from './LineHandles.module.css';

/** Shorter pieces, in pixels, have no handle. */
const MIN_PIECE = 56;
/** Minimum distance of a piece's handle from a waypoint, in pixels. */
const MIN_DISTANCE = 20;

/** The radius of a handle and its margin, in pixels. */
const HANDLE_RADIUS = 9;
/** Where on a piece a handle can be. */
const PARTS = [0.5, 0.25, 0.75];

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

export function LineHandles() {
  const { relationOf } = useAppearance();
  const zoom = useCamera((camera) => camera.viewport.zoom);
  useCamera((camera) => camera.isOverview);
  useView((view) => view.selectedRelationships);
  useView((view) => view.selectedComponents);
  useInteraction((interaction) => interaction.editingLine);
  useInteraction((interaction) => interaction.moving);
  useRoutes();
  const edited = editedLine(({ label, typeId }) => label || relationOf(typeId).name);
  if (!edited) return null;
  const handles = [...waypoints(edited), ...pieces(edited, zoom)].sort((one, other) => one.part - other.part);
  return (
    <ViewportPortal>
      {handles.map(({ handle, at, label }) => (
        <Handle
          key={handle.kind === 'waypoint' ? handle.index : `piece ${at.x} ${at.y}`}
          handle={handle}
          label={label}
          style={{ transform: `translate(${at.x}px, ${at.y}px) scale(${1 / zoom}) translate(-50%, -50%)` }}
        >
          <span className={handle.kind === 'waypoint' ? styles.waypoint : styles.piece} />
        </Handle>
      ))}
      {edited.label && zoom >= MIN_REQUESTED_LABEL_ZOOM && (
        <Handle
          handle={{ kind: 'label' }}
          label="Label position"
          style={{
            transform: `translate(${center(edited.label).x}px, ${center(edited.label).y}px) scale(${labelScale(zoom)}) translate(-50%, -50%)`,
            width: edited.label.width,
            height: edited.label.height,
          }}
        />
      )}
    </ViewportPortal>
  );
}

interface PlacedHandle {
  handle: LineHandle;
  at: Point;
  label: string;
  /** Its position along the line. */
  part: number;
}

function waypoints({ layout, points }: EditedLine): PlacedHandle[] {
  return layout.via.map((at, index) => ({
    handle: { kind: 'waypoint', index },
    at,
    label: `Waypoint ${index + 1} of ${layout.via.length}`,
    part: partAlong(points, at),
  }));
}

/** A handle on each long piece, in the middle if the label and the waypoints leave it free. */
function pieces({ layout, points, label }: EditedLine, zoom: number): PlacedHandle[] {
  const isFree = (at: Point) =>
    !layout.via.some(({ x, y }) => Math.hypot(x - at.x, y - at.y) * zoom < MIN_DISTANCE) &&
    !(label && containsPoint(expandRect(label, HANDLE_RADIUS / zoom), at));
  return points.slice(1).flatMap((b, index): PlacedHandle[] => {
    const a = points[index] as Point;
    if (Math.hypot(b.x - a.x, b.y - a.y) * zoom < MIN_PIECE) return [];
    const at = PARTS.map((part) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part })).find(
      isFree,
    );
    if (!at) return [];
    return [{ handle: { kind: 'piece', at }, at, label: 'Add waypoint', part: partAlong(points, at) }];
  });
}

function Handle({
  handle,
  label,
  style,
  children,
}: {
  handle: LineHandle;
  label: string;
  style: CSSProperties;
  children?: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the canvas handles its pointer events, but not those of buttons
    <span
      className={handle.kind === 'label' ? styles.label : styles.handle}
      role="button"
      tabIndex={0}
      aria-label={label}
      title={TITLES[handle.kind]}
      data-line-handle={handleName(handle)}
      style={style}
      onKeyDown={onKeyDown}
    >
      {children}
    </span>
  );
}

const TITLES: Readonly<Record<LineHandle['kind'], string>> = {
  waypoint: 'Drag to move, double-click to remove',
  piece: 'Drag to add a waypoint',
  label: 'Drag along the line, double-click to edit',
};

function onKeyDown(event: KeyboardEvent): void {
  const handle = handleOf(event.currentTarget);
  if (!handle || event.altKey || event.ctrlKey || event.metaKey) return;
  const direction = DIRECTIONS[event.key];
  if (direction) nudgeHandle(handle, direction, event.shiftKey);
  else if (event.key === 'Delete' || event.key === 'Backspace') removeHandle(handle);
  else if ((event.key === 'Enter' || event.key === ' ') && handle.kind === 'label') editSelectedLabel();
  else if (event.key === 'Escape') leave();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function editSelectedLabel(): void {
  const [id] = useView.getState().selectedRelationships;
  if (id !== undefined) editLine(id);
}

/** Returns the focus to the map. The line stays selected. */
function leave(): void {
  cancelInteraction();
  focusComponent(null);
}
