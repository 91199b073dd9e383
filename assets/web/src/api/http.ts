/** The one way to the server: every call of `generated.ts` comes through here. */
import { ApiError, SERVER_UNREACHABLE } from './errors';
import type { ErrorBody } from './generated';
import { accessToken, renewSession, useSession } from './session';

/** What a caller adds to a request. */
export interface RequestOptions extends RequestInit {
  /** Milliseconds after which a request is given up; 30 s unless told, 0 for never. */
  timeout?: number;
  /** Goes without a token, also while a session that has ended makes all else wait. */
  anonymous?: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Sends a request with the caller's token and reads the answer. Throws `ApiError`. */
export async function http<T>(url: string, options: RequestOptions = {}): Promise<T> {
  return (await (await send(url, options)).json()) as T;
}

/** The same, for answers that are not JSON, or whose headers matter. Throws unless the answer is a success. */
export async function send(url: string, options: RequestOptions = {}): Promise<Response> {
  let answer = await attempt(url, options);
  if (answer.status === 401 && !options.anonymous && hasSession()) {
    // Revoked, or older than it thought: one new token (or another sign-in, if it comes to that), and one more try.
    if (useSession.getState().status === 'in') await renewSession();
    if (hasSession()) answer = await attempt(url, options);
  }
  if (answer.ok) return answer;
  const body = (await answer.json().catch(() => ({}))) as ErrorBody;
  const wait = Number(answer.headers.get('Retry-After'));
  throw new ApiError(answer.status, body, wait > 0 ? wait * 1000 : undefined);
}

function hasSession(): boolean {
  const { status } = useSession.getState();
  return status === 'in' || status === 'ended';
}

async function attempt(
  url: string,
  { timeout = DEFAULT_TIMEOUT_MS, anonymous = false, ...init }: RequestOptions,
): Promise<Response> {
  const headers = new Headers(init.headers);
  const credential = anonymous ? '' : await accessToken();
  if (credential) headers.set('Authorization', `Bearer ${credential}`);
  const limit = timeout > 0 ? [AbortSignal.timeout(timeout)] : [];
  const signal = AbortSignal.any([...limit, ...(init.signal ? [init.signal] : [])]);
  try {
    return await fetch(url, { ...init, headers, signal });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, { error: SERVER_UNREACHABLE });
  }
}
