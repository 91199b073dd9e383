/** Signing in at an identity provider: the way there, and what can be in the way. */

/** A page of ours that one came for, in two parts: what stands behind the `#` may be a secret, and is in no request. */
export interface RequestedPage {
  path: string;
  hash: string;
}

/** What is wanted where the page to sign in is shown: what `nextEdit` says, or the page itself. */
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

/**
 * What ended when an account was linked to the provider, for people: `fieldErrorText` as the server lists them, separated by dots.
 * Null when nothing did.
 */
export function endedAccessText(words: string | null): string | null {
  const known = (words ?? '').split('.').flatMap((word) => ENDED.get(word) ?? []);
  if (known.length === 0) return null;
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(known);
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
