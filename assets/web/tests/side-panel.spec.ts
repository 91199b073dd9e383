import { expect, test } from './support/fixtures.ts';
import { openMap, searchByKeyboard, wikipedia } from './support/workspaces.ts';

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

test('a lens has a legend, and a legend entry filters the map', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
  const panel = page.getByRole('complementary', { name: 'Side panel' });
  await panel.getByText('Owner', { exact: true }).click();
  const legend = panel.getByRole('list', { name: 'Legend' });
  await expect(legend.getByRole('button', { name: 'No owner' })).toContainText('10');
  const counts = await legend.getByRole('button').allInnerTexts();
  expect(counts.map((text) => Number(text.match(/\d+$/)?.[0])).reduce((sum, one) => sum + one, 0)).toBe(36);
  await legend.getByRole('button', { name: 'No owner' }).click();
  await expect(panel.getByText('Showing 10 of 36')).toBeVisible();
  await panel.getByText('Lifecycle', { exact: true }).first().click();
  await panel.getByRole('button', { name: /^Live/ }).click();
  await expect(panel.getByText(/Showing [1-9] of 36/)).toBeVisible();
  await panel.getByRole('button', { name: 'Clear filters' }).click();
  await expect(panel.getByText(/Showing/)).toBeHidden();
});

test('the side panel has filters, processes and components without an owner', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
  const panel = page.getByRole('complementary', { name: 'Side panel' });
  await panel.getByText('People and teams', { exact: true }).click();
  await panel.getByRole('checkbox', { name: /Mei Tanaka/ }).check();
  await expect(panel.getByText(/Showing \d+ of 36/)).toBeVisible();
  await panel.getByText('Without an owner', { exact: true }).click();
  await panel.getByRole('list', { name: 'Without an owner' }).getByRole('button', { name: 'Reader' }).click();
  await expect(
    page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Name', { exact: true }),
  ).toHaveValue('Reader');
  await panel.getByRole('link', { name: 'Play A reader opens an article on map' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('process')).toBe('read-an-article');
});

test('a custom type is created, assigned, and kept after a reload', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await openMap(ada, page, id);
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

test('on a phone the panels are closed until they are opened', async ({ page, ada }) => {
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
