/** Webhooks: an administrator creates one, tests it, and follows its deliveries. */
import type { Page } from '@playwright/test';
import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { Server } from './support/server.ts';
import { WebhookSink } from './support/webhookSink.ts';

const SETTINGS = '/o/analytical-engines/settings/webhooks';

let sink: WebhookSink;
let server: Server;
let admin: Actor;

test.beforeAll(async () => {
  sink = await WebhookSink.start();
  server = await Server.start({ env: sink.env });
  admin = await Actor.first(server.url, server.setUpLink);
});

test.afterAll(async () => {
  await server?.end();
  sink?.end();
});

test.beforeEach(async ({ page }) => {
  sink.status = 204;
  sink.received.length = 0;
  await admin.ensureSession();
  await admin.open(page, SETTINGS);
});

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Webhooks' }).locator('> li').filter({ hasText: name });

/** Creates a webhook in the dialog. Returns its secret. */
async function create(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create webhook' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('URL').fill(`${sink.url}/hook`);
  await dialog.getByLabel('New comments').press('Space');
  await dialog.getByLabel('URL').press('Enter');
  const shown = page.getByRole('dialog', { name: `Secret of ${name}` });
  const secret = (await shown.locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  return secret;
}

test('an administrator creates a webhook with the keyboard, sends a test, rotates its secret, edits and deletes it', async ({
  page,
}) => {
  test.slow();
  await admin.post('/api/workspaces', { id: 'loom', name: 'Jacquard loom' });
  await admin.post('/api/workspaces', { id: 'diary', name: 'Diary', visibility: 'private' });
  await expect(page.getByText('No webhooks')).toBeVisible();
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Create webhook' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'New webhook' })).toBeVisible();
  await expectGoodLayout(page);
  await page.keyboard.press('Escape');
  const secret = await create(page, 'Portal');
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(row(page, 'Portal').getByText('Active')).toBeVisible();

  await page.getByRole('button', { name: 'Test Portal' }).press('Enter');
  const log = page.getByRole('list', { name: 'Deliveries of Portal' });
  await expect(log.getByText('Delivered')).toBeVisible();
  await expect(log.getByText('Status 204')).toBeVisible();
  expect(sink.received).toHaveLength(1);
  expect(sink.received[0]?.type).toBe('ping');
  expect(sink.received[0]?.isSignedWith(secret)).toBe(true);
  await expectGoodLayout(page);

  sink.received.length = 0;
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'More actions for Portal' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Rotate secret');
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const shown = page.getByRole('dialog', { name: 'Secret of Portal' });
  const rotated = (await shown.locator('code').textContent()) ?? '';
  expect(rotated).not.toBe(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Test Portal' }).click();
  // The webhooks of other stories report the new workspaces to the same receiver.
  const tests = () => sink.received.filter(({ type }) => type === 'ping');
  await expect.poll(() => tests().length).toBe(1);
  expect([secret, rotated].map((one) => tests()[0]?.isSignedWith(one))).toEqual([true, true]);

  await choose('Edit webhook');
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
  await dialog.getByLabel('Format').selectOption({ label: 'Slack message' });
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
  await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await expect(dialog.getByText('The URL must be https')).toBeVisible();
  await dialog.getByLabel('URL').fill(`${sink.url}/services/secret-part`);
  await dialog.getByLabel('Workspaces', { exact: true }).selectOption({ label: 'Selected workspaces' });
  await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await expect(dialog.getByText('Select at least one workspace.')).toBeVisible();
  await expect(dialog.getByLabel('Diary')).toHaveCount(0);
  await dialog.getByLabel('Jacquard loom').check();
  await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await expect(page.getByText('Webhook saved')).toBeVisible();
  await expect(row(page, 'Portal').getByText(`${sink.url}/…`)).toBeVisible();
  await expect(row(page, 'Portal').getByText('1 workspace', { exact: true })).toBeVisible();
  await expect(page.getByText('secret-part')).toHaveCount(0);
  await choose('Delete webhook');
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(row(page, 'Portal')).toHaveCount(0);
});

test('changes are sent, failures are shown, and a delivery is sent again', async ({ page }) => {
  test.slow();
  const secret = await create(page, 'Failing portal');
  await page.getByRole('button', { name: 'Done' }).click();
  sink.status = 500;
  await admin.post('/api/workspaces', { id: 'engine', name: 'Analytical engine' });
  await expect.poll(() => sink.received.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Deliveries of Failing portal' }).press('Enter');
  const log = page.getByRole('list', { name: 'Deliveries of Failing portal' });
  await expect(log.getByText('the server answered 500').first()).toBeVisible();
  await expect(row(page, 'Failing portal').getByText('Failing', { exact: true })).toBeVisible();
  await expectGoodLayout(page);

  // Disabling ends what waits.
  await page.getByRole('button', { name: 'More actions for Failing portal' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Disable webhook' }).press('Enter');
  await expect(row(page, 'Failing portal').getByText('Disabled', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions for Failing portal' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Enable webhook' }).press('Enter');
  await expect(row(page, 'Failing portal').getByText('Active', { exact: true })).toBeVisible();
  sink.status = 200;
  sink.received.length = 0;
  await log.getByRole('button', { name: /^Redeliver Changes of workspaces/ }).press('Enter');
  await expect(log.getByText('Delivered')).toBeVisible();
  const message = sink.received.find(({ type }) => type === 'workspace.changed');
  expect(message?.data.workspace).toMatchObject({ id: 'engine', name: 'Analytical engine' });
  expect(message?.isSignedWith(secret)).toBe(true);
});
