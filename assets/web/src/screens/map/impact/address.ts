/** The state of the impact view in the URL, so that it can be linked. */
import { type Question, sayQuestion } from '@/core/impact/question';
import { address } from '../playback/address';

/** Opens the impact view in place of other overlays. */
export function ask(question: Question): void {
  address({ process: null, step: null, since: null, ...sayQuestion(question) });
}

/** Closes the impact view. */
export function stopAsking(): void {
  address(sayQuestion(null));
}
