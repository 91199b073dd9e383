/** The administration: users, tokens, the audit log, the waitlist, and settings. */
import { readFile } from 'node:fs/promises';
import { Actor, PASSWORD } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { Server } from './support/server.ts';
import { visit } from './support/visit.ts';

test('an administrator creates, suspends and restores an account, and creates a token of the instance', async ({
  page,
  browser,
  ada,
}) => {
  test.slow();
  await ada.open(page, '/admin');
  await expect(page.getByText(/You are the only administrator/)).toBeVisible();
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog', { name: 'New user' });
  await dialog.getByLabel('Login').fill('ada');
  await dialog.getByLabel('Name', { exact: true }).fill('Ruth Teitelbaum');
  await dialog.getByLabel('Initial password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await expect(dialog.getByText(/taken|exists|another/)).toBeVisible();
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Ruth Teitelbaum');
  await dialog.getByLabel('Login').fill('ruth');
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await expect(dialog).toBeHidden();
  await expectGoodLayout(page);

  const theirs = await browser.newContext();
  const ruth = await theirs.newPage();
  await new Actor(ada.url, 'ruth', '').open(ruth, '/account');
  await expect(ruth.getByRole('heading', { name: 'Profile' })).toBeVisible();

  await page.getByLabel('Search', { exact: true }).fill('TEITEL');
  await expect(page.getByRole('list', { name: 'Users' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Suspend: Ruth Teitelbaum' }).press('Enter');
  await expect(page.getByRole('dialog', { name: /^Suspend/ })).toContainText('stop working immediately');
  await page
    .getByRole('dialog', { name: /^Suspend/ })
    .getByRole('button', { name: 'Suspend' })
    .press('Enter');
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible();

  // The next action and sign-in fail with the reason.
  await ruth.getByRole('link', { name: 'Access', exact: true }).click();
  await expect(ruth.getByText(/account is suspended/i).first()).toBeVisible();
  await theirs.clearCookies();
  await ruth.goto(`${ada.url}/account/sessions`);
  await ruth.getByLabel('Login').fill('ruth');
  await ruth.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ruth.getByRole('button', { name: 'Sign in' }).click();
  await expect(ruth.getByRole('alert')).toContainText('This account is suspended');

  await page.getByRole('button', { name: 'Lift suspension: Ruth Teitelbaum' }).click();
  await page.getByRole('dialog', { name: /^Lift/ }).getByRole('button', { name: 'Lift suspension' }).click();
  await expect(page.getByText('Suspended', { exact: true })).toBeHidden();
  await ruth.getByRole('button', { name: 'Sign in' }).click();
  await ruth.waitForURL('**/account/sessions');

  // A user who is not an administrator sees why the administration is unavailable.
  await visit(ruth, '/admin/audit');
  await expect(ruth.getByRole('heading', { name: 'Administrators only' })).toBeVisible();
  await expectGoodLayout(ruth);
  await theirs.close();

  // A token of the instance has no access to organizations, and the active organization is kept.
  await visit(page, '/admin/tokens');
  await page.getByLabel('Token name').fill('Backup');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/belongs to no organization/)).toBeVisible();
  const token =
    (await page.getByRole('group', { name: 'Token', exact: true }).getByRole('code').textContent()) ?? '';
  await expectGoodLayout(page);
  const status = async (path: string) =>
    (await fetch(ada.url + path, { headers: { Authorization: `Bearer ${token}` } })).status;
  expect([await status('/api/admin/users'), await status('/api/workspaces')]).toEqual([200, 400]);
  await expect(page.getByRole('button', { name: 'Analytical Engines' })).toBeVisible();
});

test('the audit log is paginated, filtered by event type and user, and exported', async ({ page, ada }) => {
  test.slow();
  const events = page.getByRole('group');
  const type = page.getByLabel('Event type');
  await test.step('older events are shown on request', async () => {
    for (let index = 0; index < 101; index += 1) await ada.post('/api/people', { name: `Person ${index}` });
    await ada.post('/api/workspaces', { id: 'audited', name: 'Audited map' });
    const ledger = { id: 'ledger', name: 'Ledger', typeId: 'service', x: 0, y: 0 };
    await ada.post('/api/workspaces/audited/components', ledger);
    const mia = await ada.invite('mia-audit', 'Mia Audit');
    await mia.post('/api/me/tokens', { name: 'token of Mia' });
    await ada.post('/api/me/tokens', { name: 'token of Ada' });
    for (let index = 0; index < 2; index += 1) await ada.post('/api/me/tokens', { name: `=cmd ${index}` });
    await ada.open(page, '/admin/audit');
    await expect(page.getByText('100 events shown')).toBeVisible();
    await page.getByRole('button', { name: 'Show older events' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'events shown' })).not.toHaveText(/^100 /);
    await expect(events.filter({ hasText: 'token of Ada' })).toHaveCount(1);
  });
  await test.step('filtered by event type', async () => {
    await type.fill('token.create');
    await page.keyboard.press('Enter');
    const event = events.filter({ hasText: 'token.create' }).first();
    await expect(event).toContainText('Ada Lovelace created the token =cmd 1');
    await expect(event.locator('time')).toHaveText(/just now|minutes? ago/);
    await expect(page.getByText('session.begin')).toBeHidden();
    await event.locator('summary').press('Enter');
    await expect(event).toContainText('=cmd 1');
    await expectGoodLayout(page);
  });
  await test.step('exported', async () => {
    const csv = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = await readFile(await (await csv).path(), 'utf8');
    expect(text).toContain('token.create');
    expect(text).not.toContain('session.begin');
    const json = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export JSON' }).click();
    const exported = JSON.parse(await readFile(await (await json).path(), 'utf8'));
    expect(exported[0].details.name).toBe('=cmd 1');
  });
  await test.step('an event type without events', async () => {
    await type.fill('no.such');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/No events of type “no\.such”/)).toBeVisible();
    await type.fill('');
    await page.keyboard.press('Enter');
    await expect(events.filter({ hasText: 'token of Ada' })).toHaveCount(1);
  });
  await test.step('filtered by user, with the keyboard', async () => {
    const user = page.getByRole('combobox', { name: 'User' });
    await user.fill('mia');
    await expect(page.getByRole('option', { name: 'Mia Audit mia-audit' })).toBeVisible();
    await user.press('Enter');
    await expect(user).toHaveValue('Mia Audit');
    await expect(events.filter({ hasText: 'token of Mia' })).toHaveCount(1);
    await expect(events.filter({ hasText: 'token of Ada' })).toHaveCount(0);
    await expectGoodLayout(page);
    // Together with an event type.
    await type.fill('token.revoke');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No events of type “token.revoke” by Mia Audit.')).toBeVisible();
    await type.fill('');
    await user.fill('all');
    await user.press('Enter');
    await expect(events.filter({ hasText: 'token of Ada' })).toHaveCount(1);
  });
  await test.step('events name objects and link to them', async () => {
    const event = events.filter({ hasText: 'component.create' }).first();
    await expect(event).toContainText('Ada Lovelace created the component Ledger in Audited map');
    await event.locator('summary').press('Enter');
    await event.getByRole('link', { name: 'Ledger' }).press('Enter');
    await page.waitForURL('**/o/analytical-engines/w/audited?c=ledger**');
  });
});

test('a person on the waitlist is invited', async ({ page, browser, ada }) => {
  test.slow();
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(`${ada.url}/sign-in`);
  await visitor.getByRole('button', { name: /Request access/ }).click();
  await visitor.getByLabel('Email').fill('nobody');
  await visitor.getByRole('button', { name: 'Request access' }).click();
  await expect(visitor.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await visitor.getByLabel('Email').fill('marlyn@example.org');
  await visitor.getByLabel(/^What you want to map/).fill('Trajectories\n<img src=x>');
  await expectGoodLayout(visitor);
  await visitor.getByRole('button', { name: 'Request access' }).click();
  await expect(visitor.getByText(/You are on the waitlist/)).toBeVisible();

  await ada.open(page, '/admin/waitlist');
  await expect(page.getByText('<img src=x>')).toBeVisible();
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Invite marlyn@example.org' }).click();
  await dialogOn(page).getByRole('button', { name: 'Create invite link' }).click();
  const link =
    (await page.getByRole('group', { name: 'Invitation link' }).getByRole('code').textContent()) ?? '';
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { name: /^Join/ })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Remove marlyn@example.org' }).click();
  await dialogOn(page).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('The waitlist is empty.')).toBeVisible();
  await context.close();
});

test('a setting is changed and reset, configured settings are locked, and secrets are never shown', async ({
  page,
}) => {
  test.slow();
  const server = await Server.start({ env: { PLANROOM_HISTORY_DAYS: '30' } });
  const ada = await Actor.first(server.url, server.setUpLink);
  await ada.open(page, '/admin/settings');
  const row = (key: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(key, { exact: true }).first() });
  await expect(row('history.days')).toContainText('Retention of the change history');
  await expect(row('history.days')).toContainText('Value: 30.');
  await expect(row('history.days')).toContainText('PLANROOM_HISTORY_DAYS');
  await expect(row('history.days').getByRole('textbox')).toHaveCount(0);
  await expectGoodLayout(page);

  await page.getByLabel('Instance name').fill(' spaces ');
  await page.keyboard.press('Enter');
  await expect(row('instance.name')).toContainText(/must be/i);
  await page.getByLabel('Instance name').fill('Plans of Acme');
  await page.keyboard.press('Enter');
  await expect(row('instance.name')).toContainText('Set here');
  await expect(page).toHaveTitle('Settings · Administration · Plans of Acme');
  await page.getByRole('button', { name: 'Reset to Planroom Instance name' }).click();
  await expect(row('instance.name')).toContainText('Default');

  await page.getByLabel('Wiki client secret').fill('hush hush');
  await page.getByRole('button', { name: 'Save Wiki client secret' }).click();
  await expect(row('wiki.client_secret')).toContainText('Set');
  await expect(page.getByLabel('Wiki client secret')).toHaveValue('');
  await page.reload();
  await expect(page.getByLabel('Wiki client secret')).toHaveValue('');
  await page.close();
  await server.end();
});

test('an administrator without an organization manages the instance and creates one', async ({
  page,
  ada,
}) => {
  const created = await ada.post('/api/admin/users', {
    login: 'operator',
    displayName: 'Olga Operator',
    password: PASSWORD,
  });
  await ada.patch(`/api/admin/users/${created.user?.id ?? created.id}`, { isAdmin: true });
  await page.goto(`${ada.url}/sign-in`);
  await page.getByLabel('Login').fill('operator');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'You are not in an organization yet' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Organization', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Your organizations']);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'administration' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Olga Operator' })).toContainText('You');
  await page.goBack();
  await page.getByRole('button', { name: 'New organization' }).press('Enter');
  await dialogOn(page).getByLabel('Name', { exact: true }).fill('Operations');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/o/operations');
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
});
