/** Linking existing accounts to an identity provider. */
import { Actor, PASSWORD } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { signInAtProvider, startProvider } from './support/provider.ts';
import { Server } from './support/server.ts';

test('an email added to an account links it to the identity provider', async ({ page, browser }) => {
  test.slow();
  const provider = await startProvider();
  const own = await Server.start({ env: provider.env });
  provider.serve(own.url);
  const ada = await Actor.first(own.url, own.setUpLink);
  await ada.invite('grace', 'Grace Hopper');

  await page.goto(`${own.url}/admin/users`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Email of Ada Lovelace' }).click();
  await dialogOn(page).getByLabel('Email').fill('ada@example.org');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Email of Grace Hopper' }).press('Enter');
  // An email address belongs to at most one account.
  await dialogOn(page).getByLabel('Email').fill('ADA@example.org');
  await page.keyboard.press('Enter');
  await expect(dialogOn(page).getByText('`ada` has this email address')).toBeVisible();
  await dialogOn(page).getByLabel('Email').fill('grace@example.org');
  await expectGoodLayout(page);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Changed the email of Grace Hopper to grace@example.org')).toBeVisible();
  await expect(dialogOn(page)).toHaveCount(0);
  await expectGoodLayout(page);

  const context = await browser.newContext();
  const graces = await context.newPage();
  await graces.goto(`${own.url}/account`);
  await graces.getByRole('button', { name: /^Sign in with/ }).click();
  await signInAtProvider(graces, 'grace');
  await graces.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await graces.getByRole('button', { name: 'Link account' }).click();
  // The provider was linked to the existing account instead of creating a new one.
  await expect(graces.getByText('grace', { exact: true })).toBeVisible();
  const { users } = await ada.get('/api/admin/users');
  expect(users.map(({ login }: { login: string }) => login)).toEqual(['ada', 'grace']);
  const { id } = users[1];

  // If the account is suspended in the meantime, the page says so instead of prompting for sign-in.
  await ada.patch(`/api/admin/users/${id}`, { isSuspended: true });
  await graces.reload();
  await expect(graces.getByRole('alert')).toContainText('Your account is suspended');
  await context.close();
  await own.end();
  provider.end();
});
