/** Where a menu is asked for on the map, and for what. */
import type { MouseEvent } from 'react';
import { create } from 'zustand';
import type { Point } from '@/core/scene/geometry';
import { groupAt, lineAt, nodeAt } from '@/core/scene/hitTest';
import { toMapPoint, useCamera } from '../state/camera';
import { useInteraction } from '../state/interaction';
import { currentRects, currentScene } from '../state/scenes';
import { targetComponent } from '../state/selection';
import { setSelection, useView } from '../state/view';
import { LINE_HIT_DISTANCE } from './pointer';

export interface ContextMenuRequest {
  /** A point of the window. */
  at: Point;
  of: 'components' | 'relationships' | 'map';
  /** The same point on the map, and the box that it is in. */
  place: Point;
  parent: string | null;
  /** What had the keyboard. */
  returnFocus: HTMLElement;
}

export const useContextMenu = create<{ asked: ContextMenuRequest | null }>()(() => ({ asked: null }));

/** Opens the menu for what the pointer, or the keyboard, is on. */
export function handleContextMenu(event: MouseEvent<HTMLElement>): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('input, textarea, a')) return;
  event.preventDefault();
  // Of a finger that rests not every browser tells by this event: `mountLongPress` sees to it.
  if ((event.nativeEvent as PointerEvent).pointerType === 'touch') return;
  const byKey = (event.nativeEvent as PointerEvent).pointerType !== 'mouse' && event.button !== 2;
  openContextMenu(
    (byKey && centerOfSelected()) || { x: event.clientX, y: event.clientY },
    event.currentTarget,
  );
}

/** Opens the menu for what is at a point of the window. What is not selected yet is selected first, alone. */
export function openContextMenu(at: Point, canvas: HTMLElement): void {
  const place = toMapPoint(at);
  const parent = groupAt(currentScene(), currentRects(), place)?.id ?? null;
  const { activeElement } = document;
  const returnFocus =
    activeElement instanceof HTMLElement && canvas.contains(activeElement) ? activeElement : canvas;
  useContextMenu.setState({ asked: { at, of: selectTarget(place), place, parent, returnFocus } });
}

/** The middle of the component with the keyboard, in the window, if it is built of elements. */
function centerOfSelected(): Point | null {
  const id = targetComponent();
  const element = id && document.querySelector(`[data-canvas] [data-component="${CSS.escape(id)}"]`);
  if (!element) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

function selectTarget(place: Point): ContextMenuRequest['of'] {
  const { selectedComponents, selectedRelationships } = useView.getState();
  const node = nodeAt(currentScene(), currentRects(), place);
  if (node) {
    useInteraction.setState({ focused: node.id });
    if (!selectedComponents.has(node.id)) setSelection([node.id]);
    return 'components';
  }
  const lines = lineAt(
    currentScene(),
    currentRects(),
    place,
    LINE_HIT_DISTANCE / useCamera.getState().viewport.zoom,
  );
  if (!lines) return 'map';
  if (!lines.some((id) => selectedRelationships.has(id))) setSelection([], lines);
  return 'relationships';
}
