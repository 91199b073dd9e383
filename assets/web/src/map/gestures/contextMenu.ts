/** Where a menu is asked for on the map, and for what. */
import type { MouseEvent } from 'react';
import { create } from 'zustand';
import type { Point } from '@/core/scene/geometry';
import { boxAt, lineAt, nodeAt } from '@/core/scene/hitTest';
import { toMap, useCamera } from '../state/camera';
import { useHold } from '../state/interaction';
import { currentPlaces, currentScene } from '../state/scenes';
import { theOne } from '../state/selection';
import { select, useView } from '../state/view';
import { REACH } from './pointer';

export interface Asked {
  /** A point of the window. */
  at: Point;
  of: 'components' | 'relationships' | 'map';
  /** The same point on the map, and the box that it is in. */
  place: Point;
  parent: string | null;
  /** What had the keyboard. */
  back: HTMLElement;
}

export const useMapMenu = create<{ asked: Asked | null }>()(() => ({ asked: null }));

/** Opens the menu for what the pointer, or the keyboard, is on. */
export function askForMenu(event: MouseEvent<HTMLElement>): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('input, textarea, a')) return;
  event.preventDefault();
  // Of a finger that rests not every browser tells by this event: `mountRest` sees to it.
  if ((event.nativeEvent as PointerEvent).pointerType === 'touch') return;
  const byKey = (event.nativeEvent as PointerEvent).pointerType !== 'mouse' && event.button !== 2;
  menuAt((byKey && placeOfSelected()) || { x: event.clientX, y: event.clientY }, event.currentTarget);
}

/** Opens the menu for what is at a point of the window. What is not selected yet is selected first, alone. */
export function menuAt(at: Point, canvas: HTMLElement): void {
  const place = toMap(at);
  const parent = boxAt(currentScene(), currentPlaces(), place)?.id ?? null;
  const { activeElement } = document;
  const back =
    activeElement instanceof HTMLElement && canvas.contains(activeElement) ? activeElement : canvas;
  useMapMenu.setState({ asked: { at, of: meant(place), place, parent, back } });
}

/** The middle of the component with the keyboard, in the window, if it is built of elements. */
function placeOfSelected(): Point | null {
  const id = theOne();
  const element = id && document.querySelector(`[data-canvas] [data-component="${CSS.escape(id)}"]`);
  if (!element) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

function meant(place: Point): Asked['of'] {
  const { selectedComponents, selectedRelationships } = useView.getState();
  const node = nodeAt(currentScene(), currentPlaces(), place);
  if (node) {
    useHold.setState({ focused: node.id });
    if (!selectedComponents.has(node.id)) select([node.id]);
    return 'components';
  }
  const lines = lineAt(currentScene(), currentPlaces(), place, REACH / useCamera.getState().viewport.zoom);
  if (!lines) return 'map';
  if (!lines.some((id) => selectedRelationships.has(id))) select([], lines);
  return 'relationships';
}
