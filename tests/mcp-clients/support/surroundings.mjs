// What a client that is written in JavaScript finds, and what all of them hold.

export const { PLANROOM_URL: url, PLANROOM_CLIENT_TOKEN: token, PLANROOM_BIN: binary } = process.env;
export const CALLBACK = 'http://127.0.0.1:33420/callback';

/** Has something done by people. */
export async function desk(task, text = '') {
  const answer = await fetch(`${process.env.PLANROOM_DESK}/${task}`, { method: 'POST', body: text });
  if (!answer.ok) throw new Error(`${task}: ${await answer.text()}`);
  return answer.text();
}

/**
 * What a client of OAuth keeps, in memory, and what it does with a browser: the desk has one. Both generations of the SDK
 * ask for the same.
 */
export class Keeper {
  /** Where the browser went, once it was needed. */
  answered;
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
    this.answered = new URL(await desk('consent', address.href)).searchParams;
  }
}

/** Ends a token as RFC 7009 has it. */
export async function revoke(keeper, token) {
  const body = new URLSearchParams({ client_id: keeper.kept.client.client_id, token });
  const answer = await fetch(`${url}/oauth/revoke`, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`revoke: ${answer.status} ${await answer.text()}`);
}
