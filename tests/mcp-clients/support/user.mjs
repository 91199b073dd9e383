// The user. Authorizes clients as the consent page of the web client does, with a session.

import { LOGIN, PASSWORD } from './instance.mjs';

export class User {
  #url;
  #session = '';

  /** Signs in at `url`. */
  static async at(url) {
    const user = new User();
    user.#url = url;
    const { token } = await user.#ask('POST', '/api/auth/login', { login: LOGIN, password: PASSWORD });
    user.#session = token;
    return user;
  }

  /** Opens the consent page of a client and approves the request. Returns the redirect URL. */
  async authorize(address) {
    const page = await fetch(address, { redirect: 'manual' });
    const location = page.headers.get('location') ?? '';
    const [, request] = location.split('/consent#');
    if (!request) throw new Error(`no consent page: ${page.status} ${location} ${await page.text()}`);
    const asked = await this.#ask('POST', '/api/me/connectors/request', { request });
    if (!asked.isLocal) throw new Error(`this client is not on this machine: ${JSON.stringify(asked)}`);
    const { organizations } = await this.#ask('GET', '/api/orgs');
    const decision = { request, allow: true, orgId: organizations[0].id };
    return (await this.#ask('POST', '/api/me/connectors', decision)).redirectTo;
  }

  /** A personal access token. */
  async token() {
    return (await this.#ask('POST', '/api/me/tokens', { name: 'a client' })).token;
  }

  /** The names of the connected apps. */
  async connectedApps() {
    return (await this.#ask('GET', '/api/me/connectors')).connectors.map(({ name }) => name);
  }

  async #ask(method, path, body) {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${this.#session}` };
    const answer = await fetch(this.#url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
