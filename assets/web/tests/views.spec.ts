/** Views: open, arrange, save, edit rules, add and remove components, by mouse and by keyboard. */
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, dragTo, placeOf } from './support/map.ts';
import {
  createView,
  mapPosition,
  openView,
  openViews,
  storedPlaces,
  storedView,
  type TestView,
} from './support/views.ts';
import { createSharedShop, newWindow, openSidePanel } from './support/workspaces.ts';

const PAYING: TestView = { id: 'paying', name: 'Paying', include: [{ ids: ['orders', 'payments'] }] };
const OWN: TestView = { ...PAYING, layout: 'own' };

/** Drags a component by its card. */
async function dragCard(
  page: Parameters<typeof placeOf>[0],
  id: string,
  x: number,
  y: number,
): Promise<void> {
  const at = await placeOf(page, id);
  await dragTo(page, { x: at.x + 40, y: at.y + 20 }, { x: at.x + 40 + x, y: at.y + 20 + y });
}

test('a view is opened from the side panel and shows only its members', async ({ page, ada }) => {
  const id = await openViews(page, ada, [
    PAYING,
    { id: 'data', name: 'Data', include: [{ types: ['database'] }] },
  ]);
  const panel = await openSidePanel(page);
  await panel.getByRole('link', { name: 'Paying', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/w/${id}/v/paying`));
  await expect(component(page, 'orders')).toBeVisible();
  await expect(component(page, 'web')).toHaveCount(0);
  await expect(page.getByText('2 components', { exact: true })).toBeVisible();
  await expect(panel.getByRole('list', { name: 'Legend' }).getByRole('listitem')).toHaveText(/Service.*2/);
  await expectAccessible(page);
  const tabs = page.getByRole('navigation', { name: 'Recent views' });
  await panel.getByRole('link', { name: 'Data', exact: true }).click();
  await expect(component(page, 'ledger')).toBeVisible();
  await expect(component(page, 'orders')).toHaveCount(0);
  await tabs.getByRole('link', { name: 'Paying' }).click();
  await expect(component(page, 'orders')).toBeVisible();
  await tabs.getByRole('link', { name: 'All' }).click();
  await expect(component(page, 'web')).toBeVisible();
  await tabs.getByRole('button', { name: 'Close tab Data' }).click();
  await expect(tabs.getByRole('link', { name: 'Data' })).toHaveCount(0);
});

test('a view that does not exist says so and offers others', async ({ page, ada }) => {
  const id = await openViews(page, ada, [PAYING]);
  await page.goto(`${ada.url}/o/analytical-engines/w/${id}/v/unknown`);
  await expect(page.getByRole('heading', { name: 'View not found' })).toBeVisible();
  await page.getByRole('list', { name: 'Other views' }).getByRole('link', { name: 'Paying' }).click();
  await expect(component(page, 'orders')).toBeVisible();
});

test('moving in a view with own positions leaves the map as it is, and undo returns', async ({
  page,
  ada,
}) => {
  const id = await openViews(page, ada, [OWN], 'paying');
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

test('moving in a view with the positions of the map moves the component everywhere', async ({
  page,
  ada,
}) => {
  const id = await openViews(page, ada, [PAYING], 'paying');
  await expect(component(page, 'orders')).toBeVisible();
  await dragCard(page, 'orders', 0, 120);
  await expect.poll(async () => (await mapPosition(ada, id, 'orders')).y).toBeGreaterThan(50);
  expect(await storedPlaces(ada, id, 'paying')).toEqual({});
});

test('a component that matches later is marked as new until it is accepted', async ({ page, ada }) => {
  const id = await openViews(page, ada, [{ ...OWN, include: [{ types: ['service'] }] }], 'paying');
  await dragCard(page, 'orders', 0, 100);
  await expect.poll(async () => Object.keys(await storedPlaces(ada, id, 'paying')).length).toBe(3);
  const before = await storedPlaces(ada, id, 'paying');
  await ada.post(`/api/workspaces/${id}/components`, {
    id: 'mailer',
    typeId: 'service',
    name: 'Mailer',
    x: 0,
    y: 900,
  });
  await expect(page.locator('[data-new="mailer"]')).toBeVisible();
  await expect(page.getByText('1 new')).toBeVisible();
  await page.getByRole('button', { name: 'Accept all' }).click();
  await expect(page.locator('[data-new]')).toHaveCount(0);
  await expect.poll(async () => await storedPlaces(ada, id, 'paying')).toMatchObject(before);
  expect((await storedPlaces(ada, id, 'paying')).mailer).toBeDefined();
});

test('the selection is saved as a view using only the keyboard', async ({ page, ada }) => {
  const id = await openViews(page, ada, []);
  await expect(component(page, 'web')).toBeVisible();
  await page.getByRole('region', { name: 'Map', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(component(page, 'web')).toBeFocused();
  await page.keyboard.press('Shift+V');
  const dialog = page.getByRole('dialog', { name: 'Save as view' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Front');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/v\/front/);
  await expect(component(page, 'web')).toBeVisible();
  await expect(component(page, 'orders')).toHaveCount(0);
  await expect
    .poll(async () => (await storedView(ada, id, 'front')).definition.include)
    .toEqual([{ ids: ['web'] }]);
});

test('filters are saved as rules, which later components match', async ({ page, ada }) => {
  const id = await openViews(page, ada, []);
  const panel = await openSidePanel(page);
  await page.goto(`${ada.url}/o/analytical-engines/w/${id}?type=database`);
  await panel.getByRole('button', { name: 'Save as view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as view' });
  await expect(dialog.getByText('1 component now')).toBeVisible();
  await dialog.getByLabel('Name').fill('Databases');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(component(page, 'ledger')).toBeVisible();
  await expect
    .poll(async () => (await storedView(ada, id, 'databases')).definition.include)
    .toEqual([{ types: ['database'] }]);
  await ada.post(`/api/workspaces/${id}/components`, {
    id: 'cache',
    typeId: 'database',
    name: 'Cache',
    x: 900,
    y: 200,
  });
  await expect(component(page, 'cache')).toBeVisible();
});

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

test('Delete in a view asks, and removing leaves the component on the map', async ({ page, ada }) => {
  const id = await openViews(page, ada, [{ ...PAYING, include: [{ types: ['service'] }] }], 'paying');
  await component(page, 'orders').click();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Remove “orders” from this view?' });
  await expect(dialog.getByRole('button', { name: 'Remove from view' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(component(page, 'orders')).toHaveCount(0);
  await expect
    .poll(async () => (await storedView(ada, id, 'paying')).definition.exclude)
    .toEqual([{ ids: ['orders'] }]);
  expect(await mapPosition(ada, id, 'orders')).toEqual({ x: 300, y: 0 });
  await page.keyboard.press('Control+z');
  await expect(component(page, 'orders')).toBeVisible();
  await component(page, 'orders').click();
  await page.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Delete from workspace' }).click();
  await expect(component(page, 'orders')).toHaveCount(0);
  await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).components.length).toBe(3);
});

test('a component is added with its button and dragged onto the map', async ({ page, ada }) => {
  const id = await openViews(page, ada, [OWN], 'paying');
  const panel = await openSidePanel(page);
  await panel.getByText('Not in this view').click();
  await panel.getByRole('button', { name: 'Add web to this view' }).click();
  await expect(component(page, 'web')).toBeVisible();
  const map = page.getByRole('region', { name: 'Map', exact: true });
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

test('a component created in a view is in it', async ({ page, ada }) => {
  const id = await openViews(page, ada, [OWN], 'paying');
  await expect(component(page, 'orders')).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.type('Refunds');
  await page.keyboard.press('Enter');
  await expect(component(page, 'refunds')).toBeVisible();
  await expect
    .poll(async () => (await storedView(ada, id, 'paying')).definition.include)
    .toEqual([{ ids: ['orders', 'payments', 'refunds'] }]);
  await expect.poll(async () => (await storedPlaces(ada, id, 'paying')).refunds).toBeDefined();
});

test('neighbors outside are shown at the edge, and one click adds them', async ({ page, ada }) => {
  const id = await openViews(page, ada, [{ ...PAYING, outside: 'stubs' }], 'paying');
  const outside = page.getByRole('list', { name: 'Neighbors outside of this view' });
  await expect(outside.getByRole('listitem')).toHaveCount(2);
  await outside.getByRole('button', { name: 'Add ledger to this view' }).click();
  await expect(component(page, 'ledger')).toBeVisible();
  await expect(outside.getByRole('listitem')).toHaveCount(1);
  await outside.getByRole('button', { name: 'web', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/w/${id}\\?.*c=web`));
  await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'true');
});

test('a component opens a view by double-click and Enter, and breadcrumbs lead back', async ({
  page,
  ada,
}) => {
  const id = await openViews(page, ada, [
    PAYING,
    { id: 'books', name: 'Books', include: [{ ids: ['payments', 'ledger'] }] },
  ]);
  await openView(page, ada, id, 'paying');
  await component(page, 'payments').click();
  await page.getByRole('combobox', { name: 'Opens view' }).fill('Bo');
  await page.getByRole('option', { name: 'Books' }).click();
  await expect(page.locator('[data-opens="books"]')).toBeVisible();
  await component(page, 'payments').dblclick();
  await expect(page).toHaveURL(/\/v\/books/);
  const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(trail).toContainText('Paying');
  await trail.getByRole('button', { name: 'Paying' }).click();
  await expect(page).toHaveURL(/\/v\/paying/);
  await component(page, 'payments').click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/v\/books/);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  await component(page, 'ledger').click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByRole('list', { name: 'Views' }).getByRole('link')).toHaveText(['Books']);
});

test('views are reordered by keyboard and by dragging, copied, renamed and deleted', async ({
  page,
  ada,
}) => {
  const id = await openViews(page, ada, [
    PAYING,
    { id: 'books', name: 'Books' },
    { id: 'core', name: 'Core' },
  ]);
  const panel = await openSidePanel(page);
  const list = panel.getByRole('list', { name: 'Views', exact: true });
  await expect(list.getByRole('link')).toHaveText(['All', 'Paying', 'Books', 'Core']);
  await list.getByRole('link', { name: 'Core' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(list.getByRole('link')).toHaveText(['All', 'Paying', 'Core', 'Books']);
  await expect(list.getByRole('link', { name: 'Core' })).toBeFocused();
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name });
  await row('Books').dragTo(row('Paying'), { targetPosition: { x: 60, y: 4 } });
  await expect(list.getByRole('link')).toHaveText(['All', 'Books', 'Paying', 'Core']);
  const order = async () =>
    (await ada.get(`/api/workspaces/${id}/views`)).views.map(({ name }: { name: string }) => name);
  await expect.poll(order).toEqual(['Books', 'Paying', 'Core']);
  await row('Core').getByRole('button', { name: 'Menu of view Core' }).click();
  await page.getByRole('menuitem', { name: 'Rename and describe…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Kernel');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(list.getByRole('link', { name: 'Kernel' })).toBeVisible();
  await row('Kernel').getByRole('button', { name: 'Menu of view Kernel' }).click();
  await page.getByRole('menuitem', { name: 'Copy view' }).click();
  await expect(page).toHaveURL(/\/v\/copy-of-kernel/);
  await row('Copy of Kernel').getByRole('button', { name: 'Menu of view Copy of Kernel' }).click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await expect(page).not.toHaveURL(/\/v\//);
  await expect(list.getByRole('link')).toHaveText(['All', 'Books', 'Paying', 'Kernel']);
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect(list.getByRole('link', { name: 'Copy of Kernel' })).toBeVisible();
});

test('the palette opens a view, and two views are compared', async ({ page, ada }) => {
  await openViews(page, ada, [
    PAYING,
    { id: 'books', name: 'Books', include: [{ ids: ['payments', 'ledger'] }] },
  ]);
  await expect(component(page, 'web')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('books');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/v\/books/);
  await page.getByRole('button', { name: 'View menu' }).click();
  await page.getByRole('menuitem', { name: 'Compare with another view…' }).click();
  const sheet = page.getByRole('region', { name: 'Compare views' });
  await expect(sheet.getByRole('status')).toHaveText(
    '1 component in both, 1 only in “Books”, 1 only in “Paying”',
  );
  await expectAccessible(page);
});

test('two people arrange a view at once', async ({ page, ada, browser }) => {
  const id = await openViews(page, ada, [OWN], 'paying');
  const other = await newWindow(browser);
  await ada.open(other, `/o/analytical-engines/w/${id}/v/paying`);
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

test('colors and collapsed groups of a view are in the address only if they differ', async ({
  page,
  ada,
}) => {
  const id = await openViews(page, ada, [{ ...PAYING, colorBy: 'owner' }], 'paying');
  const panel = await openSidePanel(page);
  await expect(panel.getByRole('radio', { name: 'Owner' })).toBeChecked();
  await expect(page).not.toHaveURL(/color=/);
  await panel.getByText('Team', { exact: true }).click();
  await expect(page).toHaveURL(/color=team/);
  await createView(ada, id, { id: 'books', name: 'Books' });
  await panel.getByRole('link', { name: 'Books', exact: true }).click();
  await expect(panel.getByRole('radio', { name: 'Type' })).toBeChecked();
});

test('someone with view access keeps and arranges a personal view that others cannot open', async ({
  page,
  ada,
  browser,
}) => {
  const { id } = await createSharedShop(ada);
  const reader = await ada.invite(`reader-${id}`, 'Mary Reader');
  await reader.open(page, `/o/analytical-engines/w/${id}`);
  await expect(component(page, 'web')).toBeVisible();
  await page.getByRole('region', { name: 'Map', exact: true }).focus();
  await page.keyboard.press('Shift+V');
  const dialog = page.getByRole('dialog', { name: 'Save as view' });
  await expect(dialog.getByRole('radio', { name: /Everyone/ })).toHaveCount(0);
  await dialog.getByLabel('Name').fill('Mine');
  await dialog.getByRole('radio', { name: /Own positions/ }).check();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(page).toHaveURL(/\/v\/~mine/);
  await expect(component(page, 'web')).toBeVisible();
  await dragCard(page, 'web', 0, 140);
  const places = async () => (await reader.get(`/api/workspaces/${id}/views/personal/mine`)).view.places[0].y;
  await expect.poll(places).toBeGreaterThan(50);
  expect((await mapPosition(ada, id, 'web')).y).toBe(0);
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Undone: Move “Web”')).toBeVisible();
  await expect.poll(places).toBe(0);
  await page.keyboard.press('Control+Shift+Z');
  await expect.poll(places).toBeGreaterThan(50);
  const other = await newWindow(browser);
  await ada.open(other, `/o/analytical-engines/w/${id}/v/~mine`);
  await expect(other.getByRole('heading', { name: 'View not found' })).toBeVisible();
  await other.close();
});
