import { Actor, PASSWORD } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { MailHost } from './support/mailHost.ts';
import { Server } from './support/server.ts';

const NEW_PASSWORD = 'an entirely different phrase';

let host: MailHost;
let server: Server;
let admin: Actor;

test.beforeAll(async () => {
  host = await MailHost.start();
  server = await Server.start({ env: host.env });
  admin = await Actor.first(server.url, server.setUpLink);
});

test.afterAll(async () => {
  await server?.end();
  host?.end();
});

test('an address is confirmed and a forgotten password is reset using only the keyboard', async ({
  page,
  browser,
}) => {
  test.slow();
  await admin.open(page, '/account/profile');
  await page.getByLabel('Email').focus();
  await page.keyboard.type('ada@example.org');
  await page.getByLabel('Current password').focus();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Not confirmed', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send confirmation' }).press('Enter');
  await expect(page.getByText('A link is on its way to ada@example.org.')).toBeVisible();
  await expectGoodLayout(page);

  // On another device, without a session.
  const elsewhere = await browser.newContext();
  const phone = await elsewhere.newPage();
  await phone.goto(await host.linkTo('ada@example.org', '/confirm-email'));
  await expect(phone.getByText('The account ada uses the address ada@example.org.')).toBeVisible();
  await expectGoodLayout(phone);
  await phone.getByRole('button', { name: 'Confirm email address' }).press('Enter');
  await expect(phone.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible();
  await phone.reload();
  await expect(phone.getByText('The link was used or replaced by a newer one')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();

  await phone.goto(`${server.url}/sign-in`);
  await phone.getByRole('link', { name: 'Forgot password?' }).press('Enter');
  const email = phone.getByLabel('Email');
  await expect(email).toBeFocused();
  await phone.keyboard.type('ada');
  await expect(email).toHaveValue('ada');
  await expect(email).not.toHaveAttribute('aria-invalid');
  // Before the answer, the field is not invalid: it could not say why.
  let before: string | null = 'not asked';
  await phone.route(
    '**/api/auth/password-resets',
    async (route) => {
      before = await email.getAttribute('aria-invalid');
      await route.continue();
    },
    { times: 1 },
  );
  await phone.keyboard.press('Enter');
  await expect.poll(() => before).toBeNull();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await phone.keyboard.type('@example.org');
  await phone.keyboard.press('Enter');
  await expect(phone.getByText('If ada@example.org is the confirmed address')).toBeVisible();
  await expectGoodLayout(phone);
  await phone.goto(await host.linkTo('ada@example.org', '/reset-password'));
  await phone.getByLabel('New password', { exact: true }).focus();
  await phone.keyboard.type('12345678');
  await phone.keyboard.press('Enter');
  await expect(phone.getByText('this password is easy to guess')).toBeVisible();
  await expectGoodLayout(phone);
  await phone.keyboard.press('ControlOrMeta+A');
  await phone.keyboard.type(NEW_PASSWORD);
  await phone.keyboard.press('Enter');
  await expect(phone.getByText('The password of ada is changed')).toBeVisible();
  await phone.getByRole('link', { name: 'Go to sign-in' }).press('Enter');
  await phone.getByLabel('Login').fill('ada');
  await phone.getByLabel('Password').fill(NEW_PASSWORD);
  await phone.keyboard.press('Enter');
  await expect(phone.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  await phone.goto(`${server.url}/account/password`);
  await phone.getByLabel('Current password').fill(NEW_PASSWORD);
  await phone.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await phone.keyboard.press('Enter');
  await expect(phone.getByText('Password changed')).toBeVisible();
  await elsewhere.close();
});

test('an invitation is sent by email and accepted with its link', async ({ page, browser }) => {
  await admin.ensureSession();
  await admin.open(page, '/o/analytical-engines/settings/invitations');
  await page.getByLabel('Email').fill('charles@example.org');
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByText('The invitation is on its way to charles@example.org.')).toBeVisible();
  await expectGoodLayout(page);
  const theirs = await browser.newContext();
  const charles = await theirs.newPage();
  await charles.goto(await host.linkTo('charles@example.org', '/join'));
  await charles.getByLabel('Login').fill('charles');
  await charles.getByLabel('Your name').fill('Charles Babbage');
  await charles.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await charles.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(charles.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  await theirs.close();
});
