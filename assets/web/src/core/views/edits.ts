/** New views and tours, and the operations that change them. */
import { updateOperation } from '../model/edits';
import { newProcessId } from '../process/newProcess';
import type { Fields, Operation } from '../sync/operation';
import { inOrder, type Tour, type View, type ViewDefinition } from '../sync/viewRows';

/** A view without rules: every component, with the positions of the map. */
export const EVERYTHING: ViewDefinition = {
  include: [],
  exclude: [],
  relationTypes: null,
  outside: 'hidden',
  collapsed: [],
  colorBy: null,
  show: {},
};

/** The distance between the positions of two new views in their list. */
export const POSITION_STEP = 2 ** 20;

/** IDs that the server reserves. */
const RESERVED: readonly string[] = ['all', 'personal'];

/** A valid and unused ID of a view or tour. */
export function newViewId(name: string, isTaken: (id: string) => boolean, fallback = 'view'): string {
  return newProcessId(name, (id) => RESERVED.includes(id) || isTaken(id), fallback);
}

/** The position behind all others. */
export function lastPosition(rows: Iterable<Positioned>): number {
  return Math.max(0, ...[...rows].map(({ position }) => position)) + POSITION_STEP;
}

type Positioned = Pick<View, 'id' | 'position'>;

/**
 * The new positions of rows when one is moved to an index of the list without it. Usually one; all of them if there is
 * no number left between its new neighbors.
 */
export function movedPositions(rows: Iterable<Positioned>, id: string, index: number): Map<string, number> {
  const ordered = inOrder(rows);
  const others = ordered.filter((row) => row.id !== id);
  const at = Math.max(0, Math.min(index, others.length));
  if (ordered[at]?.id === id) return new Map();
  const before = others[at - 1]?.position;
  const after = others[at]?.position;
  const between =
    after === undefined
      ? (before ?? 0) + POSITION_STEP
      : before === undefined
        ? after - POSITION_STEP
        : Math.floor((before + after) / 2);
  if (after === undefined || before === undefined || (between > before && between < after))
    return new Map([[id, between]]);
  const ids = others.map((row) => row.id);
  ids.splice(at, 0, id);
  return new Map(ids.map((rowId, place) => [rowId, (place + 1) * POSITION_STEP]));
}

/** Changes fields of a view. */
export function updateView(view: View, fields: Partial<View>): Operation[] {
  return updateOperation('view', view.id, view, fields as Fields);
}

export function updateTour(tour: Tour, fields: Partial<Tour>): Operation[] {
  return updateOperation('tour', tour.id, tour, fields as Fields);
}
