/** Undo and redo on the screens without a map, and of edits made on another screen. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, openMap } from './support/map.ts';
import { wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const SPOTS = [
  { id: 'web', x: 0, y: 0 },
  { id: 'api', x: 400, y: 0 },
];

const note = (page: Page, text: string) =>
  page.getByRole('dialog', { name: 'Note' }).filter({ hasText: text });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('the table and the processes have buttons to undo and redo', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  await ada.open(page, `${HOME}/${id}/processes/save-an-edit`);
  await expect(button(page, 'Undo')).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Delete process' }).click();
  const link = page.getByRole('link', { name: 'An editor saves an edit' });
  await expect(link).toBeHidden();
  // The button of the app bar; the message of the deletion has one with the same name.
  const undo = page.getByRole('banner').getByRole('button', { name: 'Undo', exact: true });
  await undo.press('Enter');
  await expect(link).toBeVisible();
  await expect(note(page, 'Undone: Delete process')).toBeVisible();
  // An edit that is undone cannot be undone from the message of the deletion.
  await expect(note(page, 'Deleted')).toHaveCount(0);
  await page.getByRole('link', { name: 'Table', exact: true }).click();
  await expect(undo).toHaveAttribute('aria-disabled', 'true');
  await button(page, 'Redo').press('Enter');
  await expect(note(page, 'Redone: Delete process')).toBeVisible();
  await expect(undo).toHaveAttribute('aria-disabled', 'false');
});

test('after undoing an edit of another screen, a button shows its effect', async ({ page, ada }) => {
  const id = await openMap(page, ada, SPOTS);
  await page.getByRole('link', { name: 'Processes', exact: true }).click();
  await page.getByRole('button', { name: 'New process' }).first().click();
  await page.getByLabel('Process name').fill('Checkout');
  await page.keyboard.press('Enter');
  const process = page.getByRole('region', { name: 'Process', exact: true });
  await expect(process.getByLabel('Name', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete process' }).click();
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await expect(component(page, 'web')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await note(page, 'Undone: Delete process').getByRole('button', { name: 'Show' }).press('Enter');
  await expect(process.getByLabel('Name', { exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toContain(`/w/${id}/processes/`);
});

test('after undoing a move in the table, a button shows the component on the map', async ({ page, ada }) => {
  await openMap(page, ada, SPOTS);
  await component(page, 'api').click();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Table', exact: true }).click();
  await button(page, 'Undo').click();
  await note(page, 'Undone').getByRole('button', { name: 'Show' }).click();
  await expect(component(page, 'api')).toHaveAttribute('aria-pressed', 'true');
});

test('undoing an edit whose effect is visible has no button to show it', async ({ page, ada }) => {
  await openMap(page, ada, SPOTS);
  await component(page, 'api').click();
  await page.keyboard.press('Delete');
  await expect(component(page, 'api')).toHaveCount(0);
  await page.getByRole('link', { name: 'Table', exact: true }).click();
  await button(page, 'Undo').click();
  await expect(note(page, 'Undone')).toBeVisible();
  await expect(note(page, 'Undone').getByRole('button', { name: 'Show' })).toHaveCount(0);
});

test('viewers have no buttons to undo', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  await grace.open(page, `${HOME}/${id}/table`);
  await expect(page.getByRole('button', { name: /^View only/ })).toBeVisible();
  await expect(button(page, 'Undo')).toHaveCount(0);
});
