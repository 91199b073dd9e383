/** Groups: created from the selection, resized, filled, and dissolved, on the map, in the inspector and in the table. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, createMap, dragTo, openMap, placeOf } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';

const group = (page: Page, name: string, count: number) =>
  page.getByRole('button', { name: new RegExp(`^${name}, .*contains ${count}(,|$)`) });

const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name });

/** Selects a group by clicking its title. */
const selectGroup = (page: Page, id: string) => component(page, id).click({ position: { x: 60, y: 20 } });

test('components are grouped and ungrouped, each with one undo', async ({ page, ada }) => {
  const id = await openMap(page, ada, [
    { id: 'web', x: 100, y: 100 },
    { id: 'api', x: 360, y: 100 },
    { id: 'mail', x: 100, y: 500 },
  ]);
  await test.step('the selection is grouped, named in place and ungrouped', async () => {
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

    await selectGroup(page, 'shop');
    await page.keyboard.press('Control+Shift+g');
    await expect(component(page, 'shop')).toBeHidden();
    await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'true');
    await expect(component(page, 'api')).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).relationships).toEqual([]);
    await page.keyboard.press('Control+z');
    await expect(group(page, 'Shop', 2)).toBeVisible();
  });
  await test.step('Escape cancels a new group, and the context menu and the palette offer both actions', async () => {
    await component(page, 'mail').click({ button: 'right' });
    await menuItem(page, 'Group').click();
    await expect(page.getByLabel('Group name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Group name')).toBeHidden();
    await expect(component(page, 'group')).toBeHidden();
    await component(page, 'mail').click({ button: 'right' });
    await menuItem(page, 'Group').click();
    await expect(page.getByLabel('Group name')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(group(page, 'Group', 1)).toBeVisible();
    await component(page, 'group').click({ button: 'right', position: { x: 60, y: 20 } });
    await menuItem(page, 'Ungroup').click();
    await expect(component(page, 'group')).toBeHidden();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('group');
    await expect(page.getByRole('option', { name: /^Group/ }).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeHidden();
  });
  await test.step('a group with another type stays as a component beside its former parts', async () => {
    const spots = [
      { id: 'shop', x: 0, y: 0, typeId: 'system' },
      { id: 'web', x: 100, y: 200 },
    ];
    const other = await visitMap(page, ada, spots, [['shop', 'web', 'contains']]);
    const web = await placeOf(page, 'web');
    await selectGroup(page, 'shop');
    await page.keyboard.press('Control+Shift+g');
    await expect(page.getByRole('button', { name: 'shop, System', exact: true })).toBeVisible();
    const shop = await placeOf(page, 'shop');
    expect(shop.y + 64).toBeLessThanOrEqual(web.y);
    const counts = async () => {
      const { relationships, components } = await ada.get(`/api/workspaces/${other}`);
      return [relationships.length, components.length];
    };
    await expect.poll(counts).toEqual([0, 2]);
  });
  await test.step('the parts of an inner group become parts of the outer group', async () => {
    const spots = [
      { id: 'shop', x: 0, y: 0, typeId: 'system' },
      { id: 'inner', x: 0, y: 0, typeId: 'group' },
      { id: 'web', x: 100, y: 100 },
      { id: 'api', x: 360, y: 100 },
    ];
    await visitMap(page, ada, spots, [
      ['shop', 'inner', 'contains'],
      ['inner', 'web', 'contains'],
      ['shop', 'api', 'contains'],
    ]);
    await selectGroup(page, 'inner');
    await page.keyboard.press('Control+Shift+g');
    await expect(component(page, 'inner')).toBeHidden();
    await expect(group(page, 'shop', 2)).toBeVisible();
    // Deleting the inner group has the same effect.
    await page.keyboard.press('Control+z');
    await expect(group(page, 'shop', 3)).toBeVisible();
    await selectGroup(page, 'inner');
    await page.keyboard.press('Delete');
    await expect(component(page, 'inner')).toBeHidden();
    await expect(group(page, 'shop', 2)).toBeVisible();
  });
});

test('groups have the size that users set, and contain what is added or copied in them', async ({
  page,
  ada,
}) => {
  await test.step('an empty group is resized with a handle and by keyboard, each with one undo', async () => {
    const id = await openMap(page, ada, [{ id: 'area', x: 0, y: 0, typeId: 'group' }]);
    const size = async () => {
      const { component } = await ada.get(`/api/workspaces/${id}/components/area`);
      return [component.width, component.height];
    };
    await selectGroup(page, 'area');
    const corner = await page.locator('[data-edges="1 1"]').boundingBox();
    if (!corner) throw new Error('the handle is not there');
    const from = { x: corner.x + 5, y: corner.y + 5 };
    await dragTo(page, from, { x: from.x + 120, y: from.y + 60 });
    await expect.poll(size).toEqual([400, 240]);
    await page.keyboard.press('Control+z');
    await expect.poll(size).toEqual([null, null]);

    await selectGroup(page, 'area');
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
  await test.step('new components inside a group become parts of it, and others are never placed in it', async () => {
    await visitMap(page, ada, [
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
    await selectGroup(page, 'area');
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
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
    // The map may have moved to show the new component.
    const [fraud, now] = [await placeOf(page, 'fraud-check'), await placeOf(page, 'area')];
    const isOutside =
      fraud.x + 180 <= now.x || fraud.x >= now.x + 280 || fraud.y + 64 <= now.y || fraud.y >= now.y + 180;
    expect(isOutside).toBe(true);
    await expect(group(page, 'area', 1)).toBeVisible();
  });
  await test.step('copies cover nothing, and copies of parts are parts of the same group', async () => {
    const spots = [
      { id: 'area', x: 0, y: 0, typeId: 'group' },
      { id: 'web', x: 100, y: 100 },
      { id: 'mail', x: 100, y: 240 },
    ];
    await visitMap(page, ada, spots, [['area', 'web', 'contains']]);
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
});

test('the inspector and the table move components into groups and out of them', async ({ page, ada }) => {
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
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const field = inspector.getByRole('combobox', { name: 'Part of' });
  await test.step('the inspector moves a component into a group and offers only valid groups', async () => {
    await component(page, 'mail').click();
    await expect(field).toHaveValue('None');
    await field.fill('are');
    await page.getByRole('option', { name: /^area/ }).click();
    await expect(group(page, 'area', 3)).toBeVisible();
    const [area, mail] = [await placeOf(page, 'area'), await placeOf(page, 'mail')];
    expect(mail.y - area.y).toBeLessThan(400);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(group(page, 'area', 2)).toBeVisible();

    await selectGroup(page, 'area');
    await field.click();
    await expect(page.getByRole('option')).toHaveText([/None/, /mail/]);
    await page.keyboard.press('Escape');
  });
  await test.step('a component leaves its group only with “None”, not with deleted text', async () => {
    await selectGroup(page, 'inner');
    await expect(field).toHaveValue('area');
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
  await test.step('the table edits the group of a component, and of the selected ones', async () => {
    const { id } = await createMap(ada, [
      { id: 'area', x: 0, y: 0, typeId: 'group' },
      { id: 'web', x: 40, y: 300 },
      { id: 'mail', x: 100, y: 500 },
    ]);
    const parts = async () => {
      const { relationships } = await ada.get(`/api/workspaces/${id}`);
      return relationships.map(({ targetId }: { targetId: string }) => targetId).sort();
    };
    await visit(page, `/o/analytical-engines/w/${id}/table`);
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
});
