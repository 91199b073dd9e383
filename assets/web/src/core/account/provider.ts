/** Signing in at an identity provider: the way there, and what can be in the way. */

/** A page of ours that one came for, in two parts: what stands behind the `#` may be a secret, and is in no request. */
export interface RequestedPage {
  path: string;
  hash: string;
}

/** The page to open after the sign-in: the `next` parameter, or the current page. */
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

/** Where the browser is sent. */
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

/** Kinds of access as a list for people; empty if none is known. */
export function accessList(kinds: readonly string[]): string {
  const known = kinds.flatMap((kind) => ENDED.get(kind) ?? []);
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(known);
}

/** The sign-in page, with the `next` of `search`, and with what ended when an account was linked. */
export function signInPath(search: string, ended: readonly string[] = []): string {
  const next = new URLSearchParams(search).get('next');
  const query = new URLSearchParams();
  if (ended.length > 0) query.set('ended', ended.join('.'));
  if (next) query.set('next', next);
  return query.size > 0 ? `/sign-in?${query}` : '/sign-in';
}

/**
 * Which access ended when an account was linked to the provider. `kinds` is the list of the server, separated by dots.
 * Null if none ended.
 */
export function endedAccessText(kinds: string | null): string | null {
  const list = accessList((kinds ?? '').split('.'));
  if (!list) return null;
  return `Your account is now linked to your identity provider. For your security, these were removed from it: ${list}. Create new tokens and reconnect your apps if you still need them.`;
}

/** What was in the way, for people; `name` is what they call the provider. */
export function providerProblemText(word: string, name: string): string {
  switch (word) {
    case 'bad_state':
      return 'That sign-in took too long, or began in another browser. Please try again.';
    case 'denied':
      return `${name} did not let you in, or you turned back. Nothing has happened; you can try again.`;
    case 'unreachable':
      return `${name} cannot be reached, or did not answer as it should. Try again in a moment; if it stays so, tell whoever runs this instance.`;
    case 'untrue':
      return `What ${name} said of you does not fit this instance. Tell whoever runs it; its log says what was wrong.`;
    case 'too_many':
      return 'Too many sign-ins have failed from where you are. Wait for a minute, and try again.';
    case 'suspended':
      return 'Your account is suspended. An administrator of the instance can lift that.';
    default:
      return 'The sign-in failed here. Try again; if it stays so, tell whoever runs this instance.';
  }
}
