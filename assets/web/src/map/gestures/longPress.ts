/** A long press on the map opens its context menu, as the secondary mouse button does. */

import { useInteraction } from '../state/interaction';
import { openContextMenu } from './contextMenu';
import { isInteractiveElement } from './pointer';

/** So long it has to rest, in milliseconds: as on a phone's own screens. */
const LONG_PRESS_MS = 500;
/** Pixels that a finger may tremble meanwhile. */
const MOVE_TOLERANCE = 10;

/** Binds it to the canvas. Answers how to take it off. */
export function mountLongPress(canvas: HTMLElement): () => void {
  let timer = 0;
  let start = { x: 0, y: 0 };
  /** Whether the finger has asked, and is still down. */
  let hasOpened = false;
  const signal = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const onLongPress = () => {
    stop();
    hasOpened = true;
    // Whatever the finger had begun is not what it meant.
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
  // The finger that is lifted must not choose what has come to lie under it.
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
