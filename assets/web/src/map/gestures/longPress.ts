/** Opens the context menu of the map on long press, like a right click. */

import { useInteraction } from '../state/interaction';
import { openContextMenu } from './contextMenu';
import { isInteractiveElement } from './pointer';

/** Same duration as on mobile systems. */
const LONG_PRESS_MS = 500;
/** Maximum movement during a long press, in pixels. */
const MOVE_TOLERANCE = 10;

/** Binds the gesture to the canvas. Returns a function that removes it. */
export function mountLongPress(canvas: HTMLElement): () => void {
  let timer = 0;
  let start = { x: 0, y: 0 };
  /** Whether the menu is open while the touch continues. */
  let hasOpened = false;
  const signal = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const onLongPress = () => {
    stop();
    hasOpened = true;
    // Cancel the gesture that the touch has started.
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
  // Prevent a click when the touch ends.
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
