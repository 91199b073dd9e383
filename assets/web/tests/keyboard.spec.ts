/** Tests that use only the keyboard and focus elements only with Tab. */
import { readFile } from 'node:fs/promises';
import { PASSWORD } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { Keyboard } from './support/keyboard.ts';
import { nextTotp, totp } from './support/totp.ts';
import { visit } from './support/visit.ts';
import { wikipedia } from './support/workspaces.ts';

const ORG = '/o/analytical-engines';
const SHOP = new URL('../../../examples/web-shop.json', import.meta.url).pathname;

test('people, teams and roles are created, joined, ordered and deleted', async ({ page, ada }) => {
  test.slow();
  const keys = new Keyboard(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  await ada.open(page, `${ORG}/people`);
  await keys.press(button('New'));
  await expect(dialogOn(page).getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type('Katherine Johnson');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Katherine Johnson' })).toBeVisible();
  await keys.press(button('Edit'));
  await keys.fill(page.getByLabel('Title'), 'Trajectories');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').getByText('Trajectories')).toBeVisible();

  await keys.press(page.getByRole('link', { name: 'Teams', exact: true }));
  await keys.press(button('New'));
  await expect(dialogOn(page).getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type('Guidance');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Guidance' })).toBeVisible();
  await keys.fill(page.getByRole('combobox', { name: 'Add member' }), 'Katherine J');
  await page.getByRole('option', { name: /Katherine Johnson/ }).waitFor();
  await page.keyboard.press('Enter');
  await keys.press(button('Add'));
  await keys.focus(page.getByRole('combobox', { name: /^Team role of Katherine Johnson/ }), 'Shift+Tab');
  await page.keyboard.type('lead');
  const lead = async () =>
    (await ada.get('/api/teams/guidance')).members.map(({ role }: { role: string }) => role);
  await expect.poll(lead).toEqual(['lead']);
  await keys.press(button('Delete'));
  await keys.press(dialogOn(page).getByRole('button', { name: 'Delete team' }));
  await page.waitForURL('**/teams');
  await expect(page.getByRole('link', { name: /Guidance/ })).toHaveCount(0);

  await keys.press(page.getByRole('link', { name: 'Roles', exact: true }));
  await keys.press(button('New role'));
  await expect(dialogOn(page).getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type('On call');
  await page.keyboard.press('Enter');
  await expect(page.getByText('On call', { exact: true })).toBeVisible();
  const order = async () =>
    (await ada.get('/api/stakeholder-link-types')).types.map(({ id }: { id: string }) => id);
  const before = await order();
  expect(before.at(-1)).toBe('on-call');
  await keys.press(button(/Move On call up/));
  await expect.poll(order).toEqual([...before.slice(0, -2), 'on-call', before.at(-2)]);
  await keys.press(button(/Delete .*On call/));
  await keys.press(dialogOn(page).getByRole('button', { name: 'Delete role', exact: true }));
  await expect.poll(order).not.toContain('on-call');
});

test('a workspace is created from the sample and replaced from a file', async ({ page, ada }) => {
  test.slow();
  const keys = new Keyboard(page);
  await ada.open(page, ORG);
  await keys.press(page.getByRole('button', { name: 'New workspace' }));
  const dialog = dialogOn(page);
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  await keys.focus(dialog.getByRole('radio', { name: /^Blank/ }), 'Shift+Tab');
  // The sample is the last choice.
  await page.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('radio', { name: /^Sample/ })).toBeChecked();
  await keys.fill(dialog.getByLabel('Name', { exact: true }), 'Keys only');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/w/**');
  // Until the map is loaded, the previous page with its dialog is only hidden.
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  const { workspaces } = await ada.get('/api/workspaces');
  const { id } = workspaces.find((workspace: { name: string }) => workspace.name === 'Keys only');

  await visit(page, ORG);
  await keys.choose(page.getByRole('button', { name: 'Actions for Keys only' }), 'Replace from file…');
  // The file chooser is a browser dialog. Open it by keyboard and let the test set the file.
  const chooser = page.waitForEvent('filechooser');
  await keys.press(dialog.getByRole('button', { name: 'Choose file' }));
  await (await chooser).setFiles(SHOP);
  await expect(dialog.getByText('9 components')).toBeVisible();
  await keys.press(dialog.getByRole('button', { name: /^(Import|Replace)/ }).last());
  const expectedCount = JSON.parse(await readFile(SHOP, 'utf8')).components.length;
  await expect
    .poll(async () => (await ada.get(`/api/workspaces/${id}`)).components.length)
    .toBe(expectedCount);
});

test('two change sets are compared on the map, and one state is restored', async ({ page, ada }) => {
  test.slow();
  const keys = new Keyboard(page);
  const id = await wikipedia(ada);
  await ada.patch(`/api/workspaces/${id}/components/parsoid`, { name: 'Parser' });
  await ada.post(`/api/workspaces/${id}/components`, { id: 'extra', typeId: 'service', name: 'Extra' });
  await ada.open(page, `${ORG}/w/${id}`);
  await keys.press(page.getByRole('link', { name: 'History', exact: true }));
  await keys.fill(page.getByLabel('Version name'), 'Before the cut');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Saved versions' })).toContainText('Before the cut');
  const menu = (of: RegExp) => page.getByRole('button', { name: of });
  await keys.focus(menu(/Actions for: changed name/), 'Shift+Tab');
  await keys.choose(menu(/Actions for: changed name/), 'Select for comparison');
  await keys.focus(menu(/Actions for: added component “Extra”/), 'Shift+Tab');
  await keys.choose(menu(/Actions for: added component “Extra”/), 'Compare with selected');
  const sheet = page.getByRole('region', { name: 'Changes' });
  await expect(sheet.getByText('1 component added')).toBeVisible();
  await keys.press(sheet.getByRole('button', { name: /Extra/ }));
  await expect(page.locator('[data-component="extra"]')).toBeInViewport();
  await keys.focus(sheet.getByRole('button', { name: 'Close comparison' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(sheet).toBeHidden();
  await keys.focus(page.getByRole('button', { name: 'Back to current' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Viewing /)).toBeHidden();
});

test('password, tokens and two-factor authentication are set up in the account', async ({ page, ada }) => {
  test.slow();
  const keys = new Keyboard(page);
  const mary = await ada.invite('mary-keys', 'Mary Jackson');
  await mary.open(page, '/account');
  const section = (name: string) => page.getByRole('link', { name, exact: true });
  const fresh = 'a wholly different phrase';
  await keys.press(section('Password'));
  await keys.fill(page.getByLabel('Current password'), PASSWORD);
  await keys.fill(page.getByLabel('New password', { exact: true }), fresh);
  await page.keyboard.press('Enter');
  await expect(page.getByText('All your other sessions are signed out')).toBeVisible();

  await keys.focus(section('Two-factor authentication'));
  await page.keyboard.press('Enter');
  await keys.press(page.getByRole('button', { name: 'Set up two-factor authentication' }));
  await expect(dialogOn(page).getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(fresh);
  await page.keyboard.press('Enter');
  const secret =
    (await page
      .getByRole('group', { name: /^Or enter this secret/ })
      .getByRole('code')
      .textContent()) ?? '';
  await keys.fill(page.getByLabel('Code', { exact: true }), totp(secret));
  await page.keyboard.press('Enter');
  await keys.press(page.getByLabel('I have saved the codes'), 'Space');
  await keys.press(page.getByRole('button', { name: 'Done' }));
  await expect(page.getByText('Recovery codes remaining')).toBeVisible();

  // When the session expires, a dialog over the page prompts for the password and code.
  await page.context().clearCookies();
  const expired = { status: 401, json: { error: 'the session is over' } };
  await page.route('**/api/me/sessions', (route) => route.fulfill(expired), { times: 1 });
  await keys.focus(section('Access'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Session expired' });
  await expect(dialog.getByLabel(/^Password for mary-keys/)).toBeFocused();
  await page.keyboard.type(fresh);
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Authentication code')).toBeFocused();
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Authentication code')).toHaveValue('000000');
  await keys.fill(dialog.getByLabel('Authentication code'), nextTotp(secret));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('This browser')).toBeVisible();
  await keys.fill(page.getByLabel('Token name'), 'Backup');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Token', exact: true })).toBeVisible();
  await keys.press(page.getByRole('button', { name: 'Done' }));
  await keys.press(page.getByRole('button', { name: 'Revoke Backup' }));
  await keys.press(dialogOn(page).getByRole('button', { name: 'Revoke token' }));
  await expect(page.getByText(/^No tokens yet/)).toBeVisible();
});

test('a member is invited, made an administrator, and removed with a new owner for their workspaces', async ({
  page,
  ada,
}) => {
  test.slow();
  const keys = new Keyboard(page);
  const dot = await ada.invite('dot-keys', 'Dorothy Vaughan');
  await dot.post('/api/workspaces', { id: 'west-computers', name: 'West computers', visibility: 'private' });
  await ada.open(page, `${ORG}/settings`);
  await keys.press(page.getByRole('link', { name: 'Invitations', exact: true }));
  await keys.fill(page.getByLabel('Email'), 'annie@example.org');
  await page.keyboard.press('Enter');
  await keys.press(page.getByRole('button', { name: 'Done' }));
  await keys.press(page.getByRole('button', { name: /^Revoke invitation for annie/ }));
  await keys.press(dialogOn(page).getByRole('button', { name: 'Revoke invitation' }));
  await expect(page.getByRole('button', { name: /^Revoke invitation for annie/ })).toHaveCount(0);

  await keys.focus(page.getByRole('link', { name: 'Members', exact: true }));
  await page.keyboard.press('Enter');
  const level = page.getByLabel('Role of Dorothy Vaughan');
  await keys.focus(level);
  await page.keyboard.type('Admin');
  await expect(level).toHaveValue('org:admin');
  await keys.press(page.getByRole('button', { name: 'Remove Dorothy Vaughan' }));
  const dialog = dialogOn(page);
  await keys.press(dialog.getByRole('button', { name: 'Remove' }));
  await expect(dialog.getByRole('alert')).toContainText('West computers');
  await keys.focus(dialog.getByLabel('New owner'));
  await page.keyboard.type('Ada');
  await keys.press(dialog.getByRole('button', { name: 'Remove' }));
  await expect(dialog).toBeHidden();
  expect((await ada.get('/api/workspaces/west-computers')).workspace.myRole).toBe('owner');
});
