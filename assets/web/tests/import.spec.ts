import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';

const ORG = '/o/analytical-engines';
const SHOP = new URL('../../../examples/web-shop.json', import.meta.url).pathname;

async function give(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel('File to import')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
}

test('a file is previewed, checked and imported into a new or an existing workspace', async ({
  page,
  ada,
}) => {
  await test.step('an import shows a preview and creates a workspace', async () => {
    await ada.open(page, ORG);
    await page.getByRole('button', { name: 'Import', exact: true }).press('Enter');
    await page.getByLabel('File to import').setInputFiles(SHOP);
    const dialog = dialogOn(page);
    await expect(dialog.getByText('9 components')).toBeVisible();
    await dialog.getByText('9 relationships').click();
    await expect(dialog.getByText('Storefront calls API gateway', { exact: true })).toBeVisible();
    await expectAccessible(page);
    expect(
      (await ada.get('/api/workspaces')).workspaces.map((workspace: { id: string }) => workspace.id),
    ).not.toContain('web-shop');
    await dialog.getByLabel('Name').fill('The shop');
    await expect(dialog.getByRole('button', { name: 'Import workspace' })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Import workspace' }).press('Enter');
    await page.waitForURL('**/w/web-shop');
    // Until the map is loaded, the previous page with its dialog is only hidden.
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    expect((await ada.get('/api/workspaces/web-shop')).workspace.name).toBe('The shop');
  });

  await test.step('a file that is not a map is rejected with the position of the error', async () => {
    await visit(page, ORG);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = dialogOn(page);
    const button = dialog.getByRole('button', { name: 'Import workspace' });
    await give(page, 'noise.json', `\u0000\u0001 ${'ÿ'.repeat(5000)}`);
    await expect(dialog.getByRole('alert')).toContainText('not valid JSON');
    await give(page, 'broken.json', '{\n"components": [],\n"relationships": [}\n');
    await expect(dialog.getByRole('alert')).toContainText('line 3');
    await give(page, 'other.json', '{"shopping": ["milk"]}');
    await expect(dialog.getByRole('alert')).toContainText(
      'Could not read other.json. The format was not recognized',
    );
    await give(page, 'list.json', '[1, 2]');
    await expect(dialog.getByRole('alert')).toContainText('Could not read list.json');
    await give(page, 'half.json', '{"format": "planroom/1", "relationships": []}');
    await expect(dialog.getByRole('alert')).toContainText('components');
    await give(page, 'empty.json', '');
    await expect(dialog.getByRole('alert')).toContainText('empty');
    await give(
      page,
      'type.json',
      '{"components":[{"id":"a","typeId":"servce","name":"A"}],"relationships":[]}',
    );
    await expect(dialog.getByRole('alert')).toContainText('components[0].typeId');
    await expect(button).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('a table creates a workspace, and rows with errors are listed', async () => {
    await visit(page, ORG);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const text = 'Name;Type;Tier\nBilling;Service;1\n<script>alert(1)</script>;Database;2\nOdd;Spaceship;3\n';
    await give(page, 'parts of us.csv', text);
    const dialog = dialogOn(page);
    await expect(dialog.getByText('2 components')).toBeVisible();
    await expect(dialog.getByText('Row 4: unknown type “Spaceship”')).toBeVisible();
    await expect(dialog.getByText('<script>alert(1)</script>').first()).toBeVisible();
    await dialog.getByRole('button', { name: 'Import workspace' }).click();
    await page.waitForURL('**/w/parts-of-us');
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    const { components } = await ada.get('/api/workspaces/parts-of-us');
    expect(components.map((component: { properties: object }) => component.properties)).toEqual([
      { Tier: '1' },
      { Tier: '2' },
    ]);
  });

  await test.step('replacing a workspace lists the changes and deletions', async () => {
    const bulk = JSON.parse(await readFile(SHOP, 'utf8'));
    await ada.put('/api/workspaces/old-shop/bulk', {
      ...bulk,
      workspace: { ...bulk.workspace, id: 'old-shop', name: 'Old shop' },
    });
    await ada.post('/api/workspaces/old-shop/components', {
      id: 'stall',
      typeId: 'service',
      name: 'Market stall',
    });
    await ada.patch('/api/workspaces/old-shop/components/web', { name: 'Shop window' });
    await visit(page, ORG);
    await page.getByRole('button', { name: 'Actions for Old shop' }).click();
    await page.getByRole('menuitem', { name: 'Replace from file' }).click();
    await page.getByLabel('File to import').setInputFiles(SHOP);
    const dialog = dialogOn(page);
    await dialog.getByRole('heading', { name: 'Will be deleted' }).waitFor();
    await expect(dialog.getByText('Market stall').first()).toBeVisible();
    await expect(dialog.getByRole('heading', { name: 'Will change' })).toBeVisible();
    await expect(dialog.getByText('Storefront').first()).toBeVisible();
    await dialog.getByRole('button', { name: 'Replace workspace' }).click();
    await page.waitForURL('**/w/old-shop');
    const { components } = await ada.get('/api/workspaces/old-shop');
    expect(components.map((component: { name: string }) => component.name)).not.toContain('Market stall');
  });
});
