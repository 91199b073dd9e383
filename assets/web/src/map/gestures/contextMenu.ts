/** The position and target of the context menu on the map. */
import type { MouseEvent } from 'react';
import { create } from 'zustand';
import type { Point } from '@/core/scene/geometry';
import { groupAt } from '@/core/scene/hitTest';
import { toMapPoint } from '../state/camera';
import { useInteraction } from '../state/interaction';
import { currentRects, currentScene } from '../state/scenes';
import { targetComponent, targetNote } from '../state/selection';
import { setSelection, useView } from '../state/view';
import { handleInWindow } from './lineHandles';
import { targetAt } from './target';

export interface ContextMenuRequest {
  /** In window coordinates. */
  at: Point;
  of: 'components' | 'relationships' | 'notes' | 'map';
  /** The same position in map units, and the group that contains it. */
  place: Point;
  parent: string | null;
  /** The element that receives the focus when the menu closes. */
  returnFocus: HTMLElement;
}

export const useContextMenu = create<{ request: ContextMenuRequest | null }>()(() => ({ request: null }));

/** Opens the context menu at the pointer, or, when opened by keyboard, at the selected component. */
export function handleContextMenu(event: MouseEvent<HTMLElement>): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('input, textarea, a')) return;
  event.preventDefault();
  // Not every browser sends this event for touch, so `mountLongPress` handles it.
  if ((event.nativeEvent as PointerEvent).pointerType === 'touch') return;
  const byKey = (event.nativeEvent as PointerEvent).pointerType !== 'mouse' && event.button !== 2;
  openContextMenu(
    (byKey && centerOfSelected()) || { x: event.clientX, y: event.clientY },
    event.currentTarget,
  );
}

/** Opens the context menu for the item at a point in the window, selecting it if necessary. */
export function openContextMenu(at: Point, canvas: HTMLElement): void {
  const place = toMapPoint(at);
  const parent = groupAt(currentScene(), currentRects(), place)?.id ?? null;
  const { activeElement } = document;
  const returnFocus =
    activeElement instanceof HTMLElement && canvas.contains(activeElement) ? activeElement : canvas;
  useContextMenu.setState({ request: { at, of: selectTarget(at, place), place, parent, returnFocus } });
}

/** The center of the selected component or note in the window, if it has an element. */
function centerOfSelected(): Point | null {
  const [component, note] = [targetComponent(), targetNote()];
  const selector = component
    ? `[data-component="${CSS.escape(component)}"]`
    : note && `[data-note="${CSS.escape(note)}"]`;
  const element = selector && document.querySelector(`[data-canvas] ${selector}`);
  if (!element) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** The selected relationship, if one of the handles of its line is at a point in the window. */
function selectedLine(at: Point): readonly string[] | null {
  return handleInWindow(at) ? [...useView.getState().selectedRelationships] : null;
}

function selectTarget(at: Point, place: Point): ContextMenuRequest['of'] {
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  const target = targetAt(place);
  if (target?.kind === 'component') {
    const { id } = target.node;
    useInteraction.setState({ focused: id, focusedNote: null });
    if (!selectedComponents.has(id)) setSelection([id]);
    return 'components';
  }
  const lines = target?.kind === 'line' ? target.ids : selectedLine(at);
  if (target?.kind === 'note' && !lines) {
    const { id } = target.note;
    useInteraction.setState({ focused: null, focusedNote: id });
    if (!selectedNotes.has(id)) setSelection([], [], [id]);
    return selectedComponents.size > 0 && selectedNotes.has(id) ? 'components' : 'notes';
  }
  if (!lines) return 'map';
  if (!lines.some((id) => selectedRelationships.has(id))) setSelection([], lines);
  return 'relationships';
}
