/** A map of several repositories: sources, the preview, the drift report and the inspector say which is meant. */

import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { dropFiles } from './support/files.ts';
import { expect, test } from './support/fixtures.ts';
import { runCommand } from './support/keyboard.ts';
import { component, openMap } from './support/map.ts';
import { visit } from './support/visit.ts';
import { visitMapOf } from './support/workspaces.ts';

const HOME = '/o/analytical-engines';

const SHOP =
  'services:\n  frontend: { image: "acme/shop:1.4", depends_on: [orders] }\n  orders: { image: "acme/orders:2.0" }\n';
const BANK =
  'services:\n  payments: { image: "acme/payments:5.2" }\n  ledger: { image: "acme/ledger:1.0" }\n';
const CATALOG = ['orders', 'mailer'].map(
  (name) =>
    `apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: ${name} }\nspec: { type: service }\n`,
);

/** Synchronizes a repository with one file, as `planroom sync` does. */
async function sync(ada: Actor, workspaceId: string, repository: string, name: string, content: string) {
  const { format, reading } = await ada.post('/api/readings', { files: [{ name, content }] });
  const source = { id: `${repository}:${name}`, kind: format };
  const origin = `github.com/acme/${repository}`;
  await ada.post(`/api/workspaces/${workspaceId}/sync`, {
    repository: { id: repository, origin },
    sources: [{ source, reading }],
  });
}

test('sources, preview, drift and inspector name the repositories of a map', async ({ page, ada }) => {
  const id = await openMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
  await runCommand(page, 'Show sources');
  await expect(dialogOn(page).getByText('No sources')).toBeVisible();
  await page.keyboard.press('Escape');
  // The map is synchronized while it is closed.
  await visit(page, HOME);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await sync(ada, id, 'shop', 'compose.yaml', SHOP);
  await sync(ada, id, 'bank', 'compose.yaml', BANK);
  await sync(ada, id, 'shop', 'catalog-info.yaml', CATALOG.join('---\n'));
  await visitMapOf(page, id);
  await expect(component(page, 'ledger')).toBeVisible();

  await test.step('sources are listed by repository', async () => {
    await runCommand(page, 'Show sources');
    const dialog = dialogOn(page);
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(['bank', 'shop']);
    await expect(dialog.getByRole('list', { name: 'Sources of shop' }).getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  await test.step('what only one source describes cannot be split off', async () => {
    await component(page, 'ledger').click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByRole('list', { name: 'Sources' })).toContainText('bank:compose.yaml');
    await expect(inspector.getByRole('button', { name: /^Split off/ })).toBeHidden();
  });

  await test.step('the inspector shows the image of each source, and splits off a component', async () => {
    await component(page, 'orders').click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(
      inspector.getByText('acme/orders:2.0').or(inspector.getByText(/2\.0/)).first(),
    ).toBeVisible();
    await inspector
      .getByRole('button', { name: 'Split off the component of shop:catalog-info.yaml' })
      .press('Enter');
    await expect(page.getByText(/^Use this if the source means another component/)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
  });

  await test.step('the preview says what other sources have, and which names are not sure', async () => {
    await dropFiles(page, '[data-canvas]', [
      'orders.yaml',
      'services:\n  payments: { image: acme/payments }\n',
    ]);
    const dialog = dialogOn(page);
    await expect(dialog.getByText('1 message about matching components')).toBeVisible();
    await expect(dialog.getByText(/has the same name as payments in bank, and is kept apart/)).toBeVisible();
    await dialog.getByLabel('Source').selectOption('shop:compose.yaml');
    await expect(dialog.getByText(/Repository: shop$/)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
  });

  await test.step('rows that the map lost are listed by repository and accepted', async () => {
    for (const name of ['ledger', 'mailer']) await ada.delete(`/api/workspaces/${id}/components/${name}`);
    await runCommand(page, 'Show drift');
    const report = page.getByRole('region', { name: 'Drift' });
    await report.getByRole('button', { name: /^Only in code ?2/ }).press('Enter');
    await expect(report.getByRole('heading', { level: 3 })).toHaveText(['bank', 'shop']);
    await expect(report.getByRole('list', { name: 'Only in code: bank' })).toContainText('ledger');
    await expectAccessible(page);
    await report.getByRole('button', { name: 'Accept that ledger is not on the map' }).press('Enter');
    await expectAccessible(page);
    await page.getByLabel('Reason (optional)').fill('The bank books elsewhere');
    await page.keyboard.press('Enter');
    await expect(report.getByRole('button', { name: /^Only in code ?1/ })).toBeVisible();
  });

  await test.step('sources say who accepted what and why, and it can be withdrawn', async () => {
    await runCommand(page, 'Show sources');
    const dialog = dialogOn(page);
    await dialog.getByText('1 row accepted as not on the map').click();
    await expect(dialog.getByRole('listitem').filter({ hasText: /^component ledger, accepted/ })).toHaveText(
      /by Ada Lovelace: “The bank books elsewhere”/,
    );
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Withdraw that ledger is not on the map' }).press('Enter');
    await expect(dialog.getByText(/accepted as not on the map/)).toBeHidden();
    await page.keyboard.press('Escape');
    const report = page.getByRole('region', { name: 'Drift' });
    await expect(report.getByRole('button', { name: /^Only in code ?2/ })).toBeVisible();
  });
});

test('stale sources are marked with the last sync and with what to do', async ({ page, ada }) => {
  const id = await openMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
  const source = (sourceId: string, repository: string | null, days: number) => ({
    ...{ id: sourceId, kind: 'compose', syncedAt: Date.now() + days * 86_400_000, claims: [] },
    ...(repository ? { repository } : {}),
  });
  const sources = [source('shop:a', 'shop', -9), source('map.drawio', null, -9), source('bank:a', 'bank', 0)];
  // A file has its sources with their times.
  const file = await ada.get(`/api/workspaces/${id}/export`);
  await ada.post(`/api/import?id=${id}-copy`, { ...file, sources });
  await ada.open(page, `${HOME}/w/${id}-copy`);
  await expect(component(page, 'manual')).toBeVisible();

  await runCommand(page, 'Show drift');
  const stale = page.getByRole('region', { name: 'Not synchronized for a while' });
  await expect(stale.getByRole('listitem')).toHaveText([
    /^shop: shop:a, last synchronized 9 days ago.* Run planroom sync in the pipeline of shop, or remove/,
    /^Imported files: map\.drawio, last synchronized 9 days ago.* Import the files again/,
  ]);
  await expectAccessible(page);

  await stale.getByRole('button', { name: 'Show sources' }).press('Enter');
  const rows = dialogOn(page).getByRole('listitem');
  await expect(rows.filter({ hasText: 'Stale' })).toHaveCount(2);
  await expect(rows.filter({ hasText: 'bank:a' })).not.toContainText('Stale');
  await expect(rows.filter({ hasText: 'shop:a' })).toContainText('so the map may be out of date');
  await expectAccessible(page);
});
