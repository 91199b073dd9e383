/** What came of connecting the wiki, as the word in the address says: in a sentence, for whoever came back. */
import { truncate } from '@/core/text';

export interface Outcome {
  good: boolean;
  text: string;
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  connected: { good: true, text: 'The wiki is connected. Links to its pages have their titles from now on.' },
  bad_state: {
    good: false,
    text: 'This was begun in another browser, too long ago, or finished already. Begin again.',
  },
  missing_code: { good: false, text: 'The wiki sent you back without saying that you agreed. Begin again.' },
  not_admin: { good: false, text: 'Only administrators of the organization connect its wiki.' },
  misconfigured: {
    good: false,
    text: 'This server is no longer registered at Notion. Whoever runs it does that with planroom wiki setup.',
  },
  token_exchange_failed: {
    good: false,
    text: 'The wiki could not be asked, or did not take what it had given you. Begin again; if that fails too, the server’s client secret may be wrong: planroom wiki setup checks it.',
  },
  access_denied: { good: false, text: 'You did not agree, so nothing was connected.' },
};

/** The sentence for a word; none without a word. Words of the provider that nobody knows here stand as they are. */
export function wikiOutcome(word: string | null): Outcome | undefined {
  if (!word) return undefined;
  const known = Object.hasOwn(OUTCOMES, word) ? OUTCOMES[word] : undefined;
  return known ?? { good: false, text: `The wiki refused: ${truncate(word, 60)}.` };
}
