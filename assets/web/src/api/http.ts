/** The HTTP client of all functions in `generated.ts`. */
import { withBase } from './base';
import { ApiError, SERVER_UNREACHABLE } from './errors';
import type { ErrorBody } from './generated';
import { accessToken, currentToken, renewSession, useSession } from './session';
import { updateStandby } from './standby';

/** Options of a request in addition to those of `fetch`. */
export interface RequestOptions extends RequestInit {
  /** Timeout in milliseconds; 30 s by default, 0 to disable. */
  timeout?: number;
  /** Sends no token, so the request does not wait for the user to sign in. */
  anonymous?: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Sends a request with the access token and parses the JSON response. Throws `ApiError`. */
export async function http<T>(url: string, options: RequestOptions = {}): Promise<T> {
  return (await (await send(url, options)).json()) as T;
}

/**
 * Like `http`, for responses that are not JSON or whose headers are needed. Throws unless the response is successful.
 */
export async function send(url: string, options: RequestOptions = {}): Promise<Response> {
  let response = await attempt(url, options);
  if (response.status === 401 && !options.anonymous && hasSession()) {
    // The token was revoked or has expired. Renew it (or sign in again) and retry once.
    if (useSession.getState().status === 'in') await renewSession();
    if (hasSession()) response = await attempt(url, options);
  }
  if (response.ok) {
    updateStandby(options.method, true);
    return response;
  }
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  updateStandby(options.method, false, body);
  const wait = Number(response.headers.get('Retry-After'));
  throw new ApiError(response.status, body, wait > 0 ? wait * 1000 : undefined);
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
  // Without `await` if there is a token: the request of an edit is then sent before the edit is drawn.
  const credential = anonymous ? '' : (currentToken() ?? (await accessToken()));
  if (credential) headers.set('Authorization', `Bearer ${credential}`);
  const limit = timeout > 0 ? [AbortSignal.timeout(timeout)] : [];
  const signal = AbortSignal.any([...limit, ...(init.signal ? [init.signal] : [])]);
  try {
    return await fetch(withBase(url), { ...init, headers, signal });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, { error: SERVER_UNREACHABLE });
  }
}
