/** The state of the impact view in the URL, which makes it linkable. */
import { formatImpactQuery, type ImpactQuery } from '@/core/impact/query';
import { updateQuery } from './playbackUrl';

/** Opens the impact view and closes other overlays. */
export function openImpact(question: ImpactQuery): void {
  updateQuery({ process: null, step: null, since: null, ...formatImpactQuery(question) });
}

/** Closes the impact view. */
export function closeImpact(): void {
  updateQuery(formatImpactQuery(null));
}
