/** The side panel and the search of the map: lenses, filters, lists, cards and custom types. */
import { expect, test } from './support/fixtures.ts';
import { openMap, openSidePanel, searchByKeyboard, wikipedia } from './support/workspaces.ts';

test('search, the legend of a lens, filters and lists lead to components', async ({ page, ada }) => {
  await openMap(ada, page, await wikipedia(ada));
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const name = inspector.getByLabel('Name', { exact: true });

  await test.step('search finds components by name, type, person and description', async () => {
    for (const [query, found] of [
      ['geo dn', 'Geo DNS'],
      ['pages edits permissions', 'MediaWiki'],
      ['mei search-index', 'Search index'],
    ] as const) {
      await searchByKeyboard(page, query);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await expect(name).toHaveValue(found);
    }
  });

  await test.step('a search result receives the focus', async () => {
    await searchByKeyboard(page, 'parsoid');
    await page.getByRole('option', { name: /Parsoid/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-component="parsoid"]')).toBeFocused();
  });

  // The search has opened the panel.
  const panel = page.getByRole('complementary', { name: 'Side panel' });
  await test.step('a lens has a legend, and its entries filter the map', async () => {
    await panel.getByText('Owner', { exact: true }).click();
    const legend = panel.getByRole('list', { name: 'Legend' });
    await expect(legend.getByRole('button', { name: 'No owner' })).toContainText('7');
    const counts = await legend.getByRole('listitem').allInnerTexts();
    const sum = counts.map((text) => Number(text.match(/\d+$/)?.[0])).reduce((all, count) => all + count, 0);
    expect(sum).toBe(36);
    await legend.getByRole('button', { name: 'No owner' }).click();
    await expect(panel.getByText('Showing 7 of 36')).toBeVisible();
    await panel.getByText('Lifecycle', { exact: true }).first().click();
    await panel.getByRole('button', { name: /^Live/ }).click();
    await expect(panel.getByText(/Showing [1-9] of 36/)).toBeVisible();
    await panel.getByRole('button', { name: 'Clear filters' }).click();
    await expect(panel.getByText(/Showing/)).toBeHidden();
  });

  await test.step('the panel has filters, components without an owner, and processes', async () => {
    await panel.getByText('People and teams', { exact: true }).click();
    await panel.getByRole('checkbox', { name: /Mei Tanaka/ }).check();
    await expect(panel.getByText(/Showing \d+ of 36/)).toBeVisible();
    await panel.getByText('Without an owner', { exact: true }).click();
    await panel
      .getByRole('list', { name: 'Without an owner' })
      .getByRole('button', { name: 'RESTBase' })
      .click();
    await expect(name).toHaveValue('RESTBase');
    await panel.getByRole('link', { name: 'Play A reader opens an article on map' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('process')).toBe('read-an-article');
  });
});

test('cards have the colors of the legend, descriptions and owners that can be turned off, and custom types', async ({
  page,
  ada,
}) => {
  const id = await wikipedia(ada);
  await page.emulateMedia({ colorScheme: 'light' });
  await openMap(ada, page, id);
  const panel = await openSidePanel(page);
  const card = page.locator('.react-flow__node').filter({ hasText: 'Backend cache' });

  for (const theme of ['light', 'dark'] as const) {
    await test.step(`the legend and the map have the same colors in the ${theme} theme`, async () => {
      await page.emulateMedia({ colorScheme: theme });
      await page.keyboard.press('Shift+Digit0');
      const legend = page.getByRole('list', { name: 'Legend' });
      const swatch = legend.getByRole('button', { name: /^Cache/ }).locator('[data-swatch]');
      // Types are distinguished by an icon, too.
      await expect(swatch.locator('svg')).toBeVisible();
      await searchByKeyboard(page, 'Backend cache');
      await page.keyboard.press('Enter');
      const shape = card.locator('svg path').first();
      const fill = await shape.evaluate((element) => getComputedStyle(element).fill);
      expect(await swatch.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(fill);
      expect(fill).not.toBe('none');
    });
  }

  await page.keyboard.press('Shift+Digit0');
  await expect(card).toContainText('On-disk cache, one per host.');
  await expect(card.getByTitle('Owner: Traffic and storage')).toBeVisible();
  const { height = 0 } = (await card.boundingBox()) ?? {};
  await test.step('a custom type is created and assigned', async () => {
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
  });

  await test.step('the type and what is turned off are the same after a reload', async () => {
    await searchByKeyboard(page, 'Backend cache');
    await page.getByRole('option', { name: /Backend cache/ }).waitFor();
    await page.keyboard.press('Enter');
    await panel.getByText('Cards', { exact: true }).click();
    await panel.getByRole('checkbox', { name: 'Descriptions' }).uncheck();
    await panel.getByRole('checkbox', { name: 'Owners' }).uncheck();
    await page.reload();
    await expect(card).toBeVisible();
    await expect(card).not.toContainText('On-disk cache');
    await expect(card.getByTitle(/^Owner/)).toHaveCount(0);
    expect((await card.boundingBox())?.height).toBeLessThan(height);
    await expect(
      page.getByRole('list', { name: 'Legend' }).getByRole('button', { name: /Worker/ }),
    ).toBeVisible();
  });
});
