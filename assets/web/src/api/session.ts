/**
 * Who is signed in. The access token lives in memory alone; a cookie that scripts never see renews it. Each tab may look
 * at another organization, for that belongs to the token.
 */
import { create } from 'zustand';
import { ApiError, UNREACHED } from './errors';
import type { ErrorBody, SessionInfo, SignedIn, SignedInUser } from './generated';

interface Session {
  /** `unknown` until the cookie was tried for the first time. */
  status: 'unknown' | 'out' | 'in';
  token: string;
  /** Unix milliseconds. */
  expiresAt: number;
  user: SignedInUser | null;
  session: SessionInfo | null;
}

const NOBODY = { status: 'out', token: '', expiresAt: 0, user: null, session: null } as const;
/** A token is renewed so long before it runs out, in milliseconds. */
const MARGIN = 30_000;

export const useSession = create<Session>()(() => ({ ...NOBODY, status: 'unknown' }));

/** Takes what a sign-in, a renewal or a change of organization has answered. */
export function signedIn({ token, expiresAt, user, session }: SignedIn): void {
  useSession.setState({ status: 'in', token, expiresAt, user, session });
}

/** Forgets who was signed in. */
export function signedOut(): void {
  useSession.setState(NOBODY);
}

/** A token that is good for some time yet; none when nobody is signed in. */
export async function token(): Promise<string> {
  const { status, token, expiresAt } = useSession.getState();
  if (status === 'in' && expiresAt - MARGIN > Date.now()) return token;
  if (status === 'out') return '';
  await renew();
  return useSession.getState().token;
}

let renewal: Promise<void> | null = null;

/**
 * Asks for a new token, with another organization active if one is given. Whoever asks meanwhile waits for the same
 * answer. When the session has ended nobody is signed in afterwards; when the server is away it throws, and all stays.
 */
export function renew(orgId?: string | null): Promise<void> {
  if (orgId !== undefined) return request(orgId);
  renewal ??= request(useSession.getState().session?.orgId).finally(() => {
    renewal = null;
  });
  return renewal;
}

async function request(orgId: string | null | undefined): Promise<void> {
  const answer = await fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(orgId === undefined ? {} : { orgId }),
  }).catch(() => {
    throw new ApiError(0, { error: UNREACHED });
  });
  if (answer.ok) return signedIn((await answer.json()) as SignedIn);
  if (answer.status === 401 || answer.status === 403) return signedOut();
  throw new ApiError(answer.status, (await answer.json().catch(() => ({}))) as ErrorBody);
}
