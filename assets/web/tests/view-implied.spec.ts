/** Views that show systems without their parts: relationships of the parts are drawn on the systems. */
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessibility.ts';
import { dialogOn } from './support/dialogs.ts';
import { dropFiles } from './support/files.ts';
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';

const HOME = '/o/analytical-engines';

test('an imported landscape draws relationships of hidden parts, until its rules change', async ({
  page,
  ada,
}) => {
  const bank = await readFile(new URL('../../../tests/imports/bank.dsl', import.meta.url), 'utf8');
  await ada.open(page, HOME);
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  await dropFiles(page, 'main', ['bank.dsl', bank]);
  await dialogOn(page).getByLabel('Name').fill('Implied bank');
  await dialogOn(page).getByRole('button', { name: 'Create workspace', exact: true }).click();
  await page.waitForURL('**/w/implied-bank**');
  const { views } = await ada.get('/api/workspaces/implied-bank/views');
  const landscape = views.find(({ name }: { name: string }) => name === 'Landscape');
  await page.goto(`${ada.url}${HOME}/w/implied-bank/v/${landscape.id}`);
  await expect(component(page, 'online-banking')).toBeVisible();
  await expect(component(page, 'api')).toBeHidden();

  // The lines of the system are those of its parts, and the keyboard reaches them.
  await component(page, 'online-banking').click();
  await page.keyboard.press('r');
  await expect(page.getByText('Customer Views balances Web App: 1 of 4')).toBeAttached();
  await page.keyboard.press('r');
  await expect(page.getByText('Customer Makes payments Mobile App: 2 of 4')).toBeAttached();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Rules' }).click();
  const setting = page.getByRole('checkbox', { name: /^Draw relationships of hidden parts/ });
  await expect(setting).toBeChecked();
  await setting.uncheck();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect(setting).toBeHidden();
  const view = `/api/workspaces/implied-bank/views/${landscape.id}`;
  await expect
    .poll(async () => (await ada.get(view)).view.definition.impliedRelationships ?? false)
    .toBe(false);
  await page.goto(`${ada.url}${HOME}/w/implied-bank/v/${landscape.id}?c=customer`);
  await expect(component(page, 'customer')).toBeVisible();
  await page.getByRole('region', { name: 'Map', exact: true }).focus();
  await page.keyboard.press('r');
  await expect(page.getByText('Mail System Delivers emails Customer: 1 of 1')).toBeAttached();
});
