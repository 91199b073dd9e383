/** What lists say about a share link: its expiry and how often it was opened. */
import type { ReactNode } from 'react';
import type { ShareLink } from '@/api/generated';
import { formatCount } from '@/core/text';
import { formatDay } from '@/core/time/format';
import { RelativeTime } from './RelativeTime';

type Expiry = Pick<ShareLink, 'expiresAt' | 'state'>;
type Uses = Pick<ShareLink, 'uses' | 'lastUsedDay'>;

export function expiryFact({ expiresAt, state }: Expiry): ReactNode {
  if (expiresAt === null) return 'Never expires';
  return (
    <>
      {state === 'expired' ? 'Expired' : 'Expires'} {formatDay(expiresAt)} (<RelativeTime time={expiresAt} />)
    </>
  );
}

export function usesFact({ uses, lastUsedDay }: Uses): string {
  if (uses === 0) return 'Not opened yet';
  // The server counts days in UTC.
  const last = lastUsedDay ? `, last on ${formatDay(Date.parse(lastUsedDay), 'UTC')}` : '';
  return `Opened ${formatCount(uses, 'time')}${last}`;
}
