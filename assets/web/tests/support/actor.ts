/** A user, signed in to the API and optionally in a browser page. */
import type { Page } from '@playwright/test';

export const PASSWORD = 'correct horse battery staple';

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read only the fields that they need
  [field: string]: any;
}

export class Actor {
  readonly login: string;
  readonly url: string;
  #token: string;

  constructor(url: string, login: string, token: string) {
    this.url = url;
    this.login = login;
    this.#token = token;
  }

  /** Creates the first account, which is an administrator, using the setup link. */
  static async first(url: string, setUpLink: string): Promise<Actor> {
    const token = new URL(setUpLink).hash.slice(1);
    const fields = {
      token,
      login: 'ada',
      displayName: 'Ada Lovelace',
      password: PASSWORD,
      organization: 'Analytical Engines',
    };
    return new Actor(url, 'ada', (await call(url, 'POST', '/api/auth/setup', fields)).token);
  }

  /** Invites a user to the organization and accepts the invitation. */
  async invite(
    login: string,
    displayName: string,
    role: 'org:member' | 'org:admin' = 'org:member',
  ): Promise<Actor> {
    const { organizations } = await this.get('/api/orgs');
    const { token } = await this.post(`/api/orgs/${organizations[0].id}/invitations`, { role });
    const joined = await call(this.url, 'POST', `/api/auth/invitations/${token}`, {
      login,
      displayName,
      password: PASSWORD,
    });
    return new Actor(this.url, login, joined.token);
  }

  /** Signs in to the API again if an earlier test has ended the session. */
  async ensureSession(): Promise<void> {
    const response = await fetch(`${this.url}/api/me`, {
      headers: { Authorization: `Bearer ${this.#token}` },
    });
    if (response.status !== 401) return;
    this.#token = (
      await call(this.url, 'POST', '/api/auth/login', { login: this.login, password: PASSWORD })
    ).token;
  }

  get(path: string): Promise<Answer> {
    return call(this.url, 'GET', path, undefined, this.#token);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return call(this.url, 'POST', path, body, this.#token);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return call(this.url, 'PUT', path, body, this.#token);
  }

  patch(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return call(this.url, 'PATCH', path, body, this.#token, headers);
  }

  delete(path: string): Promise<Answer> {
    return call(this.url, 'DELETE', path, undefined, this.#token);
  }

  /** Signs in and opens `path`. The form of the sign-in page is tested by other stories, and takes a quarter of a second. */
  async open(page: Page, path = '/'): Promise<void> {
    const data = { login: this.login, password: PASSWORD };
    const response = await page.request.post(`${this.url}/api/auth/login`, { data });
    if (!response.ok()) throw new Error(`sign-in: ${response.status()} ${await response.text()}`);
    await page.goto(this.url + path);
  }
}

async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  others: Record<string, string> = {},
): Promise<Answer> {
  const headers = { ...others };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const json = (await answer.json()) as Answer;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${json.error}`);
  return json;
}
