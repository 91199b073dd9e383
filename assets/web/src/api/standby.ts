/**
 * Whether the server is a standby: it answers only reads, and rejects every write until it replaces the primary server.
 * Known from the responses, because a proxy or the DNS can direct an open page to another server at any time.
 */
import { create } from 'zustand';
import type { ErrorBody } from './generated';

interface Standby {
  /** The message of the server, which says where to make changes; empty if the server accepts changes. */
  message: string;
}

export const useStandby = create<Standby>()(() => ({ message: '' }));

/** The code of the error with which a standby rejects a write. */
export const STANDBY = 'standby';

const READS = ['GET', 'HEAD'];

/** Evaluates a response. `body` is that of an error. */
export function updateStandby(
  method: string | undefined,
  isOk: boolean,
  body: Partial<ErrorBody> = {},
): void {
  if (body.code === STANDBY) useStandby.setState({ message: body.error ?? '' });
  else if (isOk && method && !READS.includes(method)) useStandby.setState({ message: '' });
}
