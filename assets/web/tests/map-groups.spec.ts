import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, openMap, placeOf, type RelationshipSpec, type TestComponent } from './support/map.ts';
import { visitMap } from './support/visit.ts';

/** A group with two parts, and a component beside it. */
const SHOP: readonly TestComponent[] = [
  { id: 'shop', x: 0, y: 0, typeId: 'group' },
  { id: 'web', x: 100, y: 100 },
  { id: 'api', x: 320, y: 100 },
  { id: 'mail', x: 100, y: 440 },
];
const SHOP_PARTS: readonly RelationshipSpec[] = [
  ['shop', 'web', 'contains'],
  ['shop', 'api', 'contains'],
];

const group = (page: Page, name: string, count: number) =>
  page.getByRole('button', { name: new RegExp(`^${name}, .*contains ${count}(,|$)`) });

/** Presses the mouse on a component and moves it by an offset, without releasing it. */
async function dragBy(page: Page, id: string, by: { x: number; y: number }): Promise<void> {
  const at = await placeOf(page, id);
  const from = { x: at.x + 20, y: at.y + 20 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 4 });
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 4 });
}

test('components are dropped on groups and leave them', async ({ page, ada }) => {
  await test.step('a component dropped on a group becomes a part of it, with one request and one undo', async () => {
    const id = await openMap(page, ada, SHOP, SHOP_PARTS);
    const before = await placeOf(page, 'mail');
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/operations')) writes.push(request.url());
    });
    await dragBy(page, 'mail', { x: 20, y: -320 });
    await expect(page.locator('[data-drop-target="shop"]')).toBeVisible();
    await expect(page.getByText('Move “mail” into “shop”')).toBeVisible();
    await page.mouse.up();
    await expect(page.locator('[data-drop-target]')).toBeHidden();
    await expect(group(page, 'shop', 3)).toBeVisible();
    await expect.poll(() => writes.length).toBe(1);
    await page.keyboard.press('Control+z');
    await expect(group(page, 'shop', 2)).toBeVisible();
    await expect.poll(() => placeOf(page, 'mail')).toEqual(before);
    await page.keyboard.press('Control+Shift+z');
    await expect(group(page, 'shop', 3)).toBeVisible();
    await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).relationships.length).toBe(3);
  });

  await test.step('several components and a group are dropped together, and their previous group is replaced', async () => {
    await visitMap(
      page,
      ada,
      [...SHOP, { id: 'data', x: 0, y: 0, typeId: 'system' }, { id: 'db', x: 400, y: 440 }],
      [...SHOP_PARTS, ['data', 'db', 'contains']],
    );
    await component(page, 'mail').click();
    await component(page, 'data').click({ modifiers: ['Shift'], position: { x: 60, y: 20 } });
    await dragBy(page, 'mail', { x: 20, y: -320 });
    await expect(page.getByText('Move 2 components into “shop”')).toBeVisible();
    await page.mouse.up();
    await expect(group(page, 'shop', 5)).toBeVisible();
    await expect(group(page, 'data', 1)).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(group(page, 'shop', 2)).toBeVisible();
  });

  await test.step('a part dragged beyond the margin of its group leaves it, and closer the group grows', async () => {
    await visitMap(page, ada, SHOP, SHOP_PARTS);
    await dragBy(page, 'web', { x: 0, y: 100 });
    await expect(page.locator('[data-drop-hint]')).toBeHidden();
    await page.mouse.up();
    await expect(group(page, 'shop', 2)).toBeVisible();
    await dragBy(page, 'web', { x: -20, y: 200 });
    await expect(page.getByText('Move “web” out of “shop”')).toBeVisible();
    await page.mouse.up();
    await expect(group(page, 'shop', 1)).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(group(page, 'shop', 2)).toBeVisible();
  });

  await test.step('a group keeps its frame when its last part leaves', async () => {
    await visitMap(page, ada, SHOP.slice(0, 2), SHOP_PARTS.slice(0, 1));
    const before = await placeOf(page, 'shop');
    await dragBy(page, 'web', { x: 30, y: 300 });
    expect(await placeOf(page, 'shop')).toEqual(before);
    await page.mouse.up();
    await expect(page.getByRole('button', { name: 'shop, Group', exact: true })).toBeVisible();
    expect(await placeOf(page, 'shop')).toEqual(before);
  });

  await test.step('a component dropped on another one is placed next to it, and does not become a part', async () => {
    await visitMap(page, ada, [
      { id: 'orders', x: 0, y: 300, name: 'Orders' },
      { id: 'backend', x: 0, y: 0, name: 'Backend', typeId: 'group' },
      { id: 'web', x: 300, y: 0, name: 'Web' },
    ]);
    await dragBy(page, 'orders', { x: 300, y: -300 });
    await page.mouse.up();
    await expect(
      page.getByText('“Orders” would have covered “Web” and was placed next to it.'),
    ).toBeVisible();
    const [orders, web] = [await placeOf(page, 'orders'), await placeOf(page, 'web')];
    expect(Math.abs(orders.y - web.y) >= 64 || Math.abs(orders.x - web.x) >= 180).toBe(true);
    await expect(page.getByRole('button', { name: 'Web, Service', exact: true })).toBeVisible();
  });

  await test.step('a component dropped on a collapsed group becomes a hidden part that covers no other part', async () => {
    await visitMap(page, ada, SHOP, SHOP_PARTS);
    await page.getByRole('button', { name: 'Collapse shop' }).click();
    const [shop, mail] = [await placeOf(page, 'shop'), await placeOf(page, 'mail')];
    await dragBy(page, 'mail', { x: shop.x - mail.x + 40, y: shop.y - mail.y });
    await expect(page.locator('[data-drop-target="shop"]')).toBeVisible();
    await page.mouse.up();
    await expect(component(page, 'mail')).toBeHidden();
    await page.getByRole('button', { name: 'Expand shop' }).click();
    await expect(group(page, 'shop', 3)).toBeVisible();
    const [web, part] = [await placeOf(page, 'web'), await placeOf(page, 'mail')];
    expect(part.y).toBeGreaterThanOrEqual(web.y + 64);
  });
});
