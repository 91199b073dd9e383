// The user. Authorizes clients as the consent page of the web client does, with a session.

import { LOGIN, PASSWORD } from './instance.mjs';

export class User {
  #url;
  #session = '';

  /** Signs in at `url`. */
  static async at(url) {
    const user = new User();
    user.#url = url;
    const { token } = await user.send('POST', '/api/auth/login', { login: LOGIN, password: PASSWORD });
    user.#session = token;
    return user;
  }

  /** Invites a user to the organization, who accepts. */
  async invite(login, displayName) {
    const { organizations } = await this.send('GET', '/api/orgs');
    const { token } = await this.send('POST', `/api/orgs/${organizations[0].id}/invitations`, { role: 'org:member' });
    const user = new User();
    user.#url = this.#url;
    const account = { login, displayName, password: PASSWORD };
    user.#session = (await user.send('POST', `/api/auth/invitations/${token}`, account)).token;
    return user;
  }

  /** Opens the consent page of a client and approves the request. Returns the redirect URL. */
  async authorize(address) {
    const page = await fetch(address, { redirect: 'manual' });
    const location = page.headers.get('location') ?? '';
    const [, request] = location.split('/consent#');
    if (!request) throw new Error(`no consent page: ${page.status} ${location} ${await page.text()}`);
    const asked = await this.send('POST', '/api/me/connectors/request', { request });
    if (!asked.isLocal) throw new Error(`this client is not on this machine: ${JSON.stringify(asked)}`);
    const { organizations } = await this.send('GET', '/api/orgs');
    const decision = { request, allow: true, orgId: organizations[0].id };
    return (await this.send('POST', '/api/me/connectors', decision)).redirectTo;
  }

  /** A personal access token. */
  async token() {
    return (await this.send('POST', '/api/me/tokens', { name: 'a client' })).token;
  }

  /** The names of the connected apps. */
  async connectedApps() {
    return (await this.send('GET', '/api/me/connectors')).connectors.map(({ name }) => name);
  }

  /** Sends a REST request, which must succeed. Returns the response. */
  async send(method, path, body) {
    const headers = { 'Content-Type': 'application/json' };
    if (this.#session) headers.Authorization = `Bearer ${this.#session}`;
    const answer = await fetch(this.#url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
