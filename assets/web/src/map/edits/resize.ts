/** Saves the size of groups, and resizes the selected group by keyboard. */

import { GRID_SIZE, type Point } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction } from '@/core/scene/hitTest';
import { occupiedArea, resizedRect } from '@/core/scene/resize';
import { useInteraction } from '../state/interaction';
import { committedRects, currentScene } from '../state/scenes';
import { checkCanEdit, commitPlacements, rows, short } from './edits';
import { commitOnRelease } from './release';
import { rectOf } from './room';

/** Saves the size that is shown. */
export function commitResize(): void {
  const { moving } = useInteraction.getState();
  useInteraction.setState({ moving: null });
  const [id] = moving?.keys() ?? [];
  if (moving && id !== undefined)
    commitPlacements(moving, `Resize “${short(rows().component.get(id)?.name ?? id)}”`);
}

let total: Point = { x: 0, y: 0 };

/** Moves the right or bottom edge of a group by a grid step. The size is saved when the key is released. */
export function resizeByKey(id: string, direction: Direction): void {
  if (!checkCanEdit()) return;
  commitOnRelease(commitKeys);
  const rect = rectOf(id);
  if (!rect) return;
  const step = DIRECTION_STEP[direction];
  const occupied = occupiedArea(currentScene(), committedRects(), id);
  const next = { x: total.x + step.x * GRID_SIZE, y: total.y + step.y * GRID_SIZE };
  const to = resizedRect(rect, occupied, { x: next.x === 0 ? 0 : 1, y: next.y === 0 ? 0 : 1 }, next);
  // Steps beyond the minimum size do not count.
  total = { x: to.width - rect.width, y: to.height - rect.height };
  useInteraction.setState({ moving: new Map([[id, to]]) });
}

function commitKeys(): void {
  total = { x: 0, y: 0 };
  commitResize();
}
