/** Technology and tags: suggestions in the inspector, and columns of the tables. */
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, openMap, placeOf } from './support/map.ts';
import { visitMap } from './support/visit.ts';

const SPOTS = [
  { id: 'web', x: 100, y: 160 },
  { id: 'db', x: 600, y: 160 },
];

test('technologies and tags are chosen, listed in the table, exported and imported', async ({
  page,
  ada,
}) => {
  await test.step('technologies and tags are suggested and chosen using only the keyboard', async () => {
    const id = await openMap(page, ada, SPOTS, [['web', 'db']]);
    await ada.patch(`/api/workspaces/${id}/components/db`, { tags: ['personal data'] });
    await component(page, 'web').click();
    const technology = page.getByRole('combobox', { name: 'Technology', exact: true });
    await technology.focus();
    await page.keyboard.type('postg');
    await expect(page.getByRole('option', { name: 'PostgreSQL' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(technology).toHaveValue('PostgreSQL');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-component="web"] [data-technology="PostgreSQL"]')).toBeVisible();
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.focus();
    await page.keyboard.type('pci, pers');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect(tags).toHaveValue('pci, personal data');
    // Escape closes the list first, and then restores the previous value.
    await page.keyboard.type(', p');
    await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeHidden();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}`)).components[0])
      .toMatchObject({ technology: ['PostgreSQL'], tags: ['pci', 'personal data'] });
    const web = await placeOf(page, 'web');
    await page.mouse.click(web.x + 220, web.y + 32);
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('Relationship');
    await technology.focus();
    await page.keyboard.type('PostgreSQL, gr');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}`)).relationships[0].technology)
      .toEqual(['PostgreSQL', 'gr']);
  });

  await test.step('technology and tags are columns of the table, found by search, and exported with owners', async () => {
    const id = await visitMap(page, ada, SPOTS, [['web', 'db']]);
    await ada.patch(`/api/workspaces/${id}/components/db`, { technology: ['Valkey'], tags: ['cache'] });
    await page.getByRole('link', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Technology' }).check();
    await page.getByRole('checkbox', { name: 'Tags' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search components' }).fill('valkey');
    await expect(page.getByRole('rowheader')).toHaveText(['db']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv).toContain('Technology,Tags');
    expect(csv).toContain('Valkey,cache');
  });

  await test.step('owners are imported from CSV, and rows without an id are matched by name and type', async () => {
    const id = await visitMap(page, ada, SPOTS, [['web', 'db']]);
    await ada.post('/api/people', { id: `grace-${id}`, name: `Grace of ${id}` });
    await page.getByRole('link', { name: 'Table' }).click();
    await page.getByLabel('CSV file').setInputFiles({
      name: 'parts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Name,Type,Owners,Tags\r\nweb,Service,Grace of ${id},pci\r\ndb,Service,Nobody,\r\n`,
      ),
    });
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('rows are matched by name and type')).toBeVisible();
    await expect(dialog.getByText('web: tags, owners')).toBeVisible();
    await expect(dialog.getByText('unknown owner “Nobody”')).toBeVisible();
    await dialog.getByRole('button', { name: 'Import 1 component' }).click();
    await expect
      .poll(async () => {
        const { components, stakeholders } = await ada.get(`/api/workspaces/${id}`);
        return [
          components[0].tags,
          stakeholders.map(({ person }: { person: { name: string } }) => person.name),
        ];
      })
      .toEqual([['pci'], [`Grace of ${id}`]]);
  });
});
