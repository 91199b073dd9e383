/** The comparison of a draft with its base on the map, in the URL, which makes it linkable. */
import { formatImpactQuery } from '@/core/impact/query';
import { navigate } from '@/routing/location';
import { isNarrow } from '@/ui/breakpoints';
import { isMapOpen, openWorkspacePath } from './location';
import { hideInspector } from './panels';
import { updateQuery } from './playbackUrl';

const NAME = 'compare';
const BASE = 'base';

/** The query of the map of a draft that shows the comparison. */
export const COMPARE_QUERY = `?${NAME}=${BASE}`;

/** Other overlays have their own highlights, and past states are not compared. */
const OTHER_OVERLAYS = ['process', 'since', 'past', 'impact', 'report', 'tour'];

export function isDraftComparisonOpen(search: string): boolean {
  const query = new URLSearchParams(search);
  return query.get(NAME) === BASE && !OTHER_OVERLAYS.some((name) => query.has(name));
}

/** Whether the user has just asked for the comparison, which then moves the map to the changes. */
let isRequested = false;

export function takeComparisonRequest(): boolean {
  const was = isRequested;
  isRequested = false;
  return was;
}

/** Shows the comparison on the map, and closes other overlays. */
export function openDraftComparison(): void {
  isRequested = true;
  // In narrow windows, the inspector covers the comparison.
  if (isNarrow()) hideInspector();
  if (!isMapOpen()) {
    navigate(`${openWorkspacePath()}${COMPARE_QUERY}`);
    return;
  }
  const others = Object.fromEntries([...OTHER_OVERLAYS, 'step'].map((name) => [name, null]));
  updateQuery({ ...others, ...formatImpactQuery(null), [NAME]: BASE });
}

export function closeDraftComparison(): void {
  updateQuery({ [NAME]: null });
}
