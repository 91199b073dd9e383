import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, dragTo, openMap, placeOf } from './support/map.ts';

const group = (page: Page, name: string, count: number) =>
  page.getByRole('button', { name: new RegExp(`^${name}, .*contains ${count}(,|$)`) });

const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name });

test('the selection is grouped, named in place and ungrouped, each with one undo', async ({ page, ada }) => {
  const id = await openMap(page, ada, [
    { id: 'web', x: 100, y: 100 },
    { id: 'api', x: 360, y: 100 },
    { id: 'mail', x: 100, y: 500 },
  ]);
  await component(page, 'web').click();
  await component(page, 'api').click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+g');
  await expect(page.getByLabel('Group name')).toHaveValue('Group');
  await page.keyboard.type('Shop');
  await page.keyboard.press('Enter');
  await expect(group(page, 'Shop', 2)).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(component(page, 'shop')).toBeHidden();
  await page.keyboard.press('Control+Shift+z');
  await expect(group(page, 'Shop', 2)).toBeVisible();

  await component(page, 'shop').click({ position: { x: 60, y: 20 } });
  await page.keyboard.press('Control+Shift+g');
  await expect(component(page, 'shop')).toBeHidden();
  await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'true');
  await expect(component(page, 'api')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).relationships).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect(group(page, 'Shop', 2)).toBeVisible();
});

test('Escape cancels a new group, and the context menu and the palette offer both actions', async ({
  page,
  ada,
}) => {
  await openMap(page, ada, [
    { id: 'web', x: 100, y: 100 },
    { id: 'api', x: 360, y: 100 },
  ]);
  await component(page, 'web').click({ button: 'right' });
  await menuItem(page, 'Group').click();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Group name')).toBeHidden();
  await expect(component(page, 'group')).toBeHidden();
  await component(page, 'web').click({ button: 'right' });
  await menuItem(page, 'Group').click();
  await page.keyboard.press('Enter');
  await expect(group(page, 'Group', 1)).toBeVisible();
  await component(page, 'group').click({ button: 'right', position: { x: 60, y: 20 } });
  await menuItem(page, 'Ungroup').click();
  await expect(component(page, 'group')).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('group');
  await expect(page.getByRole('option', { name: /^Group/ }).first()).toBeVisible();
});

test('a group with a description or another type stays as a component beside its former parts', async ({
  page,
  ada,
}) => {
  const id = await openMap(
    page,
    ada,
    [
      { id: 'shop', x: 0, y: 0, typeId: 'system' },
      { id: 'web', x: 100, y: 200 },
    ],
    [['shop', 'web', 'contains']],
  );
  const web = await placeOf(page, 'web');
  await component(page, 'shop').click({ position: { x: 60, y: 20 } });
  await page.keyboard.press('Control+Shift+g');
  await expect(page.getByRole('button', { name: 'shop, System', exact: true })).toBeVisible();
  const shop = await placeOf(page, 'shop');
  expect(shop.y + 64).toBeLessThanOrEqual(web.y);
  const { relationships, components } = await ada.get(`/api/workspaces/${id}`);
  expect([relationships.length, components.length]).toEqual([0, 2]);
});

test('the parts of an inner group become parts of the outer group', async ({ page, ada }) => {
  await openMap(
    page,
    ada,
    [
      { id: 'shop', x: 0, y: 0, typeId: 'system' },
      { id: 'inner', x: 0, y: 0, typeId: 'group' },
      { id: 'web', x: 100, y: 100 },
      { id: 'api', x: 360, y: 100 },
    ],
    [
      ['shop', 'inner', 'contains'],
      ['inner', 'web', 'contains'],
      ['shop', 'api', 'contains'],
    ],
  );
  await component(page, 'inner').click({ position: { x: 60, y: 20 } });
  await page.keyboard.press('Control+Shift+g');
  await expect(component(page, 'inner')).toBeHidden();
  await expect(group(page, 'shop', 2)).toBeVisible();
  // Deleting the inner group has the same effect.
  await page.keyboard.press('Control+z');
  await expect(group(page, 'shop', 3)).toBeVisible();
  await component(page, 'inner').click({ position: { x: 60, y: 20 } });
  await page.keyboard.press('Delete');
  await expect(component(page, 'inner')).toBeHidden();
  await expect(group(page, 'shop', 2)).toBeVisible();
});

test('an empty group is resized with a handle and by keyboard, each with one undo', async ({ page, ada }) => {
  const id = await openMap(page, ada, [{ id: 'area', x: 0, y: 0, typeId: 'group' }]);
  const size = async () => {
    const { component } = await ada.get(`/api/workspaces/${id}/components/area`);
    return [component.width, component.height];
  };
  await component(page, 'area').click({ position: { x: 60, y: 20 } });
  const corner = await page.locator('[data-edges="1 1"]').boundingBox();
  if (!corner) throw new Error('the handle is not there');
  const from = { x: corner.x + 5, y: corner.y + 5 };
  await dragTo(page, from, { x: from.x + 120, y: from.y + 60 });
  await expect.poll(size).toEqual([400, 240]);
  await page.keyboard.press('Control+z');
  await expect.poll(size).toEqual([null, null]);

  await component(page, 'area').click({ position: { x: 60, y: 20 } });
  await page.keyboard.down('Control');
  await page.keyboard.down('Shift');
  await page.keyboard.down('ArrowRight');
  await page.keyboard.down('ArrowRight');
  await page.keyboard.down('ArrowDown');
  await page.keyboard.up('ArrowRight');
  await page.keyboard.up('ArrowDown');
  await page.keyboard.up('Shift');
  await page.keyboard.up('Control');
  await expect.poll(size).toEqual([320, 200]);
  await page.keyboard.press('Control+z');
  await expect.poll(size).toEqual([null, null]);
});

test('new components inside a group become parts of it, and others are never placed in it', async ({
  page,
  ada,
}) => {
  await openMap(page, ada, [
    { id: 'area', x: 0, y: 0, typeId: 'group' },
    { id: 'web', x: 20, y: 240 },
  ]);
  const area = await placeOf(page, 'area');
  await page.mouse.dblclick(area.x + 140, area.y + 100);
  await page.getByLabel('Component name').fill('Orders');
  await page.keyboard.press('Enter');
  await expect(group(page, 'area', 1)).toBeVisible();
  // The group keeps its frame.
  expect(await placeOf(page, 'area')).toEqual(area);
  await component(page, 'area').click({ position: { x: 60, y: 20 } });
  await page.keyboard.press('n');
  await page.getByLabel('Component name').fill('Payments');
  await page.keyboard.press('Enter');
  await expect(group(page, 'area', 2)).toBeVisible();
  // One undo removes the component and its relationship.
  await page.keyboard.press('Control+z');
  await expect(group(page, 'area', 1)).toBeVisible();

  await component(page, 'web').click();
  await page.keyboard.press('Control+ArrowUp');
  await page.getByLabel('Component name').fill('Fraud check');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Fraud check,/ })).toBeVisible();
  const fraud = await placeOf(page, 'fraud-check');
  const isOutside =
    fraud.x + 180 <= area.x || fraud.x >= area.x + 280 || fraud.y + 64 <= area.y || fraud.y >= area.y + 180;
  expect(isOutside).toBe(true);
  await expect(group(page, 'area', 1)).toBeVisible();
});

test('the inspector moves a component into a group and out of it, and offers only valid groups', async ({
  page,
  ada,
}) => {
  await openMap(
    page,
    ada,
    [
      { id: 'area', x: 0, y: 0, typeId: 'group' },
      { id: 'inner', x: 0, y: 0, typeId: 'system' },
      { id: 'web', x: 40, y: 100 },
      { id: 'mail', x: 100, y: 500 },
    ],
    [
      ['area', 'inner', 'contains'],
      ['inner', 'web', 'contains'],
    ],
  );
  await component(page, 'mail').click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const field = inspector.getByRole('combobox', { name: 'Part of' });
  await expect(field).toHaveValue('None');
  await field.fill('are');
  await page.getByRole('option', { name: /^area/ }).click();
  await expect(group(page, 'area', 3)).toBeVisible();
  const [area, mail] = [await placeOf(page, 'area'), await placeOf(page, 'mail')];
  expect(mail.y - area.y).toBeLessThan(400);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(group(page, 'area', 2)).toBeVisible();

  await component(page, 'area').click({ position: { x: 60, y: 20 } });
  await field.click();
  await expect(page.getByRole('option')).toHaveText([/None/, /mail/]);
  await page.keyboard.press('Escape');
  await component(page, 'inner').click({ position: { x: 60, y: 20 } });
  await expect(field).toHaveValue('area');
  // Deleting the text does not remove the component from its group.
  await field.fill('');
  await page.keyboard.press('Tab');
  await expect(field).toHaveValue('area');
  await expect(group(page, 'area', 2)).toBeVisible();
  await field.focus();
  await page.keyboard.press('Escape');
  await expect(field).not.toBeFocused();
  await expect(field).toHaveValue('area');
  await field.fill('None');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'area, Group', exact: true })).toBeVisible();
});

test('the table edits the group of a component, and of the selected ones', async ({ page, ada }) => {
  const id = await openMap(page, ada, [
    { id: 'area', x: 0, y: 0, typeId: 'group' },
    { id: 'web', x: 40, y: 300 },
    { id: 'mail', x: 100, y: 500 },
  ]);
  const parts = async () => {
    const { relationships } = await ada.get(`/api/workspaces/${id}`);
    return relationships.map(({ targetId }: { targetId: string }) => targetId).sort();
  };
  await page.getByRole('link', { name: 'Table' }).click();
  const row = page.getByRole('row', { name: /^Select web/ });
  const heading = page.getByRole('columnheader', { name: 'Part of' });
  const index = await heading.getAttribute('aria-colindex');
  await row.locator(`[aria-colindex="${index}"]`).dblclick();
  const choice = page.getByLabel('Part of of web');
  await expect(choice.locator('option')).toHaveText(['None', 'area', 'mail']);
  await choice.selectOption('area');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('area');
  await expect.poll(parts).toEqual(['web']);

  await row.getByRole('checkbox').click();
  await page
    .getByRole('row', { name: /^Select mail/ })
    .getByRole('checkbox')
    .click();
  await page.getByRole('button', { name: 'Part of…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Part of' }).fill('area');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Set group' }).click();
  await expect.poll(parts).toEqual(['mail', 'web']);
});

test('copies cover nothing, and copies of parts are parts of the same group', async ({ page, ada }) => {
  await openMap(
    page,
    ada,
    [
      { id: 'area', x: 0, y: 0, typeId: 'group' },
      { id: 'web', x: 100, y: 100 },
      { id: 'mail', x: 100, y: 240 },
    ],
    [['area', 'web', 'contains']],
  );
  await component(page, 'web').click();
  await page.keyboard.press('Control+d');
  await expect(group(page, 'area', 2)).toBeVisible();
  const places = await Promise.all(['web', 'web-2', 'mail'].map((id) => placeOf(page, id)));
  for (const [at, one] of places.entries()) {
    for (const other of places.slice(at + 1)) {
      expect(Math.abs(one.x - other.x) >= 180 || Math.abs(one.y - other.y) >= 64).toBe(true);
    }
  }
});
