/** The comparison of a draft with its base on the map, in the URL, which makes it linkable. */
import type { DraftChange } from '@/api/generated';
import { formatImpactQuery } from '@/core/impact/query';
import { navigate } from '@/routing/location';
import { isNarrow } from '@/ui/breakpoints';
import { isMapOpen, openWorkspacePath } from './location';
import { hideInspector } from './panels';
import { updateQuery } from './playbackUrl';

const NAME = 'compare';
const BASE = 'base';

/** The query of the map of a draft that shows the comparison. */
const COMPARE_QUERY = `?${NAME}=${BASE}`;

const SELECTION = { component: 'c', relationship: 'r', note: 'n' } as const;

/** The query of the map of a draft that selects a changed row; null if the map does not show it. */
export function changedRowQuery(change: DraftChange): string | null {
  const { kind, row } = change;
  if (change.change === 'removed') return null;
  const component = kind === 'stakeholder' || kind === 'link' ? row?.componentId : undefined;
  if (typeof component === 'string') return query('c', component);
  if (kind !== 'component' && kind !== 'relationship' && kind !== 'note') return null;
  return query(SELECTION[kind], change.draftRowId ?? change.id);
}

function query(name: string, id: string): string {
  return `?${new URLSearchParams({ [NAME]: BASE, [name]: id })}`;
}

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

/** The path of the map of a draft with the comparison, which moves the map to the changes. */
export function requestDraftComparison(mapPath: string): string {
  isRequested = true;
  return mapPath + COMPARE_QUERY;
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
