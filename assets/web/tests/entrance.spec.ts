import { PASSWORD } from './support/actor.ts';
import { Server } from './support/server.ts';
import { expect, test } from './support/stage.ts';

test('the set-up link makes the first account and leads into the product', async ({ page }) => {
  const server = await Server.start();
  await page.goto(server.setUpLink);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Organization').fill('Analytical Engines');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/o/analytical-engines');
  await server.end();
});

test('the sign-in leads to the page one came for', async ({ page, ada }) => {
  await page.goto(`${ada.url}/o/analytical-engines/people`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/o/analytical-engines/people');
});

test('a reload keeps one signed in, and signing out does not', async ({ page, ada }) => {
  await ada.opens(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Workspaces' })).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a wrong password is said where it is typed, and what was typed stays', async ({ page, ada }) => {
  await page.goto(`${ada.url}/sign-in`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Login')).toHaveValue('ada');
});

test('a sign-in page leads nowhere but to this site', async ({ page, ada }) => {
  await ada.opens(page, '//elsewhere.example/x');
  expect(new URL(page.url()).host).toBe(new URL(ada.url).host);
});

test('an invitation makes an account in the organization', async ({ page, ada }) => {
  const { organizations } = await ada.get('/api/orgs');
  const { url } = await ada.post(`/api/orgs/${organizations[0].id}/invitations`, { role: 'org:member' });
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Join Analytical Engines' })).toBeVisible();
  await page.getByLabel('Login').fill('charles');
  await page.getByLabel('Your name').fill('Charles Babbage');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces' })).toBeVisible();
});

test('an invitation that was used says so', async ({ page, ada }) => {
  await page.goto(`${ada.url}/join#nothing`);
  await expect(page.getByRole('heading', { name: 'This invitation cannot be used' })).toBeVisible();
});
