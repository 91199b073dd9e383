import { expect, test } from './support/fixtures.ts';
import { openMap, openSidePanel, searchByKeyboard, wikipedia } from './support/workspaces.ts';

test('search finds components by name, type, person and description', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  for (const [query, name] of [
    ['geo dn', 'Geo DNS'],
    ['pages edits permissions', 'MediaWiki'],
    ['mei search-index', 'Search index'],
  ] as const) {
    await searchByKeyboard(page, query);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue(name);
  }
});

test('a search result receives the focus', async ({ page, ada }) => {
  await openMap(ada, page, await wikipedia(ada));
  await searchByKeyboard(page, 'parsoid');
  await page.getByRole('option', { name: /Parsoid/ }).waitFor();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-component="parsoid"]')).toBeFocused();
});

test('a lens has a legend, and its entries filter the map', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
  const panel = await openSidePanel(page);
  await panel.getByText('Owner', { exact: true }).click();
  const legend = panel.getByRole('list', { name: 'Legend' });
  await expect(legend.getByRole('button', { name: 'No owner' })).toContainText('7');
  const counts = await legend.getByRole('listitem').allInnerTexts();
  expect(counts.map((text) => Number(text.match(/\d+$/)?.[0])).reduce((sum, count) => sum + count, 0)).toBe(
    36,
  );
  await legend.getByRole('button', { name: 'No owner' }).click();
  await expect(panel.getByText('Showing 7 of 36')).toBeVisible();
  await panel.getByText('Lifecycle', { exact: true }).first().click();
  await panel.getByRole('button', { name: /^Live/ }).click();
  await expect(panel.getByText(/Showing [1-9] of 36/)).toBeVisible();
  await panel.getByRole('button', { name: 'Clear filters' }).click();
  await expect(panel.getByText(/Showing/)).toBeHidden();
});

test('the side panel has filters, processes and components without an owner', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
  const panel = await openSidePanel(page);
  await panel.getByText('People and teams', { exact: true }).click();
  await panel.getByRole('checkbox', { name: /Mei Tanaka/ }).check();
  await expect(panel.getByText(/Showing \d+ of 36/)).toBeVisible();
  await panel.getByText('Without an owner', { exact: true }).click();
  await panel
    .getByRole('list', { name: 'Without an owner' })
    .getByRole('button', { name: 'RESTBase' })
    .click();
  await expect(
    page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Name', { exact: true }),
  ).toHaveValue('RESTBase');
  await panel.getByRole('link', { name: 'Play A reader opens an article on map' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('process')).toBe('read-an-article');
});

test('the legend and the map have the same colors in both themes, and distinguish types by icon', async ({
  page,
  ada,
}) => {
  const id = await wikipedia(ada);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    if (theme === 'light') {
      await openMap(ada, page, id);
      await openSidePanel(page);
    }
    await page.keyboard.press('Shift+Digit0');
    const legend = page.getByRole('list', { name: 'Legend' });
    const swatch = legend.getByRole('button', { name: /^Cache/ }).locator('[data-swatch]');
    await expect(swatch.locator('svg')).toBeVisible();
    const card = page
      .locator('.react-flow__node')
      .filter({ hasText: 'Backend cache' })
      .locator('svg path')
      .first();
    await searchByKeyboard(page, 'Backend cache');
    await page.keyboard.press('Enter');
    const fill = await card.evaluate((element) => getComputedStyle(element).fill);
    expect(await swatch.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(fill);
    expect(fill).not.toBe('none');
  }
});

test('descriptions and owners on cards can be turned off, and stay off after a reload', async ({
  page,
  ada,
}) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
  await openSidePanel(page);
  await searchByKeyboard(page, 'Backend cache');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Digit0');
  const card = page.locator('.react-flow__node').filter({ hasText: 'Backend cache' });
  await expect(card).toContainText('On-disk cache, one per host.');
  await expect(card.getByTitle('Owner: Traffic and storage')).toBeVisible();
  const { height = 0 } = (await card.boundingBox()) ?? {};
  const panel = page.getByRole('complementary', { name: 'Side panel' });
  await panel.getByText('Cards', { exact: true }).click();
  await panel.getByRole('checkbox', { name: 'Descriptions' }).uncheck();
  await panel.getByRole('checkbox', { name: 'Owners' }).uncheck();
  await page.reload();
  await expect(card).toBeVisible();
  await expect(card).not.toContainText('On-disk cache');
  await expect(card.getByTitle(/^Owner/)).toHaveCount(0);
  expect((await card.boundingBox())?.height).toBeLessThan(height);
});

test('a custom type is created, assigned, and kept after a reload', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
  await openSidePanel(page);
  await page.getByRole('button', { name: 'Custom types' }).click();
  const dialog = page.getByRole('dialog', { name: 'Custom types' });
  await dialog.getByLabel('Type name').fill('Worker');
  await dialog.getByLabel('Based on').selectOption('Job');
  await dialog.getByRole('button', { name: 'Add type' }).click();
  await expect(dialog.getByText('Worker, based on Job')).toBeVisible();
  await page.keyboard.press('Escape');
  await searchByKeyboard(page, 'parsoid');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByLabel('Type', { exact: true }).selectOption('Worker');
  await expect
    .poll(() => ada.get(`/api/workspaces/${id}/components/parsoid`))
    .toMatchObject({ component: { typeId: 'job', properties: { kind: 'Worker' } } });
  await page.reload();
  await expect(
    page.getByRole('list', { name: 'Legend' }).getByRole('button', { name: /Worker/ }),
  ).toBeVisible();
});

test('on a phone the panels are initially closed', async ({ page, ada }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await wikipedia(ada);
  await ada.open(page, `/o/analytical-engines/w/${id}`);
  await page.getByRole('button', { name: 'Show side panel' }).click();
  await page.getByRole('combobox', { name: 'Find on map' }).fill('parsoid');
  await page.keyboard.press('Enter');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('Parsoid');
  await expect(page.getByRole('complementary', { name: 'Side panel' })).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const { width = 0 } = (await inspector.boundingBox()) ?? {};
  expect(width).toBeLessThanOrEqual(390);
});
