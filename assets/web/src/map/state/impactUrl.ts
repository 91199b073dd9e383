/** What is asked about dependencies is in the address: a link to a question opens with its answer. */
import { type Question, sayQuestion } from '@/core/impact/question';
import { address } from './playbackUrl';

/** Asks something, instead of whatever else lies over the map. */
export function ask(question: Question): void {
  address({ process: null, step: null, since: null, ...sayQuestion(question) });
}

/** Asks nothing any more. */
export function stopAsking(): void {
  address(sayQuestion(null));
}
