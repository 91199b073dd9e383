/** Sign-in at an identity provider: its URL and its error messages. */

/** The page to open after sign-in. The fragment is separate because it may contain a secret and must not be sent. */
export interface RequestedPage {
  path: string;
  hash: string;
}

/** The page to open after sign-in: `next`, or the current page. */
export function requestedPageAt({
  pathname,
  search,
  hash,
}: {
  pathname: string;
  search: string;
  hash: string;
}): RequestedPage {
  if (pathname !== '/sign-in') return { path: pathname + search, hash };
  const next = new URLSearchParams(search).get('next') ?? '';
  const end = next.indexOf('#');
  return end < 0 ? { path: next, hash: '' } : { path: next.slice(0, end), hash: next.slice(end) };
}

/** The URL that starts the sign-in. */
export function providerSignInUrl(path: string): string {
  return path ? `/api/auth/oidc/start?${new URLSearchParams({ next: path })}` : '/api/auth/oidc/start';
}

const ENDED: ReadonlyMap<string, string> = new Map([
  ['password', 'its password'],
  ['second-factor', 'its two-factor authentication'],
  ['sessions', 'all other sessions'],
  ['tokens', 'its personal access tokens'],
  ['connectors', 'its connected apps'],
]);

/** Formats kinds of access as a list; empty if none is known. */
export function accessList(kinds: readonly string[]): string {
  const known = kinds.flatMap((kind) => ENDED.get(kind) ?? []);
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(known);
}

/**
 * The sign-in page, with the `next` of `search` and the kinds of access that were revoked when an account was linked.
 */
export function signInPath(search: string, ended: readonly string[] = []): string {
  const next = new URLSearchParams(search).get('next');
  const query = new URLSearchParams();
  if (ended.length > 0) query.set('ended', ended.join('.'));
  if (next) query.set('next', next);
  return query.size > 0 ? `/sign-in?${query}` : '/sign-in';
}

/**
 * Describes the access that was revoked when an account was linked to the provider. `kinds` is the server's list,
 * separated by dots. Null if none was revoked.
 */
export function endedAccessText(kinds: string | null): string | null {
  const list = accessList((kinds ?? '').split('.'));
  if (!list) return null;
  return `Your account is now linked to your identity provider. For your security, these were removed from it: ${list}. Create new tokens and reconnect your apps if you still need them.`;
}

/** The message for a failed sign-in; `name` is the display name of the provider. */
export function providerProblemText(word: string, name: string): string {
  switch (word) {
    case 'bad_state':
      return 'The sign-in expired or was started in another browser. Try again.';
    case 'denied':
      return `${name} denied access, or the sign-in was canceled. Try again.`;
    case 'unreachable':
      return `Can’t reach ${name}, or its response was not valid. Try again in a moment. If the problem persists, contact your administrator.`;
    case 'untrue':
      return `The account data from ${name} does not match this instance. Contact your administrator; the server log has the details.`;
    case 'too_many':
      return 'Too many failed sign-ins from your network. Wait a minute, then try again.';
    case 'suspended':
      return 'Your account is suspended. Contact an administrator of this instance.';
    default:
      return 'Sign-in failed. Try again. If the problem persists, contact your administrator.';
  }
}
