/** The history of a workspace: changes by author, past versions, comparisons, restoring, and undoing. */
import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';

let count = 0;

/** A workspace with two components, one of which was renamed and moved. */
async function shop(ada: Actor): Promise<string> {
  count += 1;
  const id = `history-${process.pid}-${count}`;
  await ada.post('/api/workspaces', { id, name: 'Shop', visibility: 'org' });
  await ada.post(`/api/workspaces/${id}/components`, { id: 'web', typeId: 'service', name: 'Web' });
  await ada.post(`/api/workspaces/${id}/components`, { id: 'api', typeId: 'service', name: 'Api' });
  await ada.patch(`/api/workspaces/${id}/components/web`, { name: 'Window' });
  await ada.patch(`/api/workspaces/${id}/components`, [
    { id: 'web', x: 500, y: 500 },
    { id: 'api', x: 800, y: 500 },
  ]);
  return id;
}

const openHistory = (ada: Actor, page: Page, id: string) =>
  ada.open(page, `/o/analytical-engines/w/${id}/history`);
const log = (page: Page) => page.getByRole('list', { name: 'Changes, newest first' });
const VIEWING = /^Viewing .* \(read-only\)$/;

test('the history lists who changed what and why, also what others change meanwhile', async ({
  page,
  ada,
}) => {
  const id = await shop(ada);
  await ada.post(`/api/workspaces/${id}/versions`, { name: 'First' });
  await openHistory(ada, page, id);
  const items = log(page).getByRole('listitem');
  await test.step('each change set has its author and changes, and the list is accessible', async () => {
    await expect(items.first()).toContainText('Ada Lovelace moved 2 components');
    await expect(items).toHaveCount(5);
    const rename = log(page).getByRole('button', {
      name: 'Ada Lovelace changed name of component “Window”',
    });
    await rename.click();
    await expect(rename).toHaveAttribute('aria-expanded', 'true');
    await expect(log(page).getByText('Web → Window')).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
    await page.getByLabel('Type', { exact: true }).selectOption('workspace');
    await expect(items).toHaveCount(1);
    await page.getByLabel('Type', { exact: true }).selectOption({ index: 0 });
    await expect(items).toHaveCount(5);
  });
  await test.step('changes by others appear in the open history, with their reason', async () => {
    await ada.post(`/api/workspaces/${id}/components`, { id: 'db', typeId: 'database', name: 'Books' });
    await expect(page.getByText('added component “Books”')).toBeVisible();
    const reason = encodeURIComponent('Approved in the café, 100% sure');
    await ada.patch(`/api/workspaces/${id}/components/api`, { name: 'API' }, { 'X-Change-Reason': reason });
    await expect(items.first()).toContainText('changed name of component “API”');
    await expect(items.first().getByText('“Approved in the café, 100% sure”')).toBeVisible();
  });
  await test.step('an undo that conflicts with a later change names its author', async () => {
    const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
    const { id: userId } = await grace.get('/api/me');
    await ada.post(`/api/workspaces/${id}/members`, { userId, role: 'editor' });
    await grace.patch(`/api/workspaces/${id}/components/web`, { name: 'Mine now' });
    await expect(items.first()).toContainText('Grace Hopper');
    await page
      .getByRole('button', { name: /Actions for: changed name of component/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Undo' }).click();
    await expect(
      page.getByRole('alert').getByText(/Can’t undo: component “Mine now”.*Grace Hopper/),
    ).toBeVisible();
  });
});

test('past versions of the map are viewed and compared, from the history and next to the map', async ({
  page,
  ada,
}) => {
  const id = await shop(ada);
  await openHistory(ada, page, id);
  await test.step('a past version is read-only, with a link back to the current one', async () => {
    await page.getByRole('button', { name: 'Actions for: added component “Api”' }).click();
    await page.getByRole('menuitem', { name: 'View map at this point' }).click();
    await expect(page.getByText(VIEWING)).toBeVisible();
    // The components were elsewhere in the past.
    await page.getByRole('button', { name: 'Zoom to fit', exact: true }).click();
    await component(page, 'web').click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    const name = inspector.getByLabel('Name', { exact: true });
    await expect(inspector.getByText('Web', { exact: true }).first()).toBeVisible();
    await expect(name).toBeHidden();
    await page.getByRole('button', { name: 'Back to current' }).click();
    await expect(page.getByText(/^Viewing/)).toBeHidden();
    await expect(name).toHaveValue('Window');
    await expect(name).toBeEditable();
    await page.keyboard.press('Escape');
    await expect(inspector).toBeHidden();
  });
  await test.step('recent changes are listed next to the map and link to past versions', async () => {
    await page.keyboard.press('l');
    const panel = page.getByRole('complementary', { name: 'Recent changes' });
    await expect(panel.getByRole('listitem')).toHaveCount(5);
    await ada.post(`/api/workspaces/${id}/components`, { id: 'db', typeId: 'database', name: 'Books' });
    await expect(panel.getByText('added component “Books”')).toBeVisible();
    await expectNoViolations(page, 'aside');
    await panel.getByRole('button', { name: 'Actions for: added component “Api”' }).press('Enter');
    await page.getByRole('menuitem', { name: 'View map at this point' }).press('Enter');
    await expect(page.getByText(VIEWING)).toBeVisible();
    await panel.getByRole('button', { name: 'Actions for: added component “Api”' }).click();
    await page.getByRole('menuitem', { name: 'Compare with current' }).click();
    await expect(page.getByText(/^Viewing/)).toBeHidden();
    await expect(page.getByText('1 component added', { exact: false }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Recent changes', exact: true }).click();
    await expect(panel).toBeHidden();
  });
  await test.step('the map lists the changes between two versions', async () => {
    for (const gone of ['db', 'api']) await ada.delete(`/api/workspaces/${id}/components/${gone}`);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Actions for: added component “Api”' }).click();
    await page.getByRole('menuitem', { name: 'Compare with current' }).click();
    const sheet = page.getByRole('region', { name: 'Changes' });
    await expect(sheet.getByText('1 component changed, 1 component removed')).toBeVisible();
    await expect(sheet.getByRole('listitem').filter({ hasText: 'Api' })).toContainText('removed');
    await expectNoViolations(page, '[aria-label="Changes"]');
    await sheet.getByRole('button', { name: 'Close comparison' }).click();
    await expect(sheet).toBeHidden();
  });
});

test('saved versions and revisions are restored using only the keyboard, and the restore is undone', async ({
  page,
  ada,
}) => {
  const id = await shop(ada);
  await openHistory(ada, page, id);
  const names = async () =>
    (await ada.get(`/api/workspaces/${id}`)).components.map(({ name }: { name: string }) => name).sort();
  const undo = page.getByRole('dialog', { name: 'Note' }).getByRole('button', { name: 'Undo' });
  await test.step('a saved version', async () => {
    await page.getByLabel('Version name').fill('As approved');
    await page.keyboard.press('Enter');
    const versions = page.getByRole('list', { name: 'Saved versions' });
    await expect(versions.getByText('As approved')).toBeVisible();
    await ada.post(`/api/workspaces/${id}/components`, { id: 'late', typeId: 'service', name: 'Latecomer' });
    await page.getByRole('button', { name: 'Actions for As approved' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Restore…' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Restore “As approved”?' });
    await expect(dialog).toContainText('Changes to the current map: 1 component removed.');
    await expect(dialog.getByRole('listitem')).toHaveText(['Latecomer']);
    await dialog.getByRole('button', { name: 'Restore' }).press('Enter');
    await expect.poll(names).toEqual(['Api', 'Window']);
    await undo.press('Enter');
    await expect.poll(names).toEqual(['Api', 'Latecomer', 'Window']);
    await expect(undo).toHaveCount(0);
  });
  await test.step('any revision', async () => {
    await ada.delete(`/api/workspaces/${id}/components/api`);
    await page.getByRole('button', { name: 'Actions for: added component “Api”' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Restore this state…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Restore the state of / });
    await expect(dialog).toContainText('1 component added, 1 component changed, 1 component removed');
    await expect(dialog.getByRole('listitem')).toHaveText(['Latecomer']);
    await expectNoViolations(page, '[role=dialog]');
    await dialog.getByRole('button', { name: 'Restore' }).press('Enter');
    await expect(dialog).toBeHidden();
    expect(await names()).toEqual(['Api', 'Web']);
    await expect(log(page).getByRole('listitem').first()).toContainText('Ada Lovelace');
    await undo.press('Enter');
    await expect.poll(names).toEqual(['Latecomer', 'Window']);
  });
});
