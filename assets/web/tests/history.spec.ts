import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';

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

const opensHistory = (ada: Actor, page: Page, id: string) =>
  ada.open(page, `/o/analytical-engines/w/${id}/history`);

test('the history lists the author and changes of each change set', async ({ page, ada }) => {
  await opensHistory(ada, page, await shop(ada));
  const log = page.getByRole('list', { name: 'Changes, newest first' });
  await expect(log.getByRole('listitem').first()).toContainText('Ada Lovelace moved 2 components');
  await expect(log.getByRole('listitem')).toHaveCount(5);
  const rename = log.getByRole('button', { name: 'Ada Lovelace changed name of component “Window”' });
  await rename.click();
  await expect(rename).toHaveAttribute('aria-expanded', 'true');
  await expect(log.getByText('Web → Window')).toBeVisible();
  await page.getByLabel('Type', { exact: true }).selectOption('workspace');
  await expect(log.getByRole('listitem')).toHaveCount(1);
});

test('changes by others appear in the open history', async ({ page, ada }) => {
  const id = await shop(ada);
  await opensHistory(ada, page, id);
  await expect(page.getByText('moved 2 components')).toBeVisible();
  await ada.post(`/api/workspaces/${id}/components`, { id: 'db', typeId: 'database', name: 'Books' });
  await expect(page.getByText('added component “Books”')).toBeVisible();
});

test('the reason of a change is shown with it', async ({ page, ada }) => {
  const id = await shop(ada);
  const reason = encodeURIComponent('Approved in the café, 100% sure');
  await ada.patch(`/api/workspaces/${id}/components/api`, { name: 'API' }, { 'X-Change-Reason': reason });
  await opensHistory(ada, page, id);
  const newest = page.getByRole('list', { name: 'Changes, newest first' }).getByRole('listitem').first();
  await expect(newest).toContainText('changed name of component “API”');
  await expect(newest.getByText('“Approved in the café, 100% sure”')).toBeVisible();
});

test('a past version of the map can be viewed, with a link back to the current one', async ({
  page,
  ada,
}) => {
  const id = await shop(ada);
  await opensHistory(ada, page, id);
  await page.getByRole('button', { name: 'Actions for: added component “Web”' }).click();
  await page.getByRole('menuitem', { name: 'View map at this point' }).click();
  await expect(page.getByText(/^Viewing .* \(read-only\)$/)).toBeVisible();
  await page.getByRole('button', { name: 'Back to current' }).click();
  await expect(page.getByText(/^Viewing/)).toBeHidden();
});

test('recent changes are listed next to the map and link to past versions', async ({ page, ada }) => {
  const id = await shop(ada);
  await ada.open(page, `/o/analytical-engines/w/${id}`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  await page.keyboard.press('l');
  const panel = page.getByRole('complementary', { name: 'Recent changes' });
  await expect(panel.getByRole('listitem')).toHaveCount(5);
  await ada.post(`/api/workspaces/${id}/components`, { id: 'db', typeId: 'database', name: 'Books' });
  await expect(panel.getByText('added component “Books”')).toBeVisible();
  await expectNoViolations(page, 'aside');
  await panel.getByRole('button', { name: 'Actions for: added component “Api”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'View map at this point' }).press('Enter');
  await expect(page.getByText(/^Viewing .* \(read-only\)$/)).toBeVisible();
  await panel.getByRole('button', { name: 'Actions for: added component “Api”' }).click();
  await page.getByRole('menuitem', { name: 'Compare with current' }).click();
  await expect(page.getByText(/^Viewing/)).toBeHidden();
  await expect(page.getByText('1 component added', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Recent changes', exact: true }).click();
  await expect(panel).toBeHidden();
});

test('the map lists the changes between two versions', async ({ page, ada }) => {
  const id = await shop(ada);
  await ada.delete(`/api/workspaces/${id}/components/api`);
  await opensHistory(ada, page, id);
  await page.getByRole('button', { name: 'Actions for: added component “Api”' }).click();
  await page.getByRole('menuitem', { name: 'Compare with current' }).click();
  const sheet = page.getByRole('region', { name: 'Changes' });
  await expect(sheet.getByText('1 component changed, 1 component removed')).toBeVisible();
  await expect(sheet.getByRole('listitem').filter({ hasText: 'Api' })).toContainText('removed');
  await expectNoViolations(page, '[aria-label="Changes"]');
  await sheet.getByRole('button', { name: 'Close comparison' }).click();
  await expect(sheet).toBeHidden();
});

test('a saved version is restored using only the keyboard, and the restore is undone', async ({
  page,
  ada,
}) => {
  const id = await shop(ada);
  await opensHistory(ada, page, id);
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
  await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).components.length).toBe(2);
  await page.getByRole('dialog', { name: 'Note' }).getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).components.length).toBe(3);
});

test('any revision is restored using only the keyboard, and the restore is undone', async ({ page, ada }) => {
  const id = await shop(ada);
  await ada.post(`/api/workspaces/${id}/components`, { id: 'late', typeId: 'service', name: 'Latecomer' });
  await ada.delete(`/api/workspaces/${id}/components/api`);
  await opensHistory(ada, page, id);
  const names = async () =>
    (await ada.get(`/api/workspaces/${id}`)).components.map(({ name }: { name: string }) => name).sort();
  await page.getByRole('button', { name: 'Actions for: added component “Api”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Restore this state…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Restore the state of / });
  await expect(dialog).toContainText('1 component added, 1 component changed, 1 component removed');
  await expect(dialog.getByRole('listitem')).toHaveText(['Latecomer']);
  await expectNoViolations(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Restore' }).press('Enter');
  await expect(dialog).toBeHidden();
  expect(await names()).toEqual(['Api', 'Web']);
  const log = page.getByRole('list', { name: 'Changes, newest first' });
  await expect(log.getByRole('listitem').first()).toContainText('Ada Lovelace');
  await page.getByRole('dialog', { name: 'Note' }).getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(names).toEqual(['Latecomer', 'Window']);
});

test('an undo that conflicts with a later change names its author', async ({ page, ada }) => {
  const id = await shop(ada);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const me = await grace.get('/api/me');
  await ada.post(`/api/workspaces/${id}/members`, { userId: me.id, role: 'editor' });
  await grace.patch(`/api/workspaces/${id}/components/web`, { name: 'Mine now' });
  await opensHistory(ada, page, id);
  await page
    .getByRole('button', { name: /Actions for: changed name of component/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  await expect(
    page.getByRole('alert').getByText(/Can’t undo: component “Mine now”.*Grace Hopper/),
  ).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the history is accessible, ${colorScheme}`, async ({ page, ada }) => {
    await page.emulateMedia({ colorScheme });
    const id = await shop(ada);
    await ada.post(`/api/workspaces/${id}/versions`, { name: 'First' });
    await opensHistory(ada, page, id);
    await expect(page.getByText('moved 2 components')).toBeVisible();
    await page
      .getByRole('button', { name: /changed name of component/ })
      .first()
      .click();
    await expectNoViolations(page);
  });
}
