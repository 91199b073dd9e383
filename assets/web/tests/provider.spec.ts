/** Sign-in with a real identity provider, using its pages. */
import type { Page } from '@playwright/test';
import { Actor, PASSWORD } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import {
  type IdentityProvider,
  signInAtProvider,
  signOutAtProvider,
  startProvider,
} from './support/provider.ts';
import { Server } from './support/server.ts';

let provider: IdentityProvider;
let server: Server;

/** A server with this provider and its first account. */
async function start(env: Record<string, string> = {}): Promise<Actor> {
  provider = await startProvider();
  server = await Server.start({ env: { ...provider.env, ...env } });
  provider.serve(server.url);
  return Actor.first(server.url, server.setUpLink);
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

const signInButton = (page: Page) => page.getByRole('button', { name: /^Sign in with/ });

/** Signs in as the first administrator with the form. */
async function signInWithPassword(page: Page): Promise<void> {
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test.afterEach(async ({ page }) => {
  // Close the page first; otherwise it would report that the server is unreachable.
  await page.close();
  provider.end();
  await server.end();
});

test('signing in with the provider returns to the requested page, also after canceling', async ({ page }) => {
  await start();
  await test.step('signing in returns to the exact URL', async () => {
    await page.goto(`${server.url}/o/analytical-engines/people?filter=%26#there`);
    await expect(page.getByRole('button', { name: 'Sign in with Engines’ directory' })).toBeVisible();
    await expectGoodLayout(page);
    await page.getByRole('button', { name: 'Sign in with Engines’ directory' }).click();
    await signInAtProvider(page, 'grace');
    await expect(page.getByRole('heading', { name: 'People, teams and roles' })).toBeVisible();
    expect(page.url()).toBe(`${server.url}/o/analytical-engines/people?filter=%26#there`);
    await expect(page.getByText('Grace Elsewhere').first()).toBeVisible();
  });

  await test.step('the session survives a reload but not a sign-out, and the provider’s session continues', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'People, teams and roles' })).toBeVisible();
    await signOut(page);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await signInButton(page).click();
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  });

  await test.step('canceling is reported, and a retry returns to the requested page', async () => {
    await page.context().clearCookies();
    await page.goto(`${server.url}/o/analytical-engines/teams`);
    await signInButton(page).click();
    await page.getByRole('link', { name: /Cancel/ }).click();
    await expect(page.getByRole('alert')).toContainText('denied access');
    await expectGoodLayout(page);
    await signInButton(page).click();
    await signInAtProvider(page, 'grace');
    await expect(page.getByRole('heading', { name: 'People, teams and roles' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/o/analytical-engines/teams');
  });
});

test('an expired session is renewed in a separate window', async ({ page }) => {
  await start();
  await page.goto(`${server.url}/o/analytical-engines`);
  await signInButton(page).click();
  await signInAtProvider(page, 'grace');
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'New workspace' }).first().click();
  await page.getByLabel('Name').fill('Half a thought');
  // The session ends elsewhere: cookies are deleted, and the server has ended the session.
  await page.evaluate(async () => {
    const { token } = await (
      await fetch('/api/auth/refresh', {
        method: 'POST',
        body: '{}',
        headers: { 'Content-Type': 'application/json' },
      })
    ).json();
    await fetch('/api/auth/logout', { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
  });
  await dialogOn(page)
    .getByRole('button', { name: /^Create/ })
    .click();
  const dialog = dialogOn(page).filter({ hasText: 'Session expired' });
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: /^Sign in with/ }).click();
  const popup = await opened;
  // The provider's session continues.
  await popup.waitForEvent('close');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Half a thought').first()).toBeVisible();
});

test('an unreachable provider is reported, and passwords still work', async ({ page }) => {
  await start();
  await page.goto(`${server.url}/o/analytical-engines/roles`);
  provider.end();
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Can’t reach Engines’ directory');
  await signInWithPassword(page);
  await expect(page.getByRole('heading', { name: 'People, teams and roles' })).toBeVisible();
});

test('an invitation stays open while the user signs out at the provider, which then asks again', async ({
  page,
}) => {
  const ada = await start({
    PLANROOM_IDENTITY_OIDC_SIGN_OUT: 'true',
    PLANROOM_IDENTITY_OIDC_DEFAULT_ORG: '',
  });
  const { organizations } = await ada.get('/api/orgs');
  const { url } = await ada.post(`/api/orgs/${organizations[0].id}/invitations`, { role: 'org:member' });
  const secret = new URL(url).hash.slice(1);
  const requestedUrls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/api/auth/invitations/')) requestedUrls.push(pathname + search);
  });

  await test.step('another user accepts the invitation, without its secret in any URL', async () => {
    await page.goto(url);
    await signInButton(page).click();
    await signInAtProvider(page, 'grace');
    await expect(page.getByRole('button', { name: 'Join as Grace Elsewhere' })).toBeVisible();
    await page.getByRole('button', { name: 'Not you? Sign out' }).click();
    await signOutAtProvider(page);
    await signInButton(page).click();
    await signInAtProvider(page, 'charles');
    await page.getByRole('button', { name: 'Join as Charles Elsewhere' }).click();
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
    expect(requestedUrls.filter((address) => address.includes(secret))).toEqual([]);
  });

  await test.step('signing out at the provider requires signing in there again', async () => {
    const endSessionRequest = page.waitForRequest((request) => request.url().includes('/session/end?'));
    await signOut(page);
    // The ID token tells the provider which session to end.
    expect(new URL((await endSessionRequest).url()).searchParams.get('id_token_hint')).toMatch(/^ey/);
    await signOutAtProvider(page);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(page.url()).toBe(`${server.url}/sign-in`);
    await signInButton(page).click();
    await signInAtProvider(page, 'charles');
    await expect(page.getByRole('button', { name: 'Account: Charles Elsewhere' })).toBeVisible();
  });

  await test.step('signing out of a session started with a password does not involve the provider', async () => {
    await signOut(page);
    await signOutAtProvider(page);
    await signInWithPassword(page);
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
    await signOut(page);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(page.url()).toBe(`${server.url}/sign-in`);
  });
});

test('if the provider is the only sign-in method, there is no password field', async ({ page }) => {
  await start({ PLANROOM_IDENTITY_OIDC_SSO_ONLY: 'true' });
  await page.goto(`${server.url}/`);
  await expect(page.getByRole('button', { name: /^Sign in with/ })).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Use a password instead' }).click();
  await page.getByLabel('Login').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill('anything at all');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('sign in with the identity provider');
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await signInAtProvider(page, 'grace');
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
});

/** Sets the email address of an account. */
async function setEmail(admin: Actor, login: string): Promise<void> {
  const { users } = await admin.get('/api/admin/users');
  const { id } = users.find((user: { login: string }) => user.login === login);
  await admin.patch(`/api/admin/users/${id}`, { email: `${login}@example.org` });
}

test('an account is linked with its password, which keeps its access, or without it', async ({ page }) => {
  const ada = await start();
  const grace = await ada.invite('grace', 'Grace Hopper');
  await setEmail(ada, 'ada');
  await setEmail(ada, 'grace');
  const password = page.getByLabel('Password', { exact: true });

  await test.step('an account with a password is linked using the password, and its existing access is kept', async () => {
    await page.goto(`${server.url}/o/analytical-engines/people`);
    await signInButton(page).click();
    await signInAtProvider(page, 'ada');
    await expect(page.getByRole('heading', { name: 'Link your account' })).toBeVisible();
    await expect(page.getByText('Ada Lovelace (ada)')).toBeVisible();
    await expect(password).toBeFocused();
    await expectGoodLayout(page);
    await password.fill('wrong');
    await page.getByRole('button', { name: 'Link account' }).click();
    await expect(page.getByRole('alert')).toContainText('he password is wrong');
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'People, teams and roles' })).toBeVisible();
    await expect(page.getByText('Your existing access still works').first()).toBeVisible();
    expect((await ada.get('/api/me')).login).toBe('ada');
  });

  await test.step('the page can only be used once', async () => {
    await page.goto(`${server.url}/link-account`);
    await expect(page.getByRole('heading', { name: 'Sign-in expired' })).toBeVisible();
    await expectGoodLayout(page);
  });

  await test.step('an account is linked without its password, and revoked access is listed', async () => {
    await page.context().clearCookies();
    await page.goto(`${server.url}/o/analytical-engines/people`);
    await signInButton(page).click();
    await signInAtProvider(page, 'grace');
    await page.getByRole('radio', { name: /^Continue without the password/ }).check();
    await expect(page.getByText('These are removed from the account')).toContainText(
      'its password and all other sessions',
    );
    await expectGoodLayout(page);
    expect((await grace.get('/api/me')).login).toBe('grace');
    await page.getByRole('button', { name: 'Remove access and link account' }).click();
    await expect(page.getByRole('heading', { name: 'People, teams and roles' })).toBeVisible();
    await expect(
      page.getByText('these were removed from it: its password and all other sessions').first(),
    ).toBeVisible();
    await expect(grace.get('/api/me')).rejects.toThrow('401');
  });
});
