import { Actor, PASSWORD } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { Server } from './support/server.ts';
import { visit } from './support/visit.ts';

const SETTINGS = '/o/analytical-engines/settings';

test('an organization is created, joined by invitation, and its members are removed', async ({
  page,
  browser,
  ada,
}) => {
  test.slow();
  // Before the client loads and keeps the list of members.
  const kay = await ada.invite('kathleen', 'Kathleen Antonelli');
  await kay.post('/api/workspaces', { id: 'ballistics', name: 'Ballistics', visibility: 'private' });
  await test.step('an invitation is created using only the keyboard, accepted, and revoked', async () => {
    await ada.open(page, `${SETTINGS}/invitations`);
    await page.getByLabel('Email').focus();
    await page.keyboard.type('no address');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('charles@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Admin');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const link =
      (await page.getByRole('group', { name: 'Invitation link' }).getByRole('code').textContent()) ?? '';
    await expectGoodLayout(page);
    await page.getByRole('button', { name: 'Done' }).press('Enter');

    const theirs = await browser.newContext();
    const charles = await theirs.newPage();
    const missing: string[] = [];
    charles.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await charles.goto(link);
    await expect(
      charles.getByText('You are invited as an administrator (charles@example.org)'),
    ).toBeVisible();
    await expectGoodLayout(charles);
    await charles.getByLabel('Login').fill('charles.b');
    await charles.getByLabel('Your name').fill('Charles Babbage');
    await charles.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await charles.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(charles.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
    // A used invitation is not requested again.
    expect(missing).toEqual([]);
    await theirs.close();

    await page.reload();
    await expect(page.getByRole('listitem').filter({ hasText: 'charles@example.org' })).toContainText(
      'by Charles Babbage',
    );
    await page.getByRole('button', { name: 'Create invite link' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: /^Revoke invitation of/ }).click();
    await dialogOn(page).getByRole('button', { name: 'Revoke invitation' }).click();
    await expect(page.getByRole('button', { name: /^Revoke invitation of/ })).toHaveCount(0);
  });

  await test.step('removing the only owner of workspaces requires a new owner', async () => {
    await visit(page, `${SETTINGS}/members`);
    await expect(page.getByRole('listitem').filter({ hasText: 'Kathleen' })).toBeVisible();
    await expectGoodLayout(page);
    await page.getByRole('button', { name: 'Remove Kathleen Antonelli' }).click();
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Ballistics');
    await expect(dialog.getByRole('button', { name: 'Remove' })).toBeDisabled();
    await expectGoodLayout(page);
    await dialog.getByLabel('New owner').selectOption('Ada Lovelace');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    // While the dialog is open, the page behind it is hidden from the accessibility tree.
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('listitem').filter({ hasText: 'Kathleen' })).toBeHidden();
    expect((await ada.get('/api/workspaces/ballistics')).workspace.myRole).toBe('owner');
  });

  await test.step('an organization is created and renamed, and unusual names are shown as text', async () => {
    await visit(page, SETTINGS);
    await page.getByRole('button', { name: 'New organization' }).click();
    const dialog = dialogOn(page);
    await dialog.getByLabel('Name', { exact: true }).fill('x'.repeat(201));
    await dialog.getByLabel('Name', { exact: true }).fill('Difference & Söhne');
    await expect(dialog.getByLabel('URL slug')).toHaveAttribute('placeholder', 'difference-sohne');
    await dialog.getByLabel('URL slug').fill('difference');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await page.waitForURL('**/o/difference');
    await expect(dialog).toBeHidden();
    await visit(page, '/o/difference/settings');
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(10_000));
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('x'.repeat(10_000));
    await page.getByLabel('Name', { exact: true }).fill('<script>alert(1)</script> 漢字');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByRole('button', { name: '<script>alert(1)</script> 漢字' })).toBeVisible();
    await expectGoodLayout(page);
  });
});

test('the only administrator cannot leave until there is another', async ({ page }) => {
  const own = await Server.start();
  const ada = await Actor.first(own.url, own.setUpLink);
  await ada.invite('grace', 'Grace Hopper');
  await ada.open(page, `${SETTINGS}/members`);
  await expect(page.getByText(/You are the only administrator/)).toBeVisible();
  await expect(page.getByLabel('Role of Ada Lovelace')).toBeDisabled();
  await page.getByLabel('Role of Grace Hopper').selectOption('Administrator');
  await expect(page.getByLabel('Role of Ada Lovelace')).toBeEnabled();
  await page.getByRole('button', { name: 'Leave organization' }).click();
  await dialogOn(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: /You are not in an organization yet/ })).toBeVisible();
  await page.close();
  await own.end();
});

test('members see why settings are read-only, who can create organizations, and can leave', async ({
  page,
  ada,
}) => {
  test.slow();
  const fran = await ada.invite('fran', 'Fran Bilas');
  await test.step('a member sees why settings are read-only', async () => {
    await fran.open(page, SETTINGS);
    for (const section of ['General', 'Members', 'Invitations']) {
      await page.getByRole('link', { name: section }).click();
      await expect(page.getByText(/administrators of/).first()).toBeVisible();
      await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
    }
    await expectGoodLayout(page);
  });

  await test.step('members see kinds but cannot edit them', async () => {
    await ada.post('/api/kinds', { id: 'seen', name: 'Seen by members', baseType: 'database' });
    await page.getByRole('link', { name: 'Kinds' }).click();
    await expect(page.getByText('Organization administrators edit them.')).toBeVisible();
    await expect(page.getByText('Seen by members', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /New kind|Edit|Delete/ })).toHaveCount(0);
    await ada.delete('/api/kinds/seen');
  });

  await test.step('only permitted users can create organizations, and a rejected form keeps its input', async () => {
    await visit(page, '/account/organizations');
    await expect(
      page.getByText('Only administrators of this instance can create organizations.'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'New organization' })).toHaveCount(0);
    await ada.patch('/api/admin/settings', { 'organizations.creation': 'everyone' });
    await page.reload();
    await page.getByRole('button', { name: 'New organization' }).click();
    const dialog = dialogOn(page);
    await dialog.getByLabel('Name', { exact: true }).fill('Programmers');
    await ada.patch('/api/admin/settings', { 'organizations.creation': null });
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await expect(dialog.getByRole('alert')).toContainText(
      'Ask one of them to create “Programmers” and invite you',
    );
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Programmers');
    const { organizations } = await fran.get('/api/orgs');
    expect(organizations).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('a member leaves', async () => {
    await page.getByRole('button', { name: 'Leave Analytical Engines' }).click();
    await dialogOn(page).getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByText(/You are not a member of any organization/)).toBeVisible();
  });
});
