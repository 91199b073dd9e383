import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type Actor, PASSWORD } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';

const CALLBACK = 'http://127.0.0.1:33418/callback';

/** An OAuth client like those of AI assistants. */
class OAuthClient {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly #url: string;
  readonly #clientId: string;

  private constructor(url: string, clientId: string) {
    this.#url = url;
    this.#clientId = clientId;
  }

  /** Discovers the endpoints from the server's address and registers. */
  static async at(url: string, name: string): Promise<OAuthClient> {
    const server = await read(`${url}/.well-known/oauth-authorization-server`);
    expect(server.issuer).toBe(url);
    const body = JSON.stringify({ client_name: name, redirect_uris: [CALLBACK] });
    const headers = { 'Content-Type': 'application/json' };
    const client = await read(server.registration_endpoint ?? '', { method: 'POST', headers, body });
    return new OAuthClient(url, client.client_id ?? '');
  }

  /** The authorization URL. */
  address(scope = 'mcp:read mcp:write'): string {
    return `${this.#url}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: this.#clientId,
      redirect_uri: CALLBACK,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'state of the program',
      scope,
      resource: `${this.#url}/mcp`,
    })}`;
  }

  exchanges(code: string) {
    return this.#tokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.verifier,
    });
  }

  refreshes(token: string) {
    return this.#tokens({ grant_type: 'refresh_token', refresh_token: token });
  }

  #tokens(fields: Record<string, string>) {
    const body = new URLSearchParams({ client_id: this.#clientId, ...fields });
    return read(`${this.#url}/oauth/token`, { method: 'POST', body });
  }
}

async function read(url: string, init?: RequestInit): Promise<Record<string, string | undefined>> {
  return (await fetch(url, init)).json();
}

/** The parameters of the redirect to the client. */
async function redirectParams(page: Page, act: () => Promise<void>): Promise<URLSearchParams> {
  await act();
  await page.waitForURL((url) => url.href.startsWith(CALLBACK));
  return new URL(page.url()).searchParams;
}

/** Signs in and opens a URL of the server, without loading another page before. */
async function openUrl(page: Page, actor: Actor, url: string): Promise<void> {
  await actor.open(page, url.slice(actor.url.length));
}

/** Fulfills redirects, because no client listens at the redirect URL. */
async function answerRedirects(page: Page): Promise<void> {
  await page.route(`${CALLBACK}*`, (route) => route.fulfill({ body: 'You can close this page.' }));
}

/** Connects a client with this name. Returns the client and its refresh token. */
async function connectClient(page: Page, actor: Actor, name: string): Promise<[OAuthClient, string]> {
  const program = await OAuthClient.at(actor.url, name);
  await answerRedirects(page);
  await page.goto(program.address());
  const params = await redirectParams(page, () => page.getByRole('button', { name: 'Authorize' }).click());
  return [program, (await program.exchanges(params.get('code') ?? '')).refresh_token ?? ''];
}

test('an app is authorized after sign-in and refreshes its tokens', async ({ page, ada }) => {
  test.slow();
  const program = await OAuthClient.at(ada.url, 'Assistant of Ada');
  await answerRedirects(page);
  await page.goto(program.address());
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Connect Assistant of Ada?' })).toBeVisible();
  await expect(page.getByText('127.0.0.1, an app on this computer')).toBeVisible();
  await expect(page.getByText('Ada Lovelace (ada)')).toBeVisible();
  await expect(page.getByLabel('Organization')).toHaveValue(/^org_/);
  await expect(page.getByRole('radio', { name: /^Read and change/ })).toBeChecked();
  expect(new URL(page.url()).search, 'nothing that names the request is in a query').toBe('');
  await expectGoodLayout(page);

  const params = await redirectParams(page, () => page.getByRole('button', { name: 'Authorize' }).click());
  expect(params.get('state')).toBe('state of the program');
  expect(params.get('iss')).toBe(ada.url);
  const first = await program.exchanges(params.get('code') ?? '');
  expect(first).toMatchObject({ token_type: 'Bearer', scope: 'mcp:read mcp:write' });
  expect(first.access_token).toMatch(/^svc_mcp_/);
  const second = await program.refreshes(first.refresh_token ?? '');
  expect(second.access_token).toMatch(/^svc_mcp_/);
  expect(second.refresh_token).not.toBe(first.refresh_token);

  // A request that was decided cannot be decided again.
  await page.goBack();
  await page.reload();
  await expect(page.getByRole('heading', { name: /Invalid authorization request/ })).toBeVisible();
  await expectGoodLayout(page);
});

test('an app is granted read-only access using only the keyboard, and a denied app is notified', async ({
  page,
  ada,
}) => {
  await answerRedirects(page);
  await test.step('an app is granted read-only access using only the keyboard', async () => {
    const program = await OAuthClient.at(ada.url, 'Reader');
    await openUrl(page, ada, program.address());
    await expect(page.getByRole('heading', { name: 'Connect Reader?' })).toBeVisible();
    const organization = page.getByLabel('Organization');
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(organization).toBeFocused({ timeout: 200 });
    }).toPass();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /^Read only/ })).toBeChecked();
    // Enter submits only if a button is focused.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Authorize' })).toBeFocused();
    const params = await redirectParams(page, () => page.keyboard.press('Enter'));
    expect(await program.exchanges(params.get('code') ?? '')).toMatchObject({ scope: 'mcp:read' });
  });
  await test.step('a denied app is notified and gets no access', async () => {
    const program = await OAuthClient.at(ada.url, 'Stranger');
    await page.goto(program.address());
    const params = await redirectParams(page, () => page.getByRole('button', { name: 'Deny' }).click());
    expect([params.get('error'), params.get('code'), params.get('state')]).toEqual([
      'access_denied',
      null,
      'state of the program',
    ]);
    await page.goto(`${ada.url}/account/programs`);
    await expect(page.getByRole('heading', { name: 'Connected apps' })).toBeVisible();
    await expect(page.getByText('Stranger')).toBeHidden();
  });
});

test('errors explain unknown requests, requests of another user, and unregistered apps', async ({
  page,
  ada,
}) => {
  await test.step('unknown requests, and requests opened by another user', async () => {
    const grace = await ada.invite('grace-of-programs', 'Grace Hopper');
    await grace.open(page, '/consent#unknown');
    await expect(page.getByText(/older than 15 minutes/)).toBeVisible();
    await page.goto(`${ada.url}/consent`);
    await expect(page.getByText(/after the # .* missing/)).toBeVisible();

    const program = await OAuthClient.at(ada.url, 'Assistant');
    await page.goto(program.address());
    await page.getByRole('button', { name: 'Not you? Sign out' }).click();
    await page.getByLabel('Login').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByText(/opened with another account/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Authorize' })).toBeHidden();
  });
  await test.step('an unregistered app gets an error page without a redirect', async () => {
    const program = await OAuthClient.at(ada.url, 'Assistant');
    const elsewhere = program.address().replace('33418%2Fcallback', '33418%2Felsewhere');
    const answer = await page.goto(elsewhere);
    expect(answer?.status()).toBe(400);
    await expect(page.getByText('wants its answer at an address that it did not register')).toBeVisible();
    await expectGoodLayout(page);
  });
  await test.step('the authorization page cannot be framed', async () => {
    await page.route('**/framing', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${ada.url}/consent#x"></iframe>` }),
    );
    await page.goto('http://localhost:1/framing');
    const frame = page.frames()[1];
    await expect.poll(() => frame?.url()).toContain('chrome-error');
  });
});

test('a connected app is disconnected in the account', async ({ page, ada }) => {
  test.slow();
  const kay = await ada.invite('kay-of-programs', 'Kay McNulty');
  await kay.open(page, '/account/programs');
  await expect(page.getByText(`${ada.url}/mcp`)).toBeVisible();
  await expectGoodLayout(page);
  const [claude, ofClaude] = await connectClient(page, kay, 'Claude');
  const [another, ofAnother] = await connectClient(page, kay, 'Another');

  await page.goto(`${ada.url}/account/programs`);
  const row = page.getByRole('listitem').filter({ hasText: 'Claude' });
  await expect(row).toContainText('In Analytical Engines');
  await expect(row).toContainText('Read and write');
  await expect(row).toContainText('never used');
  await expectGoodLayout(page);
  await row.getByRole('button', { name: /^Disconnect Claude/ }).click();
  const dialog = dialogOn(page);
  await expect(dialog.getByRole('heading', { name: 'Disconnect “Claude”?' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Disconnect app' }).click();
  await expect(page.getByText('Disconnected “Claude”')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem')).toHaveText(
    /Another/,
  );

  expect(await claude.refreshes(ofClaude)).toMatchObject({ error: 'invalid_grant' });
  expect(await another.refreshes(ofAnother)).toMatchObject({ token_type: 'Bearer' });
});
