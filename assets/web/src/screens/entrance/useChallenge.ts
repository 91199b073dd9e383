/** The second step of a sign-in, for as long as the server waits for it. */
import { useEffect, useState } from 'react';
import type { Challenge } from '@/api/generated';

/** The server forgets a challenge after so long, in milliseconds. */
const LIFE = 5 * 60_000;

export function useChallenge() {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [wasLate, setWasLate] = useState(false);
  useEffect(() => {
    if (!challenge) return;
    const late = () => {
      setChallenge(null);
      setWasLate(true);
    };
    const timer = setTimeout(late, LIFE);
    return () => clearTimeout(timer);
  }, [challenge]);
  return {
    challenge,
    /** Whether the last one was forgotten before a code came. */
    wasLate,
    begin: (given: Challenge) => {
      setWasLate(false);
      setChallenge(given);
    },
    leave: () => setChallenge(null),
  };
}

/** What is said then. */
export const LATE = 'The code was not entered within five minutes. Enter your password again.';
