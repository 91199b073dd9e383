/** Views: open them in several ways, save, order, rename and delete them, and keep personal ones. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';
import {
  createViews,
  dragCard,
  mapPosition,
  openViews,
  storedView,
  type TestView,
  visitView,
} from './support/views.ts';
import { visit } from './support/visit.ts';
import { createSharedShop, newWindow, openSidePanel, wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const PAYING: TestView = { id: 'paying', name: 'Paying', include: [{ ids: ['orders', 'payments'] }] };
const BOOKS: TestView = { id: 'books', name: 'Books', include: [{ ids: ['payments', 'ledger'] }] };

/** Moves the focus through an open menu to an item, and selects it. */
async function choose(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  await expect(item).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(item).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.press('Enter');
}

test('views are opened from the side panel, tabs, the palette, components and links', async ({
  page,
  ada,
}) => {
  test.slow();
  const id = await openViews(page, ada, [
    PAYING,
    { id: 'data', name: 'Data', include: [{ types: ['database'] }] },
    BOOKS,
  ]);
  const colored = await createViews(ada, { ...PAYING, colorBy: 'owner' }, { id: 'books', name: 'Books' });
  const panel = await openSidePanel(page);

  await test.step('a view shows only its members', async () => {
    await panel.getByRole('link', { name: 'Paying', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/w/${id}/v/paying`));
    await expect(component(page, 'orders')).toBeVisible();
    await expect(component(page, 'web')).toHaveCount(0);
    await expect(page.getByText('2 components', { exact: true })).toBeVisible();
    await expect(panel.getByRole('list', { name: 'Legend' }).getByRole('listitem')).toHaveText(/Service.*2/);
    await expectAccessible(page);
  });

  await test.step('tabs lead to recent views', async () => {
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

  await test.step('the palette opens a view, which is compared with another', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('books');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/v\/books/);
    await page.getByRole('button', { name: 'View menu' }).click();
    await page.getByRole('menuitem', { name: 'Compare with another view…' }).click();
    await expect(page.getByRole('region', { name: 'Compare views' }).getByRole('status')).toHaveText(
      '1 component in both, 1 only in “Books”, 1 only in “Paying”',
    );
    await page.keyboard.press('Escape');
  });

  await test.step('an unknown view says so and offers others', async () => {
    await visit(page, `${HOME}/${id}/v/unknown`);
    await expect(page.getByRole('heading', { name: 'View not found' })).toBeVisible();
    await page.getByRole('list', { name: 'Other views' }).getByRole('link', { name: 'Paying' }).click();
    await expect(component(page, 'orders')).toBeVisible();
  });

  await test.step('a component opens a view by double-click and Enter, and breadcrumbs lead back', async () => {
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
    await expect(inspector.getByRole('list', { name: 'Views' }).getByRole('link')).toHaveText([
      'Data',
      'Books',
    ]);
  });

  await test.step('colors are in the address only if they differ from those of the view', async () => {
    await visitView(page, colored, 'paying');
    await expect(panel.getByRole('radio', { name: 'Owner' })).toBeChecked();
    await expect(page).not.toHaveURL(/color=/);
    await panel.getByText('Team', { exact: true }).click();
    await expect(page).toHaveURL(/color=team/);
    await panel.getByRole('link', { name: 'Books', exact: true }).click();
    await expect(panel.getByRole('radio', { name: 'Type' })).toBeChecked();
  });
});

test('a selection, filters, an impact question and a process are saved as views', async ({ page, ada }) => {
  test.slow();
  const id = await openViews(page, ada, []);
  const wiki = await wikipedia(ada);
  const dialog = page.getByRole('dialog', { name: 'Save as view' });

  await test.step('the selection, using only the keyboard', async () => {
    await expect(component(page, 'web')).toBeVisible();
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(component(page, 'web')).toBeFocused();
    await page.keyboard.press('Shift+V');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('Shift+V');
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

  await test.step('filters, as rules that later components match', async () => {
    await visit(page, `${HOME}/${id}?type=database`);
    const panel = await openSidePanel(page);
    await panel.getByRole('button', { name: 'Save as view' }).click();
    await expect(dialog.getByText('1 component now')).toBeVisible();
    await dialog.getByLabel('Name').fill('Databases');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(component(page, 'ledger')).toBeVisible();
    await expect
      .poll(async () => (await storedView(ada, id, 'databases')).definition.include)
      .toEqual([{ types: ['database'] }]);
    const cache = { id: 'cache', typeId: 'database', name: 'Cache', x: 900, y: 200 };
    await ada.post(`/api/workspaces/${id}/components`, cache);
    await expect(component(page, 'cache')).toBeVisible();
  });

  await test.step('the result of an impact question, which follows the relationships', async () => {
    await visit(page, `${HOME}/${id}?impact=payments&way=dependencies`);
    await expect(page.getByRole('region', { name: /Impact|depend/i }).first()).toBeVisible();
    await page.keyboard.press('Shift+V');
    await dialog.getByLabel('Name').fill('Around payments');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(page).toHaveURL(/\/v\/around-payments/);
    await expect
      .poll(async () => (await storedView(ada, id, 'around-payments')).definition.include)
      .toMatchObject([{ ids: ['payments'] }, { around: { of: ['payments'], direction: 'down', depth: 10 } }]);
  });

  await test.step('a process, which is played in a view that says what it lacks', async () => {
    await visit(page, `${HOME}/${wiki}/v/edit?process=read-an-article&step=7`);
    const bar = page.getByRole('region', { name: 'Playback of A reader opens an article' });
    await expect(bar.getByText('“Backend cache” and “MediaWiki” are not in this view.')).toBeVisible();
    await bar.getByRole('button', { name: 'Show on map' }).click();
    await expect(page).toHaveURL(new RegExp(`/w/${wiki}\\?.*step=7`));
    await expect(bar.getByText('not in this view')).toHaveCount(0);
    await expect(page.locator('[data-tone="current"]')).toHaveCount(2);
    await page.keyboard.press('Shift+V');
    await expect(dialog.getByText('the participants of “A reader opens an article”')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expect(page).toHaveURL(/\/v\/a-reader-opens-an-article/);
    const { definition } = await storedView(ada, wiki, 'a-reader-opens-an-article');
    expect(definition.include[0].ids).toContain('cache-backend');
  });
});

test('views are ordered by keyboard and by dragging, copied, renamed and deleted', async ({ page, ada }) => {
  test.slow();
  const id = await openViews(page, ada, [PAYING, BOOKS, { id: 'core', name: 'Core' }]);
  const panel = await openSidePanel(page);

  await test.step('the menu of a view leads to accessible dialogs, which Escape closes', async () => {
    const menu = panel.getByRole('button', { name: 'Menu of view Paying' });
    for (const [item, role, name] of [
      ['Rename and describe…', 'dialog', 'Rename and describe view'],
      ['Compare with another view…', 'region', 'Compare views'],
    ] as const) {
      await menu.focus();
      await page.keyboard.press('Enter');
      await choose(page, item);
      const opened = page.getByRole(role, { name });
      await expect(opened).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(opened).toHaveCount(0);
    }
    await visitView(page, id);
  });

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

test('someone with view access keeps and arranges a personal view that others cannot open', async ({
  page,
  ada,
  browser,
}) => {
  const { id } = await createSharedShop(ada);
  const reader = await ada.invite(`reader-${id}`, 'Mary Reader');
  await reader.open(page, `${HOME}/${id}`);
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
  await ada.open(other, `${HOME}/${id}/v/~mine`);
  await expect(other.getByRole('heading', { name: 'View not found' })).toBeVisible();
  await other.close();
});
