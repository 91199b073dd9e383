/** Edits of tours. Each is one undo step. */
import type { Tour, TourStop } from '@/core/sync/viewRows';
import { lastPosition, newViewId, updateTour } from '@/core/views/edits';
import { showError, showToast } from '@/ui/Toasts';
import { useWorkspace, edit as write } from '@/workspace/store';
import { undoEdit } from '@/workspace/undo';
import { checkCanEdit, short } from './edits';

/** What a tour editor writes. */
export type TourFields = Pick<Tour, 'name' | 'stops'>;

function tours(): ReadonlyMap<string, Tour> {
  return useWorkspace.getState().rows?.tour ?? new Map();
}

/** Creates a tour and returns its ID; undefined if the user cannot edit. */
export function createTour({ name, stops }: TourFields): string | undefined {
  if (!checkCanEdit()) return undefined;
  const id = newViewId(name, (taken) => tours().has(taken), 'tour');
  const position = lastPosition(tours().values());
  write(`Create tour “${short(name)}”`, [
    { op: 'create', kind: 'tour', id, fields: { name: name.trim(), stops, position } },
  ]);
  return id;
}

export function saveTour(id: string, { name, stops }: TourFields): void {
  const tour = tours().get(id);
  if (!tour || !checkCanEdit()) return;
  const operations = updateTour(tour, { name: name.trim(), stops });
  if (operations.length > 0) write(`Change tour “${short(name)}”`, operations);
}

export function deleteTour(id: string): void {
  const tour = tours().get(id);
  if (!tour || !checkCanEdit()) return;
  const fields = { name: tour.name };
  const editId = write(`Delete tour “${short(tour.name)}”`, [
    { op: 'delete', kind: 'tour', id, base: tour.revision, fields },
  ]);
  showToast(`Tour “${short(tour.name)}” deleted`, {
    label: 'Undo',
    run: () => void undoEdit(editId).catch(showError),
  });
}

/** An unused ID of a stop. */
export function newStopId(stops: readonly TourStop[]): string {
  for (let number = stops.length + 1; ; number++)
    if (!stops.some(({ id }) => id === `s${number}`)) return `s${number}`;
}
