/**
 * The session. The access token is kept in memory only and renewed by an HttpOnly cookie. The active organization
 * belongs to the token, so each tab can have a different one.
 */

import { create } from 'zustand';
import { withBase } from './base';
import { ApiError, SERVER_UNREACHABLE } from './errors';
import type { ErrorBody, SessionInfo, SignedIn, SignedInUser } from './generated';
import { updateStandby } from './standby';

interface Session {
  /**
   * `unknown` until renewal with the cookie was attempted; `ended` if the session ended without a sign-out. In that
   * case the page keeps its state, and requests wait until the user has signed in again.
   */
  status: 'unknown' | 'out' | 'in' | 'ended';
  token: string;
  /** Unix milliseconds. */
  expiresAt: number;
  user: SignedInUser | null;
  session: SessionInfo | null;
  /** Whether the session ended because the account was suspended. */
  wasSuspended: boolean;
}

const SIGNED_OUT = {
  status: 'out',
  token: '',
  expiresAt: 0,
  user: null,
  session: null,
  wasSuspended: false,
} as const;
/** How long before expiration a token is renewed, in milliseconds. */
const RENEWAL_MARGIN_MS = 30_000;

export const useSession = create<Session>()(() => ({ ...SIGNED_OUT, status: 'unknown' }));

/** Applies the response of a sign-in, a renewal or a change of organization. */
export function setSignedIn({ token, expiresAt, user, session }: SignedIn): void {
  useSession.setState({ status: 'in', token, expiresAt, user, session, wasSuspended: false });
}

/** Ends the session without a sign-out. The user is kept, so that they can sign in again and continue. */
function endSession(): void {
  const { user } = useSession.getState();
  if (user) useSession.setState({ status: 'ended', token: '', expiresAt: 0 });
  else setSignedOut();
}

/** Waits until the user has signed in again. */
function waitForSession(): Promise<void> {
  return new Promise((resolve) => {
    if (useSession.getState().status !== 'ended') return resolve();
    const stop = useSession.subscribe(({ status }) => {
      if (status === 'ended') return;
      stop();
      resolve();
    });
  });
}

/** Clears the session. */
export function setSignedOut(): void {
  useSession.setState(SIGNED_OUT);
}

/** The access token of a session that is valid for now; otherwise undefined. */
export function currentToken(): string | undefined {
  const { status, token, expiresAt } = useSession.getState();
  return status === 'in' && expiresAt - RENEWAL_MARGIN_MS > Date.now() ? token : undefined;
}

/**
 * A valid access token; empty if signed out. If the session has ended, waits until the user has signed in again, so
 * that no pending request is lost.
 */
export async function accessToken(): Promise<string> {
  for (;;) {
    await waitForSession();
    const token = currentToken();
    if (token !== undefined) return token;
    if (useSession.getState().status === 'out') return '';
    await renewSession();
    // A new token is used even if its lifetime is shorter than the margin.
    if (useSession.getState().status === 'in') return useSession.getState().token;
  }
}

let renewal: Promise<void> | null = null;

/**
 * Requests a new token, optionally for another organization. Concurrent calls share one request. Ends or clears the
 * session if it is no longer valid. Throws without any changes if the server is unreachable.
 */
export function renewSession(orgId?: string | null): Promise<void> {
  if (orgId !== undefined) return requestToken(orgId);
  renewal ??= requestToken(useSession.getState().session?.orgId).finally(() => {
    renewal = null;
  });
  return renewal;
}

async function requestToken(orgId: string | null | undefined): Promise<void> {
  const response = await fetch(withBase('/api/auth/refresh'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(orgId === undefined ? {} : { orgId }),
  }).catch(() => {
    throw new ApiError(0, { error: SERVER_UNREACHABLE });
  });
  if (response.ok) updateStandby('POST', true);
  if (response.status === 204) return endSession();
  if (response.ok) return setSignedIn((await response.json()) as SignedIn);
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  updateStandby('POST', false, body);
  if (response.status !== 401 && response.status !== 403) throw new ApiError(response.status, body);
  endSession();
  useSession.setState({ wasSuspended: body.code === 'account_suspended' });
}
