/** Moves the selection with the arrow keys. The move is saved when the key is released. */

import { GRID_SIZE } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction } from '@/core/scene/hitTest';
import { setViewport, useCamera } from '../state/camera';
import { useInteraction } from '../state/interaction';
import { useView } from '../state/view';
import { checkCanEdit, commitPlacements, shiftedPositions } from './edits';
import { commitOnRelease } from './release';

const PAN_STEP = 80;

let total = { x: 0, y: 0 };

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
  commitOnRelease(commitNudge);
  const length = isFar ? 5 * GRID_SIZE : GRID_SIZE / 4;
  total = { x: total.x + step.x * length, y: total.y + step.y * length };
  useInteraction.setState({ moving: shiftedPositions(ids, total) });
}

function commitNudge(): void {
  total = { x: 0, y: 0 };
  const { moving } = useInteraction.getState();
  useInteraction.setState({ moving: null });
  if (moving) commitPlacements(moving);
}
