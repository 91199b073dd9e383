/** The drift report in the URL, which makes it linkable. */
import { formatImpactQuery } from '@/core/impact/query';
import { navigate } from '@/routing/location';
import { isNarrow } from '@/ui/breakpoints';
import { isMapOpen, openWorkspacePath } from './location';
import { hideInspector } from './panels';
import { updateQuery } from './playbackUrl';

const NAME = 'report';
const DRIFT = 'drift';

export function isDriftOpen(search: string): boolean {
  return new URLSearchParams(search).get(NAME) === DRIFT;
}

/** Opens the report on the map, and closes other overlays. */
export function openDrift(): void {
  // In narrow windows, the inspector covers the report.
  if (isNarrow()) hideInspector();
  if (!isMapOpen()) {
    navigate(`${openWorkspacePath()}?${new URLSearchParams({ [NAME]: DRIFT })}`);
    return;
  }
  updateQuery({ process: null, step: null, since: null, ...formatImpactQuery(null), [NAME]: DRIFT });
}

export function closeDrift(): void {
  updateQuery({ [NAME]: null });
}
