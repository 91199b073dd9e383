/** The second step of a sign-in, until the challenge expires. */
import { useEffect, useState } from 'react';
import type { Challenge } from '@/api/generated';

/** How long the server keeps a challenge, in milliseconds. */
const CHALLENGE_LIFETIME_MS = 5 * 60_000;

export function useChallenge() {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [hasExpired, setWasLate] = useState(false);
  useEffect(() => {
    if (!challenge) return;
    const late = () => {
      setChallenge(null);
      setWasLate(true);
    };
    const timer = setTimeout(late, CHALLENGE_LIFETIME_MS);
    return () => clearTimeout(timer);
  }, [challenge]);
  return {
    challenge,
    /** Whether the last challenge expired before a code was entered. */
    wasLate: hasExpired,
    begin: (newChallenge: Challenge) => {
      setWasLate(false);
      setChallenge(newChallenge);
    },
    leave: () => setChallenge(null),
  };
}

/** The message for an expired challenge. */
export const CHALLENGE_EXPIRED = 'The code was not entered within five minutes. Enter your password again.';
