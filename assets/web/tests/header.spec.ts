/** The app bar shows the current page and links to others, also on a phone. */

import { expect, test } from './support/fixtures.ts';
import { wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines';

test('every page has a document title', async ({ page, ada }) => {
  const id = await wikipedia(ada);
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
    await page.goto(`${ada.url}${HOME}/${path}`);
    await expect(page).toHaveTitle(title);
  }
  // The app bar of a missing workspace has no links to its screens.
  await expect(page.getByRole('link', { name: 'Table' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to your workspaces' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
});

test('on a phone all tabs are fully visible', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await page.setViewportSize({ width: 390, height: 844 });
  await ada.open(page, `${HOME}/w/${id}/history`);
  const pages = [
    { path: `w/${id}/history`, tabs: 'Workspace', count: 6 },
    { path: 'unanswered', tabs: 'Directory sections', count: 5 },
  ];
  for (const { path, tabs, count } of pages) {
    await page.goto(`${ada.url}${HOME}/${path}`);
    const links = page.getByRole('navigation', { name: tabs }).getByRole('link');
    await expect(links).toHaveCount(count);
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 0.999 });
  }
});

test('member names are readable next to their access level', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await ada.open(page, `${HOME}/w/${id}`);
  await page.getByRole('button', { name: 'Show inspector' }).click();
  await page.getByRole('button', { name: 'Manage access' }).click();
  const member = page.getByRole('list', { name: 'Members' }).getByText('Ada Lovelace');
  await expect(member).toBeVisible();
  expect(await member.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
});
