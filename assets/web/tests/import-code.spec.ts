/** Files of other tools become a map, and keep it in step: preview, owners, sources and drift. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { chooseFiles, dropFiles, type TextFile } from './support/files.ts';
import { expect, test } from './support/fixtures.ts';
import { runCommand } from './support/keyboard.ts';
import { component, openMap } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';
import { visitMapOf } from './support/workspaces.ts';

const HOME = '/o/analytical-engines';
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const compose = (...services: readonly string[]): TextFile => [
  'compose.yaml',
  `name: market\nservices:\n${services.map((service) => `  ${service}\n`).join('')}`,
];
const WEB = 'web: { image: nginx, depends_on: [pay] }';
const PAY = 'pay: { image: example/pay, depends_on: [db] }';
const DB = 'db: { image: "postgres:16" }';
const CACHE = 'cache: { image: "valkey/valkey:8" }';
/** Six more services. */
const JOBS = [1, 2, 3, 4, 5, 6].map((number) => `job-${number}: { image: example/job }`);
/** A database whose type and name the file states, instead of leaving them to its key and its image. */
const stated = (type: string, name: string) =>
  `db: { image: "postgres:16", labels: { planroom.type: ${type}, org.opencontainers.image.title: ${name} } }`;

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).sort();

async function createTeam(ada: Actor, name: string): Promise<string> {
  return (await ada.post('/api/teams', { name })).team.id;
}

async function confirm(page: Page, name: string): Promise<void> {
  await dialogOn(page).getByRole('button', { name, exact: true }).click();
  await expect(dialogOn(page)).toBeHidden();
}

/** Imports files into the open map. */
async function importInto(page: Page, ...files: readonly TextFile[]): Promise<void> {
  await dropFiles(page, '[data-canvas]', ...files);
  await confirm(page, 'Import');
}

test('files become a map with owners, chosen by mouse and by keyboard', async ({ page, ada }) => {
  await test.step('a compose file becomes a map with owners in four actions', async () => {
    const team = await createTeam(ada, 'Shop team');
    await ada.open(page, HOME);
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
    // 1: drop the file.
    await dropFiles(page, 'main', compose(WEB, PAY, DB));
    const dialog = dialogOn(page);
    await expect(dialog.getByText(/^Docker Compose: 3 components, 2 relationships/)).toBeVisible();
    await expect(dialog.getByText('compose.yaml:3').first()).toBeVisible();
    await expectAccessible(page);
    // 2: choose the owner.
    await dialog.getByRole('combobox', { name: 'Owner of 3 new components' }).fill('Shop');
    await page.getByRole('option', { name: /Shop team/ }).click();
    // 3: confirm. 4 is not needed: the map opens with the new components selected.
    await confirm(page, 'Create workspace');
    await page.waitForURL('**/w/market**');
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('3 components');
    const { components, stakeholders } = await ada.get('/api/workspaces/market');
    expect(namesOf(components)).toEqual(['db', 'pay', 'web']);
    expect(stakeholders.map(({ teamId }: { teamId: string }) => teamId)).toEqual([team, team, team]);
  });

  await test.step('a table of another tool becomes a map', async () => {
    await visit(page, HOME);
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
    const table = 'ID,Type,Name,Team\n1,ApplicationComponent,Ledger,Books\n2,DataObject,Journal,Books\n';
    await dropFiles(page, 'main', ['ledger.csv', table]);
    const dialog = dialogOn(page);
    await expect(dialog.getByText(/^CSV: 2 components/)).toBeVisible();
    await confirm(page, 'Create workspace');
    await page.waitForURL('**/w/ledger**');
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    const { components, stakeholders } = await ada.get('/api/workspaces/ledger');
    expect(namesOf(components)).toEqual(['Journal', 'Ledger']);
    expect(stakeholders).toHaveLength(2);
  });

  await test.step('files are chosen, previewed and imported with the keyboard', async () => {
    const id = await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160, name: 'Manual' }]);
    await runCommand(page, 'Import files');
    const dialog = dialogOn(page);
    await expect(dialog.getByRole('button', { name: 'Choose files' })).toBeVisible();
    await chooseFiles(page, compose(WEB, PAY, DB, CACHE));
    await dialog.getByRole('checkbox', { name: 'cache', exact: true }).press('Space');
    await expect(dialog.getByText('3 of 4 components')).toBeVisible();
    await dialog.getByRole('checkbox', { name: 'pay', exact: true }).press('Space');
    // Relationships of components that are left out are left out too.
    await expect(dialog.getByText('0 of 2 relationships')).toBeVisible();
    await dialog.getByRole('button', { name: 'Import', exact: true }).press('Enter');
    await expect(page.getByText(/^Imported Docker Compose: 2 added/)).toBeVisible();
    const { components, relationships } = await ada.get(`/api/workspaces/${id}`);
    expect(namesOf(components)).toEqual(['Manual', 'db', 'web']);
    expect(relationships).toEqual([]);
    await expect(page).toHaveURL(/[?&]c=/);
    // Undo, as for any edit of this window.
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Control+z');
    await expect
      .poll(async () => namesOf((await ada.get(`/api/workspaces/${id}`)).components))
      .toEqual(['Manual']);
  });

  await test.step('one component gets another owner than the others', async () => {
    await createTeam(ada, 'Data team');
    await createTeam(ada, 'Front team');
    const id = await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
    await dropFiles(page, '[data-canvas]', compose(WEB, DB));
    const dialog = dialogOn(page);
    await dialog.getByRole('combobox', { name: 'Owner of 2 new components' }).fill('Front');
    await page.getByRole('option', { name: /Front team/ }).click();
    await dialog.getByRole('button', { name: 'Owner of db: Front team' }).press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Owner of db' })).toBeFocused();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Data');
    await expect(page.getByRole('option', { name: /Data team/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Owner of db: Data team' })).toBeFocused();
    await confirm(page, 'Import');
    await expect(component(page, 'db')).toBeVisible();
    const { stakeholders } = await ada.get(`/api/workspaces/${id}`);
    const owners = stakeholders.map(
      ({ componentId, team }: { componentId: string; team: { name: string } }) => [componentId, team.name],
    );
    expect(Object.fromEntries(owners)).toEqual({ web: 'Front team', db: 'Data team' });
  });

  await test.step('a broken file is explained with its name and line', async () => {
    await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
    await dropFiles(page, '[data-canvas]', ['compose.yaml', 'services:\n  web: { image: nginx\n  pay: [\n']);
    const dialog = dialogOn(page);
    await expect(dialog.getByRole('alert')).toContainText('compose.yaml');
    await expect(dialog.getByRole('alert')).toContainText(/line \d|:\d/);
    await dropFiles(page, '[aria-label="Files"]', ['letter.txt', 'Dear Ada,\n']);
    await expect(dialog.getByRole('alert')).toContainText(
      'Could not read letter.txt. The format was not recognized',
    );
    await dropFiles(page, '[aria-label="Files"]', compose(WEB));
    await expect(dialog.getByRole('alert')).toBeHidden();
    await expect(dialog.getByText(/^Docker Compose: 1 component/)).toBeVisible();
  });
});

test('files that come again show what changed, what is gone and what conflicts', async ({ page, ada }) => {
  await test.step('files that come again show what changed on both sides and what is gone', async () => {
    const id = await openMap(page, ada, [{ id: 'manual', x: 300, y: 160, name: 'Manual' }]);
    await importInto(page, compose(WEB, PAY, DB, CACHE));
    await expect(component(page, 'cache')).toBeVisible();
    await ada.patch(`/api/workspaces/${id}/components/pay`, { name: 'Payments' });

    await dropFiles(page, '[data-canvas]', compose(WEB, PAY, DB));
    const dialog = dialogOn(page);
    await expect(dialog.getByLabel('Source')).toHaveValue('compose.yaml');
    await expect(dialog.getByRole('heading', { name: 'Gone from the files' })).toBeVisible();
    await expect(dialog.getByRole('checkbox', { name: 'cache', exact: true })).toBeChecked();
    await expectAccessible(page);
    await confirm(page, 'Import');

    // The row that is gone is dimmed, says so, and can be filtered.
    const cache = page.locator('.react-flow__node').filter({ has: component(page, 'cache') });
    await expect(cache.locator('[data-dim]')).toBeVisible();
    await component(page, 'cache').click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByText('compose.yaml:6')).toBeVisible();
    await expect(inspector.getByText(/^Gone from code/)).toBeVisible();
    expect((await ada.get(`/api/workspaces/${id}`)).components).toHaveLength(5);
    expect((await ada.get(`/api/workspaces/${id}/components/pay`)).component.name).toBe('Payments');

    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByText('Code', { exact: true }).first().click();
    await page.getByRole('checkbox', { name: /Gone from code/ }).check();
    await expect(page.getByText(/^Showing 1 of 5/)).toBeVisible();
    await expect(cache.locator('[data-dim]')).toHaveCount(0);
  });

  await test.step('fields that both sides changed are decided one by one, and undone', async () => {
    const id = await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160, name: 'Manual' }]);
    await importInto(page, compose(WEB, stated('database', 'Orders')));
    await expect(component(page, 'orders')).toBeVisible();
    const url = `/api/workspaces/${id}/components/orders`;
    const values = async () => {
      const { typeId, name } = (await ada.get(url)).component;
      return { typeId, name };
    };
    const drawn = { typeId: 'storage', name: 'By hand' };
    await ada.patch(url, drawn);

    await dropFiles(page, '[data-canvas]', compose(WEB, stated('cache', 'Baskets')));
    const dialog = dialogOn(page);
    await expect(dialog.getByRole('heading', { name: 'Changed on both sides' })).toBeVisible();
    const type = dialog.getByRole('group', { name: 'By hand: type' });
    const name = dialog.getByRole('group', { name: 'By hand: name' });
    // Each field shows both values and the last synced one, and the value of the files is selected for both by default.
    await expect(type.getByText('last synced: Database')).toBeVisible();
    await expect(type.getByRole('radio', { name: 'Files: Cache' })).toBeChecked();
    await expect(name.getByRole('radio', { name: 'Files: “Baskets”' })).toBeChecked();
    await expectAccessible(page);

    await dialog.getByRole('button', { name: 'Decide all later' }).click();
    await expect(type.getByRole('radio', { name: 'Decide later' })).toBeChecked();
    await expect(name.getByRole('radio', { name: 'Decide later' })).toBeChecked();
    await dialog.getByRole('button', { name: 'Use files for all' }).click();
    await expect(type.getByRole('radio', { name: 'Files: Cache' })).toBeChecked();
    // With the keyboard: the arrow keys choose another side.
    await type.getByRole('radio', { name: 'Files: Cache' }).press('ArrowRight');
    await expect(type.getByRole('radio', { name: /^Map: / })).toBeChecked();
    await page.setViewportSize(PHONE);
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await confirm(page, 'Import');
    await page.setViewportSize(DESK);

    await expect.poll(values).toEqual({ typeId: 'storage', name: 'Baskets' });
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await expect.poll(values).toEqual(drawn);
  });

  await test.step('rows that are gone can be deleted, and undone', async () => {
    const id = await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
    await importInto(page, compose(WEB, PAY, DB, CACHE));
    await expect(component(page, 'cache')).toBeVisible();
    await dropFiles(page, '[data-canvas]', compose(WEB, PAY, DB));
    await dialogOn(page).getByLabel('Delete rows that are gone from the files').check();
    await expect(dialogOn(page).getByRole('heading', { name: 'Will be deleted' })).toBeVisible();
    await confirm(page, 'Import');
    await expect(component(page, 'cache')).toBeHidden();
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await expect(component(page, 'cache')).toBeVisible();
    expect((await ada.get(`/api/workspaces/${id}`)).components).toHaveLength(5);
  });

  await test.step('a file that would remove most rows must be confirmed', async () => {
    await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
    await importInto(page, compose(WEB, PAY, DB, CACHE, ...JOBS));
    await expect(component(page, 'cache')).toBeVisible();
    await dropFiles(page, '[data-canvas]', compose(WEB));
    const dialog = dialogOn(page);
    await expect(
      dialog.getByText(/are not in the files\. Check that the files are complete\./),
    ).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
    await dialog.getByLabel('The files are complete. Continue.').check();
    await confirm(page, 'Import');
  });
});

test('sources and drift are shown, also on a phone', async ({ page, ada }) => {
  await test.step('an administrator sees and removes the sources of a workspace, and its rows stay', async () => {
    const id = await openMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
    await importInto(page, compose(WEB, PAY, DB));
    await expect(component(page, 'web')).toBeVisible();
    await runCommand(page, 'Show sources');
    const row = dialogOn(page).getByRole('listitem').filter({ hasText: 'compose.yaml' });
    await expect(row.getByText('Docker Compose')).toBeVisible();
    await expect(row.getByText(/^Owns .*3 components, 2 relationships/)).toBeVisible();
    await expect(row.getByText(/by Ada Lovelace/)).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await row.getByRole('button', { name: 'Remove source compose.yaml' }).click();
    await page.getByRole('button', { name: 'Remove source', exact: true }).click();
    await expect(dialogOn(page).getByText('No sources')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOn(page)).toBeHidden();
    expect((await ada.get(`/api/workspaces/${id}`)).components).toHaveLength(4);
    await page.setViewportSize(DESK);
  });

  await test.step('the drift report lists and highlights how the map differs from code', async () => {
    const id = await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160, name: 'Manual' }]);
    const titled = PAY.replace(' }', ', labels: { org.opencontainers.image.title: Pay } }');
    await importInto(page, compose(WEB, titled, DB));
    await expect(component(page, 'web')).toBeVisible();
    await ada.patch(`/api/workspaces/${id}/components/pay`, { name: 'Payments' });
    await runCommand(page, 'Show drift');
    const report = page.getByRole('region', { name: 'Drift' });
    await report.getByRole('button', { name: /^Differs ?1/ }).press('Enter');
    await expect(report.getByText('name: “Payments” on the map, “Pay” in code')).toBeVisible();
    await expect(report.getByText('compose.yaml:4')).toBeVisible();
    await expectAccessible(page);
    await report.getByRole('button', { name: 'Payments', exact: true }).click();
    await expect(page).toHaveURL(/[?&]c=pay/);
    await report.getByRole('button', { name: /^Only on the map/ }).click();
    await expect(report.getByText('Manual')).toBeVisible();
    await expect(
      page.locator('[data-tone="changed"]').filter({ has: component(page, 'manual') }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(report).toBeHidden();

    // A map reads the colors of a link when it is opened.
    await visit(page, HOME);
    await visitMapOf(page, id, '?color=drift');
    await page.getByRole('button', { name: 'Colors and legend' }).click();
    const legend = page.getByRole('list', { name: 'Legend' });
    await expect(legend.getByText('Differs from code')).toBeVisible();
    await expect(legend.getByText('Only on the map')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('everything fits a phone', async () => {
    await page.setViewportSize(PHONE);
    await visit(page, HOME);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await chooseFiles(page, compose(WEB, PAY, DB));
    const dialog = dialogOn(page);
    await expect(dialog.getByText(/^Docker Compose: 3 components/)).toBeVisible();
    const overflow = () =>
      dialog.evaluate((element) => [
        element.scrollWidth - element.clientWidth,
        document.documentElement.scrollWidth - innerWidth,
      ]);
    expect(await overflow()).toEqual([0, 0]);
    await expectAccessible(page);
    await dialog.getByLabel('Name').fill('Phone shop');
    await confirm(page, 'Create workspace');
    await page.waitForURL('**/w/phone-shop**');
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    await visit(page, `${HOME}/w/phone-shop?report=drift`);
    const report = page.getByRole('region', { name: 'Drift' });
    await report.getByRole('button', { name: /^Without an owner ?3/ }).click();
    await expect(report.getByRole('button', { name: 'web', exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await expectAccessible(page);
  });
});
