import { Actor, PASSWORD } from './support/actor.ts';
import { looksRight } from './support/looks.ts';
import { Server } from './support/server.ts';
import { expect, test } from './support/stage.ts';

test('the set-up link makes the first account and leads into the product', async ({ page }) => {
  const server = await Server.start();
  await page.goto(server.setUpLink);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Organization').fill('Analytical Engines');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/o/analytical-engines');
  await page.close();
  await server.end();
});

test('the sign-in leads to the page one came for', async ({ page, ada }) => {
  await page.goto(`${ada.url}/o/analytical-engines/people`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/o/analytical-engines/people');
});

test('a reload keeps one signed in, and signing out does not', async ({ page, ada }) => {
  await ada.opens(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a wrong password is said where it is typed, and what was typed stays', async ({ page, ada }) => {
  await page.goto(`${ada.url}/sign-in`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
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
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
});

test('an invitation that was used says so', async ({ page, ada }) => {
  await page.goto(`${ada.url}/join#nothing`);
  await expect(page.getByRole('heading', { name: 'Invalid invitation' })).toBeVisible();
});

test('the sign-in leads to the very page one came for, with its query and whatever signs are in it', async ({
  page,
  ada,
}) => {
  await page.goto(`${ada.url}/o/analytical-engines/people/a%2Fb%20%25?filter=%26&x=1#there`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/o/analytical-engines/**');
  expect(page.url()).toBe(`${ada.url}/o/analytical-engines/people/a%2Fb%20%25?filter=%26&x=1#there`);
});

test('who guesses too often waits, sees how long, and loses nothing', async ({ page, ada }) => {
  await ada.invites('guesser', 'Someone');
  await page.goto(`${ada.url}/sign-in`);
  await page.getByLabel('Login').fill('guesser');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  const button = page.getByRole('button', { name: /^(Sign in|Try again in)/ });
  await expect
    .poll(async () => {
      if (await button.isEnabled()) await button.click();
      return button.textContent();
    })
    .toMatch(/^Try again in \d+ seconds?$/);
  await expect(page.getByRole('alert')).toContainText('Too many attempts');
  await expect(page.getByLabel('Login')).toHaveValue('guesser');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('wrong');
  await expect(button).toHaveText('Sign in', { timeout: 40_000 });
});

test('a set-up link says when it is not whole, and when its work is done', async ({ page, ada }) => {
  await page.goto(`${ada.url}/setup#anything`);
  await expect(page.getByRole('heading', { name: 'Already set up' })).toBeVisible();
  await looksRight(page);
  const fresh = await Server.start();
  await page.goto(`${fresh.url}/setup`);
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
  await page.goto(`${fresh.url}/setup#old`);
  await expect(page.getByRole('heading', { name: 'Create the first account' })).toBeVisible();
  await looksRight(page);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Organization').fill('Engines');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This set-up link is not valid');
  await expect(page.getByLabel('Organization')).toHaveValue('Engines');
  await page.close();
  await fresh.end();
});

test('a server that is away is waited for, and what was typed stays', async ({ page }) => {
  test.slow();
  const first = await Server.start();
  const ada = await Actor.first(first.url, first.setUpLink);
  await page.goto(`${first.url}/sign-in`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await first.stop();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Can’t reach the server');
  const second = await first.again();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();

  // A page that begins while the server is busy goes on by itself.
  await page.route('**/api/auth/refresh', (route) => route.abort());
  await page.goto(`${ada.url}/account`);
  await expect(page.getByRole('heading', { name: 'Can’t reach the server' })).toBeVisible();
  await looksRight(page);
  await page.unroute('**/api/auth/refresh');
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  await page.close();
  await second.end();
});

test('password managers find what they look for', async ({ page, ada }) => {
  await page.goto(`${ada.url}/sign-in`);
  await expect(page.getByLabel('Login')).toHaveAttribute('autocomplete', 'username');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password');
  await expect(page).toHaveTitle('Sign in · Planroom');
  await looksRight(page);
});

test('a first visit fails at nothing, not even behind the page', async ({ page, ada }) => {
  const failed: string[] = [];
  page.on(
    'response',
    (answer) => answer.status() >= 400 && failed.push(`${answer.status()} ${answer.url()}`),
  );
  page.on('console', (message) => failed.push(message.text()));
  await page.goto(ada.url);
  await expect(page.getByLabel('Login')).toBeVisible();
  expect(failed).toEqual([]);
});

test('an address that leads nowhere says so, and a way on', async ({ page, ada }) => {
  await ada.opens(page, '/account/nowhere');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await looksRight(page);
  await page.goto(`${ada.url}/o/somebody-elses`);
  await expect(
    page.getByRole('heading', { name: 'You are not a member of this organization' }),
  ).toBeVisible();
  await looksRight(page);
  await page.getByRole('link', { name: 'Go to your workspaces' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
});
