/** The help menu and the documentation that the server serves. */
import { expectAccessible, expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';

test('the help menu opens shortcuts, the documentation and the changelog using only the keyboard', async ({
  page,
  ada,
}) => {
  await ada.open(page, '/');
  const help = page.getByRole('button', { name: 'Help', exact: true });
  await help.press('Enter');
  await expectNoViolations(page, '[role=menu]');
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  for (const [name, heading, url] of [
    ['Documentation', 'Planroom', '/docs'],
    [/^What’s new in version \d/, 'Changelog', '/docs/changelog'],
  ] as const) {
    await help.press('Enter');
    const opened = page.waitForEvent('popup');
    await page.getByRole('menuitem', { name }).press('Enter');
    const tab = await opened;
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(heading);
    expect(new URL(tab.url()).pathname).toBe(url);
    await tab.close();
  }
});

test('on a phone the account menu has the help entries', async ({ page, ada }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await ada.open(page, '/');
  await expect(page.getByRole('button', { name: 'Help', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: /^Account: / }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Documentation' })).toBeVisible();
});

test('the documentation is accessible, its links work, and it needs no scripts', async ({
  page,
  browser,
  ada,
}) => {
  test.slow();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${ada.url}/docs`);
  await plain
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Operations' })
    .click();
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Operations');
  const contents = plain.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link').nth(3).click();
  await expect(plain).toHaveURL(/\/docs\/operations#\w/);
  await context.close();

  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(ada.url)) foreign.push(request.url());
  });
  for (const path of ['/docs', '/docs/api', '/docs/operations', '/docs/changelog']) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(ada.url + path);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${path} is wider than a phone`).toBeLessThanOrEqual(0);
  }
  expect(foreign).toEqual([]);
  await page.goto(`${ada.url}/docs/reference/`);
  await expect(page.getByText('/openapi.json').first()).toBeVisible({ timeout: 60_000 });
});
