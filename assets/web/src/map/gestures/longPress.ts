/** A long press on the map opens its context menu, as the secondary mouse button does. */

import { useInteraction } from '../state/interaction';
import { openContextMenu } from './contextMenu';
import { isInteractiveElement } from './pointer';

/** The duration of a long press, as on mobile systems. */
const LONG_PRESS_MS = 500;
/** Maximum movement of the finger in pixels. */
const MOVE_TOLERANCE = 10;

/** Binds the gesture to the canvas. Returns a function that removes it. */
export function mountLongPress(canvas: HTMLElement): () => void {
  let timer = 0;
  let start = { x: 0, y: 0 };
  /** Whether the menu is open and the finger still down. */
  let hasOpened = false;
  const signal = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const onLongPress = () => {
    stop();
    hasOpened = true;
    // Cancel the gesture that the finger has started.
    canvas.dispatchEvent(new PointerEvent('pointercancel'));
    openContextMenu(start, canvas);
  };
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ) => canvas.addEventListener(name, handle, { capture: true, passive, signal: signal.signal });

  on('pointerdown', (event) => {
    stop();
    if (event.pointerType !== 'touch' || !event.isPrimary || isInteractiveElement(event.target)) return;
    if (useInteraction.getState().preview) return;
    hasOpened = false;
    start = { x: event.clientX, y: event.clientY };
    timer = window.setTimeout(onLongPress, LONG_PRESS_MS);
  });
  on('pointermove', ({ clientX, clientY }) => {
    if (timer && Math.hypot(clientX - start.x, clientY - start.y) > MOVE_TOLERANCE) stop();
  });
  on('pointerup', stop);
  on('pointercancel', stop);
  // Lifting the finger must not click what is under it.
  on(
    'touchend',
    (event) => {
      if (!hasOpened) return;
      hasOpened = false;
      event.preventDefault();
    },
    false,
  );
  return () => {
    stop();
    signal.abort();
  };
}
