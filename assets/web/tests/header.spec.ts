/** The app bar and the help menu on all pages, also on a phone, and the documentation that the server serves. */
import { expectAccessible, expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines';
const PHONE = { width: 390, height: 844 };

test('the app bar shows the title, tabs, members and help, also on a phone', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await test.step('every page has a document title', async () => {
    const name = 'How Wikipedia works';
    await ada.open(page, HOME);
    await expect(page).toHaveTitle('Workspaces · Analytical Engines · Planroom');
    const titles = {
      [`w/${id}`]: `${name} · Planroom`,
      [`w/${id}/table`]: `Table · ${name} · Planroom`,
      [`w/${id}/processes`]: `Processes · ${name} · Planroom`,
      [`w/${id}/processes/read-an-article`]: `A reader opens an article · ${name} · Planroom`,
      [`w/${id}/history`]: `History · ${name} · Planroom`,
      teams: 'Teams · Analytical Engines · Planroom',
      'teams/mediawiki-platform': 'MediaWiki platform · Analytical Engines · Planroom',
      unanswered: 'No owner · Analytical Engines · Planroom',
      'w/there-is-none': 'Workspace not found · Planroom',
    };
    for (const [path, title] of Object.entries(titles)) {
      await visit(page, `${HOME}/${path}`);
      await expect(page).toHaveTitle(title);
    }
    // The app bar of a missing workspace has no links to its screens.
    await expect(page.getByRole('link', { name: 'Table' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Go to your workspaces' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  });
  await test.step('the help menu opens shortcuts, the documentation and the changelog using only the keyboard', async () => {
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
  await test.step('member names are readable next to their access level', async () => {
    await visit(page, `${HOME}/w/${id}`);
    await page.getByRole('button', { name: 'Show inspector' }).click();
    await page.getByRole('button', { name: 'Manage access' }).click();
    const member = page.getByRole('list', { name: 'Members' }).getByText('Ada Lovelace');
    await expect(member).toBeVisible();
    expect(await member.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await page.keyboard.press('Escape');
  });
  await test.step('on a phone all tabs are fully visible', async () => {
    await page.setViewportSize(PHONE);
    const pages = [
      { path: `w/${id}/history`, tabs: 'Workspace', count: 6 },
      { path: 'unanswered', tabs: 'Directory sections', count: 5 },
    ];
    for (const { path, tabs, count } of pages) {
      await visit(page, `${HOME}/${path}`);
      const links = page.getByRole('navigation', { name: tabs }).getByRole('link');
      await expect(links).toHaveCount(count);
      for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 0.999 });
    }
  });
  await test.step('on a phone the account menu has the help entries', async () => {
    await visit(page, HOME);
    await expect(page.getByRole('button', { name: 'Help', exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: /^Account: / }).press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Documentation' })).toBeVisible();
  });
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
    await page.setViewportSize(PHONE);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${path} is wider than a phone`).toBeLessThanOrEqual(0);
  }
  expect(foreign).toEqual([]);
  await page.goto(`${ada.url}/docs/reference/`);
  await expect(page.getByText('/openapi.json').first()).toBeVisible({ timeout: 60_000 });
});
