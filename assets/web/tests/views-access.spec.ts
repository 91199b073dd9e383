/** The dialogs and panels of views and tours, opened and closed by keyboard, in the light and dark theme. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';
import { openViews } from './support/views.ts';
import { openSidePanel } from './support/workspaces.ts';

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

test('the menu of a view leads to accessible dialogs, which Escape closes', async ({ page, ada }) => {
  await openViews(page, ada, [
    { id: 'paying', name: 'Paying', include: [{ ids: ['orders', 'payments'] }] },
    { id: 'books', name: 'Books', include: [{ ids: ['payments', 'ledger'] }] },
  ]);
  const panel = await openSidePanel(page);
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
});

test('saving a view, removing from it and discarding a tour are accessible questions', async ({
  page,
  ada,
}) => {
  await openViews(page, ada, [{ id: 'core', name: 'Core', include: [{ types: ['service'] }] }], 'core');
  await component(page, 'orders').focus();
  await page.keyboard.press('Shift+V');
  const save = page.getByRole('dialog', { name: 'Save as view' });
  await expect(save.getByLabel('Name')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(save).toHaveCount(0);
  await page.getByRole('region', { name: 'Map', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(component(page, 'web')).toBeFocused();
  await page.keyboard.press('Delete');
  const remove = page.getByRole('dialog', { name: 'Remove “web” from this view?' });
  await expect(remove.getByRole('button', { name: 'Remove from view' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(component(page, 'web')).toBeVisible();

  const panel = await openSidePanel(page);
  await panel.getByRole('button', { name: 'Create tour' }).focus();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('region', { name: 'New tour' });
  await expect(editor.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Payments');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard changes to this tour?' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(editor.getByLabel('Name')).toHaveValue('Payments');
});
