import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { createShop, openMap } from './support/workspaces.ts';

/** Creates two workspaces with components of the same kind, and a process. Returns their IDs. */
async function twoShops(ada: Actor): Promise<{ here: string; there: string }> {
  const here = await createShop(ada);
  const there = await createShop(ada);
  await ada.patch(`/api/workspaces/${there}`, { name: 'Warehouse' });
  const add = (workspace: string, id: string, name: string, technology: string[] = []) =>
    ada.post(`/api/workspaces/${workspace}/components`, {
      id,
      typeId: 'database',
      name,
      technology,
      x: 300,
      y: 0,
    });
  await add(here, 'near', `Zeppelin near ${here}`);
  await add(there, 'far', `Zeppelin far ${here}`, ['PostgreSQL']);
  await ada.post(`/api/workspaces/${there}/processes`, {
    id: 'fly',
    name: `Fly the zeppelin ${here}`,
    mermaid: 'sequenceDiagram\n  A->>B: up',
  });
  return { here, there };
}

async function openPalette(page: Page): Promise<Locator> {
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(async () => {
    if (!(await palette.isVisible())) await page.keyboard.press('ControlOrMeta+k');
    await expect(palette).toBeVisible({ timeout: 500 });
  }).toPass();
  return palette;
}

const titles = (palette: Locator) => palette.getByRole('option').allTextContents();

test('the command palette finds components and processes of other workspaces', async ({ page, ada }) => {
  await test.step('the command palette finds components in other workspaces and opens them there', async () => {
    const { here, there } = await twoShops(ada);
    await openMap(ada, page, here);
    const palette = await openPalette(page);
    await page.keyboard.type(`zeppelin ${here}`);
    const options = palette.getByRole('option');
    await expect(options).toHaveCount(3);
    await expect(palette.getByText('In other workspaces', { exact: true })).toBeVisible();
    await expect(palette.getByText('2 results in other workspaces')).toBeVisible();
    // Those of the open workspace come first.
    await expect(options.nth(0)).toContainText(`Zeppelin near ${here}`);
    await expect(options.nth(1)).toContainText('Warehouse');
    for (const theme of ['light', 'dark']) {
      await page.evaluate((theme) => {
        document.documentElement.dataset.theme = theme;
      }, theme);
      await expectNoViolations(page);
    }
    await page.keyboard.press('ArrowDown');
    await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/w/${there}?c=far*`);
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue(`Zeppelin far ${here}`);
  });

  await test.step('the command palette shows technologies of results, and finds processes', async () => {
    const { here, there } = await twoShops(ada);
    await visit(page, '/account');
    const palette = await openPalette(page);
    await page.keyboard.type(`postgres ${here}`);
    await expect(palette.getByRole('option').first()).toContainText('PostgreSQL · Warehouse');
    await page.getByRole('combobox').fill(`fly ${here}`);
    await palette.getByRole('option', { name: /Fly the zeppelin/ }).click();
    await page.waitForURL(`**/w/${there}/processes/fly`);
  });

  await test.step('the command palette says when the search in other workspaces fails, and tries again', async () => {
    const { here } = await twoShops(ada);
    await openMap(ada, page, here);
    let fails = true;
    await page.route('**/api/search?*', (route) => (fails ? route.abort() : route.continue()));
    const palette = await openPalette(page);
    await page.keyboard.type(`zeppelin ${here}`);
    await expect(palette.getByText('Could not search other workspaces')).toBeVisible();
    await expect(palette.getByRole('option').first()).toContainText('Zeppelin near');
    await expectNoViolations(page);
    fails = false;
    await page.keyboard.press('Tab');
    await expect(palette.getByRole('button', { name: 'Try again' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(palette.getByRole('option')).toHaveCount(3);
  });

  await test.step('Tab keeps the focus in the command palette', async () => {
    const { here } = await twoShops(ada);
    await openMap(ada, page, here);
    const palette = await openPalette(page);
    const field = palette.getByRole('combobox');
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      await expect(field).toBeFocused();
    }
    await page.keyboard.type('qqqqqq');
    await expect(palette.getByText('No results for “qqqqqq”')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  });
});

test('the command palette finds components in other workspaces from every screen', async ({ page, ada }) => {
  const { here, there } = await twoShops(ada);
  await ada.open(page, '/o/analytical-engines');
  for (const [screen, path] of [
    ['the list of workspaces', ''],
    ['the table', `/w/${here}/table`],
    ['processes', `/w/${here}/processes`],
    ['the history', `/w/${here}/history`],
    ['the settings of the organization', '/settings'],
  ] as const) {
    await test.step(`from ${screen}`, async () => {
      await visit(page, `/o/analytical-engines${path}`);
      const palette = await openPalette(page);
      await page.keyboard.type(`far ${here}`);
      await palette.getByRole('option', { name: /Zeppelin far/ }).click();
      await page.waitForURL(`**/w/${there}?c=far*`);
    });
  }
});

test('the command palette has the commands of each page', async ({ page, ada }) => {
  const { here } = await twoShops(ada);
  await ada.open(page, '/account');
  const expected: readonly [path: string, commands: readonly string[], absent: readonly string[]][] = [
    ['', ['New workspace', 'Import file', 'Show deleted workspaces', 'Sign out'], ['Go to workspaces']],
    [`/w/${here}/table`, ['Add component', 'Go to map'], ['Go to table', 'Zoom in']],
    [`/w/${here}/processes`, ['New process'], ['Go to processes']],
    ['/people', ['New person'], ['Go to people, teams and roles']],
    ['/teams', ['New team'], []],
    ['/settings', ['Go to workspaces', 'Go to account settings'], ['Go to organization settings']],
  ];
  for (const [path, commands, absent] of expected) {
    await visit(page, `/o/analytical-engines${path}`);
    const palette = await openPalette(page);
    await expect(palette.getByRole('option').first()).toBeVisible();
    for (const command of commands) {
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(command);
      await expect(palette.getByRole('option', { name: command, exact: true }).first()).toBeVisible();
    }
    for (const command of absent) {
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(command);
      await expect(palette.getByRole('option', { name: command, exact: true })).toHaveCount(0);
    }
    await page.keyboard.press('Escape');
  }
  await visit(page, '/o/analytical-engines');
  const palette = await openPalette(page);
  await page.keyboard.type('new workspace');
  await expect.poll(() => titles(palette)).not.toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New workspace' })).toBeVisible();
});
