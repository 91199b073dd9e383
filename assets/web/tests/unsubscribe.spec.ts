/** The link in an email about notifications ends emails of its kind without a sign-in. */
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { Actor, PASSWORD } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { MailHost } from './support/mailHost.ts';
import { Server } from './support/server.ts';
import { createShop, newWindow } from './support/workspaces.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const GRACE = 'grace@example.org';

let host: MailHost;
let server: Server;
let ada: Actor;
let grace: Actor;

test.beforeAll(async () => {
  host = await MailHost.start();
  server = await Server.start({ env: host.env });
  ada = await Actor.first(server.url, server.setUpLink);
  grace = await ada.invite('grace', 'Grace Hopper');
  await grace.patch('/api/auth/me', { email: GRACE, password: PASSWORD });
  await grace.post('/api/me/email-confirmation', {});
  const secret = new URL(await host.linkTo(GRACE, '/confirm-email')).hash.slice(1);
  await grace.post(`/api/auth/email-confirmations/${secret}`, {});
});

test.afterAll(async () => {
  await server?.end();
  host?.end();
});

/** Emails wait a minute for further notifications. Lets this minute pass for those that wait. */
async function sendNow(): Promise<void> {
  const port = Number(new URL(server.url).port);
  await server.stop();
  const database = new DatabaseSync(`${server.dataDir}/planroom.db`);
  database.exec('UPDATE notification SET mail_due_at = 0 WHERE mail_due_at IS NOT NULL');
  database.close();
  server = await Server.start({ dataDir: server.dataDir, port, env: host.env });
}

/** A page without a session. */
async function openAnonymously(browser: Browser, url: string): Promise<Page> {
  const page = await newWindow(browser);
  await page.goto(url);
  return page;
}

async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await page.setViewportSize(DESK);
}

const mentions = async (): Promise<string> => {
  const { kinds } = await grace.get('/api/me/notification-settings');
  return kinds.find(({ kind }: { kind: string }) => kind === 'mention').email;
};

test('one click in an email ends emails of its kind, without a sign-in', async ({ page, browser }) => {
  test.slow();
  const id = await createShop(ada);
  await ada.post(`/api/workspaces/${id}/threads`, {
    anchor: { type: 'component', id: 'web' },
    text: '@grace, is this right?',
  });
  await sendNow();
  const link = await host.unsubscribeLinkTo(GRACE);

  // Opening the link changes nothing, because programs that scan emails open links.
  const anonymous = await openAnonymously(browser, link);
  await expect(anonymous.getByRole('heading', { name: 'Unsubscribe' })).toBeVisible();
  await expect(anonymous.getByText('You will no longer receive emails about mentions.')).toBeVisible();
  await expect(anonymous.locator('body')).not.toContainText(/grace/i);
  await expectFits(anonymous);
  expect(await mentions()).toBe('immediate');
  await anonymous.keyboard.press('Tab');
  await expect(anonymous.getByRole('button', { name: 'Unsubscribe' })).toBeFocused();
  await anonymous.keyboard.press('Enter');
  await expect(anonymous.getByRole('heading', { name: 'Unsubscribed' })).toBeVisible();
  await expect(anonymous.getByText('You no longer receive emails about mentions.')).toBeVisible();
  await expectFits(anonymous);
  expect(await mentions()).toBe('off');

  // The page says where to receive them again, and a used link does not end them again.
  await grace.open(page, '/account/notifications');
  await expect(page.getByLabel('Emails about mentions')).toHaveValue('off');
  await page.getByLabel('Emails about mentions').selectOption('Immediately');
  await expect(page.getByText('Notification settings saved').first()).toBeVisible();
  await anonymous.goto(link);
  await expect(anonymous.getByRole('heading', { name: 'Link already used' })).toBeVisible();
  await expect(anonymous.getByRole('button')).toHaveCount(0);
  expect(await mentions()).toBe('immediate');

  await test.step('a link that does not work is explained', async () => {
    await anonymous.goto(`${server.url}/unsubscribe/incomplete`);
    await expect(anonymous.getByRole('heading', { name: 'Link not available' })).toBeVisible();
    await expect(anonymous.getByText('This link has expired, or a part of it is missing.')).toBeVisible();
    await expect(anonymous.getByText('Account settings → Notifications')).toBeVisible();
    await expectFits(anonymous);
  });
});
