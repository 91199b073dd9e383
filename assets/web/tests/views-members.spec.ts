/** The members of views: edit rules, add and remove components, and show what is outside. */
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessibility.ts';
import { dialogOn } from './support/dialogs.ts';
import { dropFiles } from './support/files.ts';
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';
import {
  createViews,
  mapPosition,
  openViews,
  storedPlaces,
  storedView,
  type TestView,
  visitView,
} from './support/views.ts';
import { openSidePanel } from './support/workspaces.ts';

const HOME = '/o/analytical-engines';
const PAYING: TestView = { id: 'paying', name: 'Paying', include: [{ ids: ['orders', 'payments'] }] };
const OWN: TestView = { ...PAYING, layout: 'own' };

test('rules are edited with a preview and saved', async ({ page, ada }) => {
  const id = await openViews(page, ada, [{ ...PAYING, include: [{ ids: ['orders', 'gone'] }] }], 'paying');
  await page.getByRole('button', { name: 'Rules', exact: true }).click();
  const editor = page.getByRole('region', { name: 'Rules of Paying' });
  await expect(editor.locator('[data-missing]')).toHaveText(/gone/);
  await expectAccessible(page);
  await editor.getByRole('button', { name: 'Add rule to include' }).click();
  await editor.getByRole('button', { name: 'Condition', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Type' }).click();
  await editor.getByRole('combobox', { name: 'Add to type' }).fill('data');
  await page.getByRole('option', { name: 'Database' }).click();
  await expect(editor.getByRole('status')).toHaveText('2 components, 1 more than before');
  await expect(component(page, 'ledger')).toBeVisible();
  expect((await storedView(ada, id, 'paying')).definition.include).toHaveLength(1);
  await editor.getByRole('button', { name: 'Save rules' }).click();
  await expect
    .poll(async () => (await storedView(ada, id, 'paying')).definition.include)
    .toEqual([{ ids: ['orders', 'gone'] }, { types: ['database'] }]);
  await page.getByRole('button', { name: 'Rules', exact: true }).click();
  await editor.getByRole('button', { name: 'Remove include rule 2' }).click();
  await expect(component(page, 'ledger')).toHaveCount(0);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard changes to the rules?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(component(page, 'ledger')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(editor).toHaveCount(0);
  await expect(component(page, 'ledger')).toBeVisible();
});

test('components are added to a view, created in it, removed from it and shown outside of it', async ({
  page,
  ada,
}) => {
  test.slow();
  const id = await openViews(page, ada, [OWN], 'paying');
  const services = await createViews(
    ada,
    { ...PAYING, include: [{ types: ['service'] }] },
    { ...PAYING, id: 'stubs', name: 'Stubs', outside: 'stubs' },
  );
  const panel = await openSidePanel(page);
  const map = page.getByRole('region', { name: 'Map', exact: true });

  await test.step('a component is added with its button and dragged onto the map', async () => {
    await panel.getByText('Not in this view').click();
    await panel.getByRole('button', { name: 'Add web to this view' }).click();
    await expect(component(page, 'web')).toBeVisible();
    const source = panel
      .getByRole('list', { name: 'Not in this view' })
      .getByRole('listitem')
      .filter({ hasText: 'ledger' });
    await source.dragTo(map, { targetPosition: { x: 400, y: 500 } });
    await expect(component(page, 'ledger')).toBeVisible();
    await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).ledger).toBeDefined();
    await expect
      .poll(async () => (await storedView(ada, id, 'paying')).definition.include)
      .toEqual([{ ids: ['orders', 'payments', 'web', 'ledger'] }]);
  });

  await test.step('a component created in a view is in it', async () => {
    await map.focus();
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.type('Refunds');
    await page.keyboard.press('Enter');
    await expect(component(page, 'refunds')).toBeVisible();
    await expect
      .poll(async () => (await storedView(ada, id, 'paying')).definition.include)
      .toEqual([{ ids: ['orders', 'payments', 'web', 'ledger', 'refunds'] }]);
    await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).refunds).toBeDefined();
  });

  await test.step('neighbors outside are shown at the edge, and one click adds them', async () => {
    await visitView(page, services, 'stubs');
    const outside = page.getByRole('list', { name: 'Neighbors outside of this view' });
    await expect(outside.getByRole('listitem')).toHaveCount(2);
    await outside.getByRole('button', { name: 'Add ledger to this view' }).click();
    await expect(component(page, 'ledger')).toBeVisible();
    await expect(outside.getByRole('listitem')).toHaveCount(1);
    await outside.getByRole('button', { name: 'web', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/w/${services}\\?.*c=web`));
    await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('Delete asks, and removing leaves the component on the map', async () => {
    await visitView(page, services, 'paying');
    await component(page, 'orders').click();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Remove “orders” from this view?' });
    await expect(dialog.getByRole('button', { name: 'Remove from view' })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(component(page, 'orders')).toBeVisible();
    await page.keyboard.press('Delete');
    await expect(dialog.getByRole('button', { name: 'Remove from view' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(component(page, 'orders')).toHaveCount(0);
    await expect
      .poll(async () => (await storedView(ada, services, 'paying')).definition.exclude)
      .toEqual([{ ids: ['orders'] }]);
    expect(await mapPosition(ada, services, 'orders')).toEqual({ x: 300, y: 0 });
    await page.keyboard.press('Control+z');
    await expect(component(page, 'orders')).toBeVisible();
    await component(page, 'orders').click();
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: 'Delete from workspace' }).click();
    await expect(component(page, 'orders')).toHaveCount(0);
    await expect.poll(async () => (await ada.get(`/api/workspaces/${services}`)).components.length).toBe(3);
  });
});

test('an imported landscape draws relationships of hidden parts, until its rules change', async ({
  page,
  ada,
}) => {
  test.slow();
  const bank = await readFile(new URL('../../../tests/imports/bank.dsl', import.meta.url), 'utf8');
  await ada.open(page, HOME);
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  await dropFiles(page, 'main', ['bank.dsl', bank]);
  await dialogOn(page).getByLabel('Name').fill('Implied bank');
  await dialogOn(page).getByRole('button', { name: 'Create workspace', exact: true }).click();
  await page.waitForURL('**/w/implied-bank**');
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  const { views } = await ada.get('/api/workspaces/implied-bank/views');
  const landscape = views.find(({ name }: { name: string }) => name === 'Landscape');
  await visitView(page, 'implied-bank', landscape.id);
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
  // The map has moved to the relationships.
  await page.getByRole('button', { name: 'Zoom to fit', exact: true }).click();
  await component(page, 'customer').click();
  await expect(component(page, 'customer')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('r');
  await expect(page.getByText('Mail System Delivers emails Customer: 1 of 1')).toBeAttached();
});
