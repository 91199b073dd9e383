/** Arrow keys move what is selected. A key that is held is one gesture: it is saved when it is let go. */

import { GRID } from '@/core/scene/geometry';
import { type Direction, STEP } from '@/core/scene/hitTest';
import { look, useCamera } from '../state/camera';
import { useHold } from '../state/interaction';
import { useView } from '../state/view';
import { commitMoves, mayEdit, shifted } from './edits';

/** Whoever calls without a key (a palette) is done after this pause. */
const PAUSE = 600;
const PAN = 80;

let total = { x: 0, y: 0 };
let timer: ReturnType<typeof setTimeout> | undefined;

/** Moves what is selected by a step of the grid, or by five; with nothing selected the map pans. */
export function nudge(direction: Direction, isFar: boolean): void {
  const step = STEP[direction];
  const ids = useView.getState().selectedComponents;
  if (ids.size === 0) {
    const { viewport } = useCamera.getState();
    look({ ...viewport, x: viewport.x - step.x * PAN, y: viewport.y - step.y * PAN });
    return;
  }
  if (!mayEdit()) return;
  const length = isFar ? 5 * GRID : GRID / 4;
  total = { x: total.x + step.x * length, y: total.y + step.y * length };
  useHold.setState({ moving: shifted(ids, total) });
  window.addEventListener('keyup', release);
  window.addEventListener('blur', release);
  clearTimeout(timer);
  timer = setTimeout(release, PAUSE);
}

function release(event?: Event): void {
  if (event instanceof KeyboardEvent && !event.key.startsWith('Arrow')) return;
  clearTimeout(timer);
  window.removeEventListener('keyup', release);
  window.removeEventListener('blur', release);
  total = { x: 0, y: 0 };
  const { moving } = useHold.getState();
  useHold.setState({ moving: null });
  if (moving) commitMoves([...moving].map(([id, place]) => ({ id, ...place })));
}
