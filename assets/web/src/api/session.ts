/**
 * Who is signed in. The access token lives in memory alone; a cookie that scripts never see renews it. Each tab may look
 * at another organization, for that belongs to the token.
 */
import { create } from 'zustand';
import { ApiError, SERVER_UNREACHABLE } from './errors';
import type { ErrorBody, SessionInfo, SignedIn, SignedInUser } from './generated';

interface Session {
  /**
   * `unknown` until the cookie was tried for the first time; `ended` when somebody was signed in and is not any more,
   * without having asked for it: what they were doing stays on the screen, and requests wait until they are back.
   */
  status: 'unknown' | 'out' | 'in' | 'ended';
  token: string;
  /** Unix milliseconds. */
  expiresAt: number;
  user: SignedInUser | null;
  session: SessionInfo | null;
  /** Why nobody is signed in any more, where the server has said so: whoever it was may not know. */
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
/** A token is renewed so long before it runs out, in milliseconds. */
const RENEWAL_MARGIN_MS = 30_000;

export const useSession = create<Session>()(() => ({ ...SIGNED_OUT, status: 'unknown' }));

/** Takes what a sign-in, a renewal or a change of organization has answered. */
export function setSignedIn({ token, expiresAt, user, session }: SignedIn): void {
  useSession.setState({ status: 'in', token, expiresAt, user, session, wasSuspended: false });
}

/** The session has ended by itself. Who it was stays known, so that they can come back to what they were doing. */
function endSession(): void {
  const { user } = useSession.getState();
  if (user) useSession.setState({ status: 'ended', token: '', expiresAt: 0 });
  else setSignedOut();
}

/** Waits while a session that has ended is not begun again. */
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

/** Forgets who was signed in. */
export function setSignedOut(): void {
  useSession.setState(SIGNED_OUT);
}

/**
 * A token that is good for some time yet; none when nobody is signed in. While a session has ended it waits until its
 * user has signed in again, so that nothing that was on its way is lost.
 */
export async function accessToken(): Promise<string> {
  for (;;) {
    await waitForSession();
    const { status, token, expiresAt } = useSession.getState();
    if (status === 'in' && expiresAt - RENEWAL_MARGIN_MS > Date.now()) return token;
    if (status === 'out') return '';
    await renewSession();
    // A token that lives for less than the margin is good enough when it is new.
    if (useSession.getState().status === 'in') return useSession.getState().token;
  }
}

let renewal: Promise<void> | null = null;

/**
 * Asks for a new token, with another organization active if one is given. Whoever asks meanwhile waits for the same
 * answer. When the session has ended nobody is signed in afterwards; when the server is away it throws, and all stays.
 */
export function renewSession(orgId?: string | null): Promise<void> {
  if (orgId !== undefined) return requestToken(orgId);
  renewal ??= requestToken(useSession.getState().session?.orgId).finally(() => {
    renewal = null;
  });
  return renewal;
}

async function requestToken(orgId: string | null | undefined): Promise<void> {
  const answer = await fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(orgId === undefined ? {} : { orgId }),
  }).catch(() => {
    throw new ApiError(0, { error: SERVER_UNREACHABLE });
  });
  if (answer.status === 204) return endSession();
  if (answer.ok) return setSignedIn((await answer.json()) as SignedIn);
  const body = (await answer.json().catch(() => ({}))) as ErrorBody;
  if (answer.status !== 401 && answer.status !== 403) throw new ApiError(answer.status, body);
  endSession();
  useSession.setState({ wasSuspended: body.code === 'account_suspended' });
}
