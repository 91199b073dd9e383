/** Views together with playback, impact, past versions, groups, layouts, notes and unsaved edits. */
import { expect, test } from './support/fixtures.ts';
import { component, placeOf } from './support/map.ts';
import {
  mapPosition,
  openView,
  openViews,
  storedPlaces,
  storedView,
  type TestView,
} from './support/views.ts';
import { wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const OWN: TestView = {
  id: 'paying',
  name: 'Paying',
  layout: 'own',
  include: [{ ids: ['orders', 'payments'] }],
};

test('a process is played in a view, says what the view lacks, and is saved as a view', async ({
  page,
  ada,
}) => {
  const id = await wikipedia(ada);
  await ada.open(page, `${HOME}/${id}/v/edit?process=read-an-article&step=7`);
  const bar = page.getByRole('region', { name: 'Playback of A reader opens an article' });
  await expect(bar.getByText('“Backend cache” and “MediaWiki” are not in this view.')).toBeVisible();
  await bar.getByRole('button', { name: 'Show on map' }).click();
  await expect(page).toHaveURL(new RegExp(`/w/${id}\\?.*step=7`));
  await expect(bar.getByText('not in this view')).toHaveCount(0);
  await expect(page.locator('[data-tone="current"]')).toHaveCount(2);
  await page.keyboard.press('Shift+V');
  const dialog = page.getByRole('dialog', { name: 'Save as view' });
  await expect(dialog.getByText('the participants of “A reader opens an article”')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(page).toHaveURL(/\/v\/a-reader-opens-an-article/);
  const { definition } = await storedView(ada, id, 'a-reader-opens-an-article');
  expect(definition.include[0].ids).toContain('cache-backend');
});

test('the result of an impact question is saved as a view that follows the relationships', async ({
  page,
  ada,
}) => {
  const id = await openViews(page, ada, []);
  await page.goto(`${ada.url}${HOME}/${id}?impact=payments&way=dependencies`);
  await expect(page.getByRole('region', { name: /Impact|depend/i }).first()).toBeVisible();
  await page.keyboard.press('Shift+V');
  const dialog = page.getByRole('dialog', { name: 'Save as view' });
  await dialog.getByLabel('Name').fill('Around payments');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(page).toHaveURL(/\/v\/around-payments/);
  await expect
    .poll(async () => (await storedView(ada, id, 'around-payments')).definition.include)
    .toMatchObject([{ ids: ['payments'] }, { around: { of: ['payments'], direction: 'down', depth: 10 } }]);
});

test('a view of a past version cannot be changed', async ({ page, ada }) => {
  const id = await openViews(page, ada, [{ ...OWN, include: [{ types: ['service'] }] }]);
  const { workspace } = await ada.get(`/api/workspaces/${id}`);
  await ada.delete(`/api/workspaces/${id}/components/orders`);
  await page.goto(`${ada.url}${HOME}/${id}/v/paying?past=${workspace.revision}`);
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
  expect(await storedPlaces(ada, id, 'paying')).toEqual({});
});

test('groups and layouts in a view with own positions leave the map where it is', async ({ page, ada }) => {
  const id = await openViews(page, ada, [OWN], 'paying');
  await component(page, 'orders').click();
  await component(page, 'payments').click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+g');
  await page.keyboard.type('Checkout');
  await page.keyboard.press('Enter');
  await expect(component(page, 'orders')).toBeVisible();
  await expect.poll(async () => Object.keys(await storedPlaces(ada, id, 'paying')).length).toBeGreaterThan(1);
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

test('a view with own positions says that it shows no notes, and adds none', async ({ page, ada }) => {
  const id = await openViews(page, ada, [OWN]);
  await ada.post(`/api/workspaces/${id}/notes`, { kind: 'note', text: 'Hello', x: 0, y: 300 });
  await openView(page, ada, id, 'paying');
  await expect(page.getByText('1 note hidden')).toBeVisible();
  await page.getByRole('button', { name: 'Notes', exact: true }).click();
  await page.getByRole('menuitem', { name: /note/i }).first().click();
  await expect(page.getByText('This view has its own positions')).toBeVisible();
  await page.getByRole('button', { name: 'Show the map' }).click();
  await expect(page).not.toHaveURL(/\/v\//);
  await expect(page.getByText('Hello')).toBeVisible();
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
  await page.keyboard.type('Refunds');
  await page.keyboard.press('Enter');
  await expect(component(page, 'refunds')).toBeVisible();
  await context.setOffline(false);
  await expect
    .poll(async () => (await storedView(ada, id, 'paying')).definition.include)
    .toEqual([{ ids: ['orders', 'payments', 'refunds'] }]);
  await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).orders?.y).toBeGreaterThan(0);
  expect((await storedPlaces(ada, id, 'paying')).refunds).toBeDefined();
  expect(await mapPosition(ada, id, 'orders')).toEqual({ x: 300, y: 0 });
});
