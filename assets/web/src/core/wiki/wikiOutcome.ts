/** The outcome of connecting the wiki, from the redirect URL, as text for the user. */
import { truncate } from '@/core/text';

export interface WikiOutcome {
  good: boolean;
  text: string;
}

const OUTCOMES: Readonly<Record<string, WikiOutcome>> = {
  connected: { good: true, text: 'Wiki connected. Links to its pages now show their titles.' },
  bad_state: {
    good: false,
    text: 'This authorization was started in another browser, has expired or was already completed. Start again.',
  },
  missing_code: { good: false, text: 'The wiki did not return an authorization code. Start again.' },
  not_admin: { good: false, text: 'Only organization administrators can connect the wiki.' },
  misconfigured: {
    good: false,
    text: 'This server is no longer registered with Notion. The server operator can register it with planroom wiki setup.',
  },
  token_exchange_failed: {
    good: false,
    text: 'The wiki is unreachable or rejected the authorization code. Start again. If it fails again, the client secret of the server may be wrong; planroom wiki setup checks it.',
  },
  access_denied: { good: false, text: 'Authorization was denied. The wiki is not connected.' },
};

/** The message for an outcome, if any. Unknown provider codes are shown unchanged. */
export function wikiOutcome(word: string | null): WikiOutcome | undefined {
  if (!word) return undefined;
  const known = Object.hasOwn(OUTCOMES, word) ? OUTCOMES[word] : undefined;
  return known ?? { good: false, text: `The wiki returned an error: ${truncate(word, 60)}.` };
}
