/** Set-up, sign-in, invitations, and what they say when something is wrong. */
import { Actor, PASSWORD } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { Server } from './support/server.ts';
import { visit } from './support/visit.ts';

test('the setup link creates the first account, and mistakes are explained', async ({ page }) => {
  const server = await Server.start();
  const password = page.getByLabel('Password', { exact: true });

  await test.step('an incomplete or used link is explained', async () => {
    await page.goto(`${server.url}/setup`);
    await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
    await page.goto(`${server.url}/setup#old`);
    await expect(page.getByRole('heading', { name: 'Create the first account' })).toBeVisible();
    await expectGoodLayout(page);
    await page.getByLabel('Login').fill('ada');
    await page.getByLabel('Your name').fill('Ada');
    await password.fill(PASSWORD);
    await page.getByLabel('Organization').fill('Engines');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('This setup link is not valid');
    await expect(page.getByLabel('Organization')).toHaveValue('Engines');
  });

  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/setup')) requests.push(request.method());
  });
  await test.step('an empty form shows the errors of all its fields without a request', async () => {
    await page.goto('about:blank');
    await page.goto(server.setUpLink);
    await password.fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('Must not be empty.')).toHaveCount(3);
    await expect(page.getByText('Must have at least 8 characters.')).toBeVisible();
    await expect(page.getByLabel('Login')).toBeFocused();
    await expect(password).toHaveValue('short');
    await page.getByLabel('Login').fill('ada');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Organization').press('Enter');
    await expect(page.getByText('Must not be empty.')).toHaveCount(1);
    await expect(password).toBeFocused();
    expect(requests).toEqual([]);
  });

  await password.fill(PASSWORD);
  await page.getByLabel('Organization').fill('Analytical Engines');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/o/analytical-engines');
  expect(requests).toEqual(['POST']);
  await page.close();
  await server.end();
});

test('without a session, the client shows sign-in, explains links, and accepts an invitation', async ({
  page,
  ada,
}) => {
  const { organizations } = await ada.get('/api/orgs');
  const { url } = await ada.post(`/api/orgs/${organizations[0].id}/invitations`, { role: 'org:member' });

  await test.step('a first visit causes no failed requests', async () => {
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

  await test.step('password managers detect the sign-in fields', async () => {
    await expect(page.getByLabel('Login')).toHaveAttribute('autocomplete', 'username');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute(
      'autocomplete',
      'current-password',
    );
    await expect(page).toHaveTitle('Sign in · Planroom');
    await expectGoodLayout(page);
  });

  await test.step('a wrong password is reported next to the field and the input is kept', async () => {
    await page.getByLabel('Login').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByLabel('Login')).toHaveValue('ada');
  });

  await test.step('used links are explained', async () => {
    await visit(page, '/setup#anything');
    await expect(page.getByRole('heading', { name: 'Already set up' })).toBeVisible();
    await expectGoodLayout(page);
    await visit(page, '/join#nothing');
    await expect(page.getByRole('heading', { name: 'Invalid invitation' })).toBeVisible();
  });

  await test.step('an invitation creates an account in the organization', async () => {
    await page.goto('about:blank');
    await page.goto(url);
    await expect(page.getByRole('heading', { name: 'Join Analytical Engines' })).toBeVisible();
    await page.getByLabel('Login').fill('charles');
    await page.getByLabel('Your name').fill('Charles Babbage');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  });
});

test('sign-in returns to the exact URL, a reload keeps the session, and unknown URLs are explained', async ({
  page,
  ada,
}) => {
  const signIn = async () => {
    await page.getByLabel('Login').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  };

  await test.step('sign-in returns to the exact URL, with its query and special characters', async () => {
    await page.goto(`${ada.url}/o/analytical-engines/people/a%2Fb%20%25?filter=%26&x=1#there`);
    await signIn();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/o/analytical-engines/**');
    expect(page.url()).toBe(`${ada.url}/o/analytical-engines/people/a%2Fb%20%25?filter=%26&x=1#there`);
  });

  await test.step('a reload keeps the session, and signing out ends it', async () => {
    await visit(page, '/');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  await test.step('sign-in returns to a page of the client', async () => {
    await visit(page, '/o/analytical-engines/people');
    await signIn();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/o/analytical-engines/people');
  });

  await test.step('it never redirects to another site, and unknown URLs show what is missing', async () => {
    await page.goto(`${ada.url}//elsewhere.example/x`);
    expect(new URL(page.url()).host).toBe(new URL(ada.url).host);
    await visit(page, '/account/nowhere');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expectGoodLayout(page);
    await visit(page, '/o/somebody-elses');
    await expect(
      page.getByRole('heading', { name: 'You are not a member of this organization' }),
    ).toBeVisible();
    await expectGoodLayout(page);
    await page.getByRole('link', { name: 'Go to your workspaces' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  });
});

test('rate limiting shows the remaining wait and keeps the input', async ({ page, ada }) => {
  await ada.invite('guesser', 'Someone');
  await page.clock.install();
  await page.goto(`${ada.url}/sign-in`);
  await page.getByLabel('Login').fill('guesser');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  const button = page.getByRole('button', { name: /^(Sign in|Try again in)/ });
  // Several attempts are allowed. With the growing intervals of a poll, a slow machine would not reach the limit in time.
  await expect
    .poll(
      async () => {
        if (await button.isEnabled()) await button.click();
        return button.textContent();
      },
      { intervals: [50] },
    )
    .toMatch(/^Try again in \d+ seconds?$/);
  await expect(page.getByRole('alert')).toContainText('Too many attempts');
  await expect(page.getByLabel('Login')).toHaveValue('guesser');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('wrong');
  await page.clock.runFor('01:00');
  await expect(button).toHaveText('Sign in');
});

test('an unreachable server is retried and the input is kept', async ({ page }) => {
  test.slow();
  const first = await Server.start();
  const ada = await Actor.first(first.url, first.setUpLink);
  await page.goto(`${first.url}/sign-in`);
  await page.getByLabel('Login').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await first.stop();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Can’t reach the server');
  const second = await first.restart();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();

  // A page that loads while the server is busy retries.
  await page.route('**/api/auth/refresh', (route) => route.abort());
  await page.goto(`${ada.url}/account`);
  await expect(page.getByRole('heading', { name: 'Can’t reach the server' })).toBeVisible();
  await expectGoodLayout(page);
  await page.unroute('**/api/auth/refresh');
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  await page.close();
  await second.end();
});
