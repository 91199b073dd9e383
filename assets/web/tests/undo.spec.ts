/** Undo and redo on the screens without a map, and of edits made on another screen. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, openMap } from './support/map.ts';
import { visitMap } from './support/visit.ts';
import { wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const SPOTS = [
  { id: 'web', x: 0, y: 0 },
  { id: 'api', x: 400, y: 0 },
];

const note = (page: Page, text: string | RegExp) =>
  page.getByRole('dialog', { name: 'Note' }).filter({ hasText: text });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('edits are undone on screens without a map, and a button shows their effect elsewhere', async ({
  page,
  ada,
}) => {
  const wiki = await wikipedia(ada);
  await ada.open(page, `${HOME}/${wiki}/processes/save-an-edit`);
  // The button of the app bar; messages have one with the same name.
  const undo = page.getByRole('banner').getByRole('button', { name: 'Undo', exact: true });
  const openTab = (name: string) => page.getByRole('link', { name, exact: true }).click();

  await test.step('the table and the processes have buttons to undo and redo', async () => {
    await expect(button(page, 'Undo')).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Delete process' }).click();
    const link = page.getByRole('link', { name: 'An editor saves an edit' });
    await expect(link).toBeHidden();
    await undo.press('Enter');
    await expect(link).toBeVisible();
    await expect(note(page, 'Undone: Delete process')).toBeVisible();
    // An edit that is undone cannot be undone from the message of the deletion.
    await expect(note(page, 'Deleted')).toHaveCount(0);
    await openTab('Table');
    await expect(undo).toHaveAttribute('aria-disabled', 'true');
    await button(page, 'Redo').press('Enter');
    await expect(note(page, 'Redone: Delete process')).toBeVisible();
    await expect(undo).toHaveAttribute('aria-disabled', 'false');
  });

  await test.step('after undoing an edit of another screen, a button shows its effect', async () => {
    const id = await visitMap(page, ada, SPOTS);
    await openTab('Processes');
    await page.getByRole('button', { name: 'New process' }).first().click();
    await page.getByLabel('Process name').fill('Checkout');
    await page.keyboard.press('Enter');
    const process = page.getByRole('region', { name: 'Process', exact: true });
    await expect(process.getByLabel('Name', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Delete process' }).click();
    await openTab('Map');
    await expect(component(page, 'web')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+z');
    await note(page, 'Undone: Delete process “Checkout”')
      .getByRole('button', { name: 'Show' })
      .press('Enter');
    await expect(process.getByLabel('Name', { exact: true })).toBeVisible();
    expect(new URL(page.url()).pathname).toContain(`/w/${id}/processes/`);
  });
});

test('a message about an undone edit has a button to show its effect only if it is not visible', async ({
  page,
  ada,
}) => {
  const undo = page.getByRole('banner').getByRole('button', { name: 'Undo', exact: true });
  const openTable = () => page.getByRole('link', { name: 'Table', exact: true }).click();
  await openMap(page, ada, SPOTS);

  await test.step('after undoing a move in the table, a button shows the component on the map', async () => {
    await component(page, 'api').click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    await openTable();
    await undo.click();
    await note(page, /^Undone: (?!Delete)/)
      .getByRole('button', { name: 'Show' })
      .click();
    await expect(component(page, 'api')).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('undoing an edit whose effect is visible has no button to show it', async () => {
    await visitMap(page, ada, SPOTS);
    await component(page, 'api').click();
    await page.keyboard.press('Delete');
    await expect(component(page, 'api')).toHaveCount(0);
    await openTable();
    await undo.click();
    const undone = note(page, /Undone: Delete (?!process)/);
    await expect(undone).toBeVisible();
    await expect(undone.getByRole('button', { name: 'Show' })).toHaveCount(0);
  });
});
