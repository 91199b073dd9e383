// Environment and credential storage of JavaScript clients.

export const { PLANROOM_URL: url, PLANROOM_CLIENT_TOKEN: token, PLANROOM_BIN: binary } = process.env;
export const CALLBACK = 'http://127.0.0.1:33420/callback';

/** Requests an action from the control server. */
export async function control(task, text = '') {
  const answer = await fetch(`${process.env.PLANROOM_CONTROL}/${task}`, { method: 'POST', body: text });
  if (!answer.ok) throw new Error(`${task}: ${await answer.text()}`);
  return answer.text();
}

/**
 * In-memory storage of an OAuth client, and its browser, which the control server provides. Both SDK versions use the same
 * interface.
 */
export class CredentialStore {
  /** Query of the callback after authorization. */
  callback;
  kept = {};
  redirectUrl = CALLBACK;

  constructor(name) {
    this.clientMetadata = { client_name: name, redirect_uris: [CALLBACK] };
  }

  clientInformation() {
    return this.kept.client;
  }

  saveClientInformation(client) {
    this.kept.client = client;
  }

  tokens() {
    return this.kept.tokens;
  }

  saveTokens(tokens) {
    this.kept.tokens = tokens;
  }

  codeVerifier() {
    return this.kept.verifier;
  }

  saveCodeVerifier(verifier) {
    this.kept.verifier = verifier;
  }

  discoveryState() {
    return this.kept.discovered;
  }

  saveDiscoveryState(discovered) {
    this.kept.discovered = discovered;
  }

  state() {
    return 'a state';
  }

  invalidateCredentials(scope) {
    if (scope === 'all' || scope === 'tokens') this.kept.tokens = undefined;
    if (scope === 'all' || scope === 'client') this.kept.client = undefined;
  }

  async redirectToAuthorization(address) {
    this.callback = new URL(await control('consent', address.href)).searchParams;
  }
}

/** Revokes a token (RFC 7009). */
export async function revoke(credentials, token) {
  const body = new URLSearchParams({ client_id: credentials.kept.client.client_id, token });
  const answer = await fetch(`${url}/oauth/revoke`, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`revoke: ${answer.status} ${await answer.text()}`);
}
