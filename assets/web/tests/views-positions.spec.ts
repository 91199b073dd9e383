/** The positions of components in views: shared with the map or of the view itself, for several people and offline. */
import { expect, test } from './support/fixtures.ts';
import { component, placeOf } from './support/map.ts';
import {
  createViews,
  dragCard,
  mapPosition,
  openViews,
  storedPlaces,
  storedView,
  type TestView,
  visitView,
} from './support/views.ts';
import { visit } from './support/visit.ts';
import { newWindow } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const SHARED: TestView = { id: 'shared', name: 'Shared', include: [{ ids: ['orders', 'payments'] }] };
const OWN: TestView = { ...SHARED, id: 'paying', name: 'Paying', layout: 'own' };
const SERVICES: TestView = { ...OWN, include: [{ types: ['service'] }] };

test('components are moved in views, by two people at once, and later ones are accepted', async ({
  page,
  ada,
  browser,
}) => {
  test.slow();
  const id = await openViews(page, ada, [OWN, SHARED], 'paying');
  const later = await createViews(ada, SERVICES);

  await test.step('moving in a view with own positions leaves the map as it is, and undo returns', async () => {
    await expect(component(page, 'orders')).toBeVisible();
    await dragCard(page, 'orders', 60, 120);
    await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).orders?.y).toBeGreaterThan(50);
    // The others keep the places that they had.
    expect((await storedPlaces(ada, id, 'paying')).payments).toEqual({ x: 600, y: 0 });
    expect(await mapPosition(ada, id, 'orders')).toEqual({ x: 300, y: 0 });
    await page.keyboard.press('Control+z');
    await expect(page.getByText('Undone: Move “orders”')).toBeVisible();
    await expect.poll(async () => await storedPlaces(ada, id, 'paying')).toEqual({});
  });

  await test.step('two people arrange a view at once', async () => {
    const other = await newWindow(browser);
    await ada.open(other, `${HOME}/${id}/v/paying`);
    await expect(component(other, 'orders')).toBeVisible();
    await dragCard(page, 'orders', 0, 120);
    await expect
      .poll(async () => (await placeOf(other, 'orders')).y - (await placeOf(other, 'payments')).y)
      .toBeGreaterThan(50);
    await dragCard(other, 'payments', 60, -80);
    await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).payments?.y).toBeLessThan(-20);
    expect((await storedPlaces(ada, id, 'paying')).orders?.y).toBeGreaterThan(50);
    await other.close();
  });

  await test.step('moving in a view with the positions of the map moves the component everywhere', async () => {
    await visitView(page, id, 'shared');
    await expect(page.getByText('2 components', { exact: true })).toBeVisible();
    await dragCard(page, 'orders', 0, 120);
    await expect.poll(async () => (await mapPosition(ada, id, 'orders')).y).toBeGreaterThan(50);
    expect(await storedPlaces(ada, id, 'shared')).toEqual({});
  });

  await test.step('a component that matches later is marked as new until it is accepted', async () => {
    await visitView(page, later, 'paying');
    await expect(component(page, 'web')).toBeVisible();
    await dragCard(page, 'orders', 0, 100);
    await expect.poll(async () => Object.keys(await storedPlaces(ada, later, 'paying')).length).toBe(3);
    const before = await storedPlaces(ada, later, 'paying');
    const mailer = { id: 'mailer', typeId: 'service', name: 'Mailer', x: 0, y: 900 };
    await ada.post(`/api/workspaces/${later}/components`, mailer);
    await expect(page.locator('[data-new="mailer"]')).toBeVisible();
    await expect(page.getByText('1 new')).toBeVisible();
    await page.getByRole('button', { name: 'Accept all' }).click();
    await expect(page.locator('[data-new]')).toHaveCount(0);
    await expect
      .poll(async () => await storedPlaces(ada, later, 'paying'))
      .toMatchObject({ ...before, mailer: expect.anything() });
  });
});

test('groups, layouts, notes and past versions in a view with own positions leave the map where it is', async ({
  page,
  ada,
}) => {
  test.slow();
  const id = await openViews(page, ada, [OWN], 'paying');
  const noted = await createViews(ada, OWN);
  await ada.post(`/api/workspaces/${noted}/notes`, { kind: 'note', text: 'Hello', x: 0, y: 300 });
  const changed = await createViews(ada, SERVICES);
  const { workspace } = await ada.get(`/api/workspaces/${changed}`);
  await ada.delete(`/api/workspaces/${changed}/components/orders`);

  await test.step('a group and a layout change only the view', async () => {
    await component(page, 'orders').click();
    await component(page, 'payments').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+g');
    await page.keyboard.type('Checkout');
    await page.keyboard.press('Enter');
    await expect(component(page, 'orders')).toBeVisible();
    await expect
      .poll(async () => Object.keys(await storedPlaces(ada, id, 'paying')).length)
      .toBeGreaterThan(1);
    const { definition } = await storedView(ada, id, 'paying');
    expect(definition.include[0].ids).toHaveLength(3);
    expect(await mapPosition(ada, id, 'orders')).toEqual({ x: 300, y: 0 });
    await page.keyboard.press('Control+Shift+g');
    await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).components.length).toBe(4);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('menuitem', { name: /^Layered layout/ }).click();
    await page.getByRole('button', { name: 'Apply layout' }).click();
    await expect(page.getByRole('region', { name: 'Layout preview' })).toHaveCount(0);
    await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).payments).toBeDefined();
    expect(await mapPosition(ada, id, 'orders')).toEqual({ x: 300, y: 0 });
    expect(await mapPosition(ada, id, 'payments')).toEqual({ x: 600, y: 0 });
  });

  await test.step('the view says that it shows no notes, and adds none', async () => {
    await visitView(page, noted, 'paying');
    await expect(page.getByText('1 note hidden')).toBeVisible();
    await page.getByRole('button', { name: 'Notes', exact: true }).click();
    await page.getByRole('menuitem', { name: /note/i }).first().click();
    await expect(page.getByText('This view has its own positions')).toBeVisible();
    await page.getByRole('button', { name: 'Show the map' }).click();
    await expect(page).not.toHaveURL(/\/v\//);
    await expect(page.getByText('Hello')).toBeVisible();
  });

  await test.step('a past version cannot be changed', async () => {
    await visit(page, `${HOME}/${changed}/v/paying?past=${workspace.revision}`);
    await expect(component(page, 'orders')).toBeVisible();
    await expect(component(page, 'ledger')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Rules', exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'View menu' }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Compare with another view…', 'Copy link']);
    await page.keyboard.press('Escape');
    await component(page, 'orders').click();
    const before = await placeOf(page, 'orders');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await expect(page.getByText('A past version can’t be edited.')).toBeVisible();
    await expect(page.locator('[role="dialog"]:not([aria-modal="false"])')).toHaveCount(0);
    expect(await placeOf(page, 'orders')).toEqual(before);
    expect(await storedPlaces(ada, changed, 'paying')).toEqual({});
  });
});

test('a view that is arranged and extended offline is saved later', async ({ page, context, ada }) => {
  const id = await openViews(
    page,
    ada,
    [OWN, { id: 'all-data', name: 'Data', include: [{ types: ['database'] }] }],
    'paying',
  );
  await expect(component(page, 'orders')).toBeVisible();
  await context.setOffline(true);
  await component(page, 'orders').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await expect(page.getByLabel('Component name')).toBeFocused();
  await page.keyboard.type('Refunds');
  await page.keyboard.press('Enter');
  await expect(component(page, 'refunds')).toBeVisible();
  await context.setOffline(false);
  await expect
    .poll(async () => (await storedView(ada, id, 'paying')).definition.include)
    .toEqual([{ ids: ['orders', 'payments', 'refunds'] }]);
  await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).orders?.y).toBeGreaterThan(0);
  await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).refunds).toBeDefined();
  expect(await mapPosition(ada, id, 'orders')).toEqual({ x: 300, y: 0 });
});
