/** Filters of the table in the URL, and saved with a name. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';

async function createTable(ada: Actor, name: string): Promise<string> {
  const id = `${name}-${process.pid}`;
  const components = ['Web', 'Ledger', 'Ledger archive', 'Queue'].map((component, at) => ({
    id: `c${at}`,
    typeId: at === 1 || at === 2 ? 'database' : 'service',
    name: component,
    x: at * 300,
    y: 0,
    properties: at === 2 ? { lifecycle: 'retired' } : {},
  }));
  await ada.put(`/api/workspaces/${id}/bulk`, { workspace: { id, name: id }, components, relationships: [] });
  return id;
}

const names = (page: Page) => page.getByRole('rowheader');
const path = (id: string) => `/o/analytical-engines/w/${id}/table`;

test('a link contains the filter and the sort order', async ({ page, ada }) => {
  const id = await createTable(ada, 'filter-link');
  await ada.open(page, path(id));
  await page.getByRole('searchbox', { name: 'Search components' }).fill('ledger');
  await page.getByLabel('Lifecycle').selectOption('Not set');
  await page.getByRole('columnheader', { name: 'Name' }).click();
  await expect(names(page)).toHaveText(['Ledger']);
  await expect(page).toHaveURL(/\/table\?find=ledger&lifecycle=&sort=-name$/);
  await page.reload();
  await expect(names(page)).toHaveText(['Ledger']);
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(names(page)).toHaveText(['Web', 'Queue', 'Ledger archive', 'Ledger']);
  await expect(page).toHaveURL(/\/table\?sort=-name$/);
  // A link with values that do not exist shows the others.
  await visit(page, `${path(id)}?type=gone&find=queue&sort=gone`);
  await expect(names(page)).toHaveText(['Queue']);
  await page.getByRole('button', { name: /^Relationships/ }).click();
  await page.getByRole('searchbox', { name: 'Search relationships' }).fill('calls');
  await expect(page).toHaveURL(/\/table\?of=relationships&find=calls$/);
});

test('a filter is saved, applied, renamed and deleted using only the keyboard', async ({ page, ada }) => {
  const id = await createTable(ada, 'filter-saved');
  const other = `${id}-other`;
  await ada.post('/api/workspaces', { id: other, name: 'Other' });
  await ada.open(page, path(id));
  const keys = page.keyboard;
  const button = page.getByRole('button', { name: 'Saved filters' });
  const popover = dialogOn(page);
  await button.press('Enter');
  await expect(popover.getByRole('button', { name: 'Save current filter' })).toBeDisabled();
  await expect(popover).toContainText('Saved in this browser');
  await keys.press('Escape');

  await page.getByRole('searchbox', { name: 'Search components' }).fill('ledger');
  await page.getByLabel('Type', { exact: true }).selectOption('Database');
  await button.press('Enter');
  await popover.getByRole('button', { name: 'Save current filter' }).press('Enter');
  const name = popover.getByLabel('Name');
  await expect(name).toHaveValue('“ledger”, Database');
  await keys.press('Delete');
  await keys.press('Enter');
  await expect(popover.getByText('Enter a name.')).toBeVisible();
  await expectAccessible(page);
  await keys.type('Ledgers');
  await keys.press('Enter');
  await expect(popover).toHaveCount(0);

  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(names(page)).toHaveCount(4);
  await expect(page).toHaveURL(/\/table$/);
  await page.reload();
  await button.press('Enter');
  const saved = popover.getByRole('button', { name: /^Ledgers/ });
  await expect(saved).toContainText('“ledger”, Database');
  await expect(saved).toHaveAttribute('aria-pressed', 'false');
  await expectAccessible(page);
  await saved.press('Enter');
  await expect(names(page)).toHaveText(['Ledger', 'Ledger archive']);
  await expect(page).toHaveURL(/find=ledger&type=database$/);

  // It is available in other workspaces.
  await visit(page, path(other));
  await expect(page.getByRole('heading', { name: 'No components yet' })).toBeVisible();
  await button.press('Enter');
  await popover.getByRole('button', { name: 'Rename filter Ledgers' }).press('Enter');
  await expect(name).toBeFocused();
  await keys.type('All ledgers');
  await keys.press('Enter');
  await button.press('Enter');
  await popover.getByRole('button', { name: 'Delete filter All ledgers' }).press('Enter');
  await expect(popover.getByRole('list')).toHaveCount(0);
  const note = page.getByRole('dialog', { name: 'Note' });
  await note.getByRole('button', { name: 'Undo' }).press('Enter');
  await button.press('Enter');
  await expect(popover.getByRole('button', { name: /^All ledgers/ })).toBeVisible();
});
