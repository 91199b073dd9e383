/** Moves the selection with the arrow keys. The move is saved when the key is released. */

import { GRID_SIZE } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction } from '@/core/scene/hitTest';
import { setViewport, useCamera } from '../state/camera';
import { useInteraction } from '../state/interaction';
import { useView } from '../state/view';
import { checkCanArrange, commitPlacements, shiftedPositions } from './edits';
import { movedItems, shiftedNotes } from './noteMoves';
import { commitOnRelease } from './release';

const PAN_STEP = 80;

let total = { x: 0, y: 0 };

/**
 * Moves the selection by a quarter of the grid spacing, or by five times the spacing. If nothing is selected, pans the
 * map.
 */
export function nudge(direction: Direction, isFar: boolean): void {
  const step = DIRECTION_STEP[direction];
  const { selectedComponents, selectedNotes } = useView.getState();
  if (selectedComponents.size + selectedNotes.size === 0) {
    const { viewport } = useCamera.getState();
    setViewport({ ...viewport, x: viewport.x - step.x * PAN_STEP, y: viewport.y - step.y * PAN_STEP });
    return;
  }
  if (!checkCanArrange()) return;
  commitOnRelease(commitNudge);
  const length = isFar ? 5 * GRID_SIZE : GRID_SIZE / 4;
  total = { x: total.x + step.x * length, y: total.y + step.y * length };
  const { roots, notes } = movedItems(selectedComponents, selectedNotes);
  const moving = shiftedPositions(roots, total);
  useInteraction.setState({
    moving: moving.size > 0 ? moving : null,
    movingNotes: notes.size > 0 ? shiftedNotes(notes, total) : null,
  });
}

function commitNudge(): void {
  total = { x: 0, y: 0 };
  const { moving, movingNotes } = useInteraction.getState();
  useInteraction.setState({ moving: null, movingNotes: null });
  commitPlacements(moving ?? [], undefined, movingNotes ?? undefined);
}
