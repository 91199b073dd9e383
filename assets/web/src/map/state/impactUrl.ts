/** What is asked about dependencies is in the address: a link to a question opens with its answer. */
import { formatImpactQuery, type ImpactQuery } from '@/core/impact/question';
import { updateQuery } from './playbackUrl';

/** Asks something, instead of whatever else lies over the map. */
export function openImpact(question: ImpactQuery): void {
  updateQuery({ process: null, step: null, since: null, ...formatImpactQuery(question) });
}

/** Asks nothing any more. */
export function closeImpact(): void {
  updateQuery(formatImpactQuery(null));
}
