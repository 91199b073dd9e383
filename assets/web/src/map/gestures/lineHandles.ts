/** Moving the handles of the selected line, by pointer and by keyboard. */
import type { Point, Rect } from '@/core/scene/geometry';
import { center, GRID_SIZE } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction } from '@/core/scene/hitTest';
import { type LineLayout, MAX_WAYPOINTS, partAlong, waypointIndex } from '@/core/scene/lineLayout';
import { distanceToPath } from '@/core/scene/linePath';
import { snap } from '@/core/scene/snap';
import { showToast } from '@/ui/Toasts';
import { setLineLayout } from '../edits/lineLayout';
import { editLine } from '../edits/relationships';
import { commitOnRelease } from '../edits/release';
import { useCamera } from '../state/camera';
import { type EditedLine, editedLine } from '../state/editedLine';
import { useInteraction } from '../state/interaction';
import { currentRects } from '../state/scenes';

/** The part of a line that is moved. */
export type LineHandle =
  | { kind: 'waypoint'; index: number }
  /** A new waypoint at a point of the line. */
  | { kind: 'piece'; at: Point }
  | { kind: 'label' };

/** Maximum distance in pixels from which a waypoint aligns with an end of the line or another waypoint. */
const SNAP_DISTANCE = 6;

/** The handle that an element represents. */
export function handleOf(target: EventTarget | null): LineHandle | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-line-handle]') : null;
  const [kind, first, second] = element?.dataset.lineHandle?.split(' ') ?? [];
  if (kind === 'waypoint') return { kind, index: Number(first) };
  if (kind === 'piece') return { kind, at: { x: Number(first), y: Number(second) } };
  return kind === 'label' ? { kind } : null;
}

/** The handle at a point in the window. */
export function handleInWindow({ x, y }: Point): LineHandle | null {
  return handleOf(document.elementFromPoint(x, y));
}

/** The value of the attribute `data-line-handle`. */
export function handleName(handle: LineHandle): string {
  if (handle.kind === 'waypoint') return `waypoint ${handle.index}`;
  return handle.kind === 'piece' ? `piece ${handle.at.x} ${handle.at.y}` : 'label';
}

/** The handle at a point of the selected line, within `reach`. */
export function handleAt(point: Point, reach: number): LineHandle | null {
  const edited = editedLine();
  if (!edited) return null;
  const isNear = distanceToPath({ points: edited.points, isCurve: false }, point) <= reach;
  return isNear ? { kind: 'piece', at: point } : null;
}

/** The layout after a handle of a line is moved to a point. */
export function movedHandle(
  { line, layout, points }: EditedLine,
  handle: LineHandle,
  to: Point,
  isFree: boolean,
): LineLayout {
  if (handle.kind === 'label') return { ...layout, labelAt: Math.round(partAlong(points, to) * 1000) / 1000 };
  const isNew = handle.kind === 'piece';
  const index = isNew ? waypointIndex(points, layout.via, handle.at) : handle.index;
  const others = isNew ? layout.via : layout.via.toSpliced(index, 1);
  const rects = currentRects();
  const ends = [rects[line.from] as Rect, rects[line.to] as Rect].map(center);
  const waypoint = isFree ? { x: Math.round(to.x), y: Math.round(to.y) } : aligned(to, [...ends, ...others]);
  return { ...layout, via: others.toSpliced(index, 0, waypoint) };
}

/** Aligns a point with other points, or with the grid. */
function aligned(point: Point, others: readonly Point[]): Point {
  const rect = (at: Point): Rect => ({ ...at, width: 0, height: 0 });
  const reach = SNAP_DISTANCE / useCamera.getState().viewport.zoom;
  const { by } = snap(rect(point), { x: 0, y: 0 }, others.map(rect), reach);
  return { x: point.x + by.x, y: point.y + by.y };
}

/** A drag of a handle of the selected line; null if there is none, or if the line has too many waypoints. */
export function startHandleDrag(
  handle: LineHandle,
): { move(to: Point, isFree: boolean): void; end(): void } | null {
  const edited = editedLine();
  if (!edited || !canAdd(edited, handle)) return null;
  const { id } = edited.line;
  return {
    move: (to, isFree) =>
      useInteraction.setState({ lineDraft: { id, layout: movedHandle(edited, handle, to, isFree) } }),
    end: () => {
      commitDraft();
      if (handle.kind === 'piece')
        focusHandle({ kind: 'waypoint', index: waypointIndex(edited.points, edited.layout.via, handle.at) });
    },
  };
}

function canAdd({ layout }: EditedLine, { kind }: LineHandle): boolean {
  if (kind !== 'piece' || layout.via.length < MAX_WAYPOINTS) return true;
  showToast(`A line can have at most ${MAX_WAYPOINTS} waypoints.`);
  return false;
}

function commitDraft(): void {
  const { lineDraft } = useInteraction.getState();
  useInteraction.setState({ lineDraft: null });
  if (lineDraft) setLineLayout(lineDraft.id, lineDraft.layout);
}

/** Moves a handle with an arrow key. The change is saved when the key is released. */
export function nudgeHandle(handle: LineHandle, direction: Direction, isFar: boolean): void {
  commitOnRelease(commitDraft);
  const edited = editedLine(({ label }) => label || 'type');
  if (!edited || !canAdd(edited, handle)) return;
  const length = isFar ? 5 * GRID_SIZE : GRID_SIZE / 4;
  const step = DIRECTION_STEP[direction];
  const { id } = edited.line;
  if (handle.kind === 'label') {
    const { layout, label, points } = edited;
    const by = ((step.x + step.y) * length) / Math.max(1, lengthOf(points));
    const before = layout.labelAt ?? (label ? partAlong(points, center(label)) : 0.5);
    const labelAt = Math.round(Math.min(1, Math.max(0, before + by)) * 1000) / 1000;
    useInteraction.setState({ lineDraft: { id, layout: { ...layout, labelAt } } });
  } else {
    const { x, y } = handle.kind === 'piece' ? handle.at : (edited.layout.via[handle.index] as Point);
    const to = { x: x + step.x * length, y: y + step.y * length };
    useInteraction.setState({ lineDraft: { id, layout: movedHandle(edited, handle, to, true) } });
    if (handle.kind === 'piece')
      focusHandle({ kind: 'waypoint', index: waypointIndex(edited.points, edited.layout.via, handle.at) });
  }
}

function lengthOf(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, { x, y }, at) => {
    const before = points[at] as Point;
    return sum + Math.hypot(x - before.x, y - before.y);
  }, 0);
}

/** Removes a waypoint, or resets the position of the label. */
export function removeHandle(handle: LineHandle): void {
  const edited = editedLine();
  if (!edited || handle.kind === 'piece') return;
  const { line, layout } = edited;
  if (handle.kind === 'label') {
    setLineLayout(line.id, { ...layout, labelAt: undefined });
    return;
  }
  setLineLayout(line.id, { ...layout, via: layout.via.toSpliced(handle.index, 1) }, 'Remove waypoint');
  if (layout.via.length > 1)
    focusHandle({ kind: 'waypoint', index: Math.min(handle.index, layout.via.length - 2) });
  else focusFirstHandle();
}

/** A double-click removes a waypoint; elsewhere on the line, it edits the label. */
export function openHandle(handle: LineHandle): void {
  const edited = editedLine();
  if (handle.kind === 'waypoint') removeHandle(handle);
  else if (edited) editLine(edited.line.id);
}

/** Focuses the first handle of the selected line. */
export function focusFirstHandle(): void {
  focusSoon('[data-line-handle]');
}

function focusHandle(handle: LineHandle): void {
  focusSoon(`[data-line-handle="${handleName(handle)}"]`);
}

/** Focuses an element once it exists. */
function focusSoon(selector: string): void {
  let tries = 0;
  const attempt = () => {
    const element = document.querySelector<HTMLElement>(`[data-canvas] ${selector}`);
    element?.focus({ preventScroll: true });
    if (!element && tries++ < 40) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
