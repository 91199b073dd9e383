/** Moves the selection with the arrow keys. The move is saved when the key is released. */

import { GRID_SIZE } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction } from '@/core/scene/hitTest';
import { setViewport, useCamera } from '../state/camera';
import { useInteraction } from '../state/interaction';
import { useView } from '../state/view';
import { checkCanEdit, commitMoves, shiftedPositions } from './edits';

/** Delay before saving if the action was not triggered by a key, for example from the command palette. */
const COMMIT_DELAY_MS = 600;
const PAN_STEP = 80;

let total = { x: 0, y: 0 };
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Moves the selection by a quarter of the grid spacing, or by five times the spacing. If nothing is selected, pans the
 * map.
 */
export function nudge(direction: Direction, isFar: boolean): void {
  const step = DIRECTION_STEP[direction];
  const ids = useView.getState().selectedComponents;
  if (ids.size === 0) {
    const { viewport } = useCamera.getState();
    setViewport({ ...viewport, x: viewport.x - step.x * PAN_STEP, y: viewport.y - step.y * PAN_STEP });
    return;
  }
  if (!checkCanEdit()) return;
  const length = isFar ? 5 * GRID_SIZE : GRID_SIZE / 4;
  total = { x: total.x + step.x * length, y: total.y + step.y * length };
  useInteraction.setState({ moving: shiftedPositions(ids, total) });
  window.addEventListener('keyup', release);
  window.addEventListener('blur', release);
  clearTimeout(timer);
  timer = setTimeout(release, COMMIT_DELAY_MS);
}

function release(event?: Event): void {
  if (event instanceof KeyboardEvent && !event.key.startsWith('Arrow')) return;
  clearTimeout(timer);
  window.removeEventListener('keyup', release);
  window.removeEventListener('blur', release);
  total = { x: 0, y: 0 };
  const { moving } = useInteraction.getState();
  useInteraction.setState({ moving: null });
  if (moving) commitMoves([...moving].map(([id, place]) => ({ id, ...place })));
}
