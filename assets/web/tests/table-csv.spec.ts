/** CSV files of components that are exported, edited and imported again, and bulk changes of owners and keywords. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';

const COMPONENTS = [
  { id: 'group', typeId: 'group', name: 'Shop', x: 0, y: 0 },
  {
    id: 'web',
    typeId: 'service',
    name: '=HYPERLINK("x"), “Web”',
    description: 'First line\n- second, "line"',
    x: 40,
    y: 80,
    technology: ['Go', 'gRPC'],
    tags: ['pci'],
    properties: { lifecycle: 'live', tier: 1, Name: 'other', none: null },
  },
  { id: 'db', typeId: 'database', name: 'Ledger', x: 400, y: 80, tags: ['pci', 'old'] },
  { id: 'queue', typeId: 'queue', name: 'Ledger', x: 400, y: 280, tags: ['old'] },
];

/** A workspace with two owners of the same name. */
async function openTable(page: Page, ada: Actor, name: string, hasTeam = false): Promise<string> {
  const id = `${name}-${process.pid}`;
  await ada.put(`/api/workspaces/${id}/bulk`, {
    workspace: { name: id },
    components: COMPONENTS,
    relationships: [{ sourceId: 'group', targetId: 'web', typeId: 'contains' }],
  });
  for (const person of ['kim', 'kim-too'])
    await ada.post('/api/people', { id: `${person}-${id}`, name: `Kim of ${id}` });
  if (hasTeam) await ada.post('/api/teams', { id: `core-${id}`, name: `Core of ${id}` });
  await ada.post(`/api/workspaces/${id}/components/web/stakeholders`, {
    personId: `kim-too-${id}`,
    linkType: 'owner',
  });
  await ada.open(page, `/o/analytical-engines/w/${id}/table`);
  await expect(page.getByRole('grid', { name: 'Components' })).toBeVisible();
  return id;
}

/** A workspace with four components. */
async function createParts(ada: Actor): Promise<string> {
  const id = `sheets-${process.pid}`;
  const components = Array.from({ length: 4 }, (_, at) => ({
    id: `c${at}`,
    typeId: at % 2 ? 'database' : 'service',
    name: `Part 000${at}`,
    x: at * 200,
    y: 0,
    properties: at % 3 ? {} : { tier: at },
  }));
  const relationships = ['c1', 'c2', 'c3'].map((sourceId) => ({ sourceId, targetId: 'c0', typeId: 'calls' }));
  await ada.put(`/api/workspaces/${id}/bulk`, { workspace: { name: id }, components, relationships });
  return id;
}

/** A workspace with an empty group and two components. */
async function createGroup(ada: Actor): Promise<string> {
  const id = `grouped-${process.pid}`;
  const components = [
    { id: 'store', typeId: 'group', name: 'Store', x: 0, y: 0, width: 400, height: 300 },
    { id: 'web', typeId: 'service', name: 'Web', x: 900, y: 100 },
    { id: 'db', typeId: 'database', name: 'Ledger', x: 900, y: 300 },
  ];
  await ada.put(`/api/workspaces/${id}/bulk`, { workspace: { name: id }, components, relationships: [] });
  return id;
}

async function exportCsv(page: Page): Promise<string> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  return readFile(await (await waiting).path(), 'utf8');
}

async function importCsv(page: Page, text: string): Promise<Locator> {
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'parts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  return dialogOn(page);
}

test('a file has the shown rows, changes nothing when it is imported, and an edited cell only itself', async ({
  page,
  ada,
}) => {
  const id = await openTable(page, ada, 'round-trip');
  const before = await ada.get(`/api/workspaces/${id}`);
  const csv = await exportCsv(page);
  await expect(page.getByText('Exported 4 components')).toBeVisible();
  expect(csv).toContain(`person:kim-too-${id}`);

  await test.step('a file of the shown rows says how many it has', async () => {
    await page.getByRole('searchbox', { name: 'Search components' }).fill('ledger');
    await expect(page.getByText('2 of 4', { exact: true })).toBeVisible();
    const some = await exportCsv(page);
    await expect(page.getByText('Exported 2 of 4 components')).toBeVisible();
    expect(some.trimEnd().split('\r\n')).toHaveLength(3);
  });

  await test.step('a workspace is exported in the same form', async () => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export components as CSV' }).click();
    const whole = await readFile(await (await waiting).path(), 'utf8');
    expect(whole.split('\r\n').sort()).toEqual(csv.split('\r\n').sort());
    expect((await ada.get(`/api/workspaces/${id}`)).components).toHaveLength(4);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
  });

  const dialog = await importCsv(page, csv);
  await expect(dialog.getByText('4 components unchanged')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Nothing to import' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await importCsv(page, csv.replace('"pci, old"', 'pci'));
  await expect(dialog.getByText('Ledger: tags')).toBeVisible();
  await expect(dialog.getByText('3 components unchanged')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Import 1 component' }).click();
  const read = () => ada.get(`/api/workspaces/${id}`);
  const tagsOf = async () =>
    (await read()).components.find((component: { id: string }) => component.id === 'db').tags;
  await expect.poll(tagsOf).toEqual(['pci']);
  const after = await read();
  const others = (bundle: typeof before) => [
    bundle.components.filter((component: { id: string }) => component.id !== 'db'),
    bundle.relationships,
    bundle.stakeholders,
  ];
  expect(others(after)).toEqual(others(before));
});

test('components are added, imported from a file and pasted, with their groups as one edit', async ({
  page,
  ada,
}) => {
  const id = await createParts(ada);
  const grouped = await createGroup(ada);
  await ada.open(page, `/o/analytical-engines/w/${id}/table`);
  const dialog = dialogOn(page);

  await test.step('a component is added and found by filter', async () => {
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await expectAccessible(page);
    await page.keyboard.type('=HYPERLINK("x")');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('rowheader', { name: '=HYPERLINK("x")' })).toBeFocused();
    await page.getByLabel('Lifecycle').selectOption('Live');
    await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
  });

  const count = async () => (await ada.get(`/api/workspaces/${id}`)).components.length;
  await test.step('an edited file says what it changes', async () => {
    const csv = await exportCsv(page);
    // Formulas have a leading apostrophe.
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    const sheet = csv
      .replace('Part 0001,Database', 'Part 0001,Queue')
      .replace('Part 0002,', 'Renamed part,')
      .trimEnd();
    await importCsv(page, `${sheet}\r\nBrand new,Service\r\n,Service\r\n`);
    await expect(dialog.getByText('1 component will be added')).toBeVisible();
    await expect(dialog.getByText('Part 0001: type')).toBeVisible();
    await expect(dialog.getByText('name or id is missing')).toBeVisible();
    // Exports contain the id, so that a new name is not a new component.
    await expect(dialog.getByText('Part 0002: name')).toBeVisible();
    await expect(dialog.getByText('3 components unchanged')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Import 3 components' }).click();
    await expect(page.getByRole('rowheader', { name: 'Brand new' })).toBeVisible();
    await expect.poll(count).toBe(6);
  });

  await test.step('rows of a spreadsheet are pasted', async () => {
    // Tab-separated values, as spreadsheets put them on the clipboard.
    await page.getByRole('rowheader', { name: 'Brand new' }).evaluate((cell) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Name\tTier\nPasted\t1\nAlso pasted\t2');
      cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    });
    await dialog.getByRole('button', { name: 'Import 2 components' }).click();
    await expect.poll(count).toBe(8);
  });

  await test.step('groups are imported with the rest as one edit', async () => {
    await visit(page, `/o/analytical-engines/w/${grouped}/table`);
    await expect(page.getByRole('rowheader', { name: 'Store' })).toBeVisible();
    await importCsv(
      page,
      'Name,Type,Part of\r\nWeb,Service,Store\r\nLedger,Database,Nowhere\r\nBackend,Group,\r\nSearch,Service,backend\r\nTill,Service,store\r\n',
    );
    await expect(dialog.getByText('Row 3: unknown group “Nowhere”')).toBeVisible();
    await expect(dialog.getByText('Web: part of')).toBeVisible();
    await dialog.getByRole('button', { name: 'Import 4 components' }).click();
    const parents = async () => {
      const { relationships } = await ada.get(`/api/workspaces/${grouped}`);
      const pairs = relationships.map((row: Record<string, string>) => `${row.targetId} in ${row.sourceId}`);
      return pairs.sort();
    };
    await expect.poll(parents).toEqual(['search in backend', 'till in store', 'web in store']);
    const { components } = await ada.get(`/api/workspaces/${grouped}`);
    const inStore = components.filter((row: { id: string }) => ['web', 'till'].includes(row.id));
    for (const { x, y } of inStore) expect(x >= 0 && x <= 220 && y >= 40 && y <= 236).toBe(true);
    expect(components.find((row: { id: string }) => row.id === 'store')).toMatchObject({
      width: 400,
      height: 300,
    });
    const note = page.getByRole('dialog').filter({ hasText: 'Imported 3 new components, 1 changed' });
    await note.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(parents).toEqual([]);
  });
});

test('owners, tags and technology of several components are changed, each as one undo step', async ({
  page,
  ada,
}) => {
  const id = await openTable(page, ada, 'bulk-owners', true);
  const keys = page.keyboard;
  await page.getByRole('rowheader', { name: 'Ledger' }).first().focus();
  await keys.press('Space');
  await keys.press('Control+a');
  await expect(page.getByText('4 components selected')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search components' }).fill('ledger');
  await expect(page.getByText('4 components selected, 2 hidden by the filter')).toBeVisible();

  await page.getByRole('button', { name: 'Owners…' }).press('Enter');
  const dialog = dialogOn(page);
  await expect(dialog.getByRole('heading')).toHaveText('Change owners of 4 components');
  await dialog.getByRole('radio', { name: 'Add an owner' }).check();
  await dialog.getByRole('combobox', { name: 'Owner' }).focus();
  await keys.type(`Core of ${id}`);
  await expect(page.getByRole('option', { name: `Core of ${id}` })).toBeVisible();
  await keys.press('Enter');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add owner' }).press('Enter');
  const owners = async () =>
    (await ada.get(`/api/workspaces/${id}`)).stakeholders.map(
      (link: { componentId: string; teamId: string | null }) =>
        `${link.componentId} ${link.teamId ? 'team' : 'person'}`,
    );
  await expect
    .poll(async () => (await owners()).sort())
    .toEqual(['db team', 'group team', 'queue team', 'web person', 'web team']);
  await page.getByRole('dialog', { name: 'Note' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(owners).toEqual(['web person']);

  await page.getByRole('button', { name: 'Tags…' }).press('Enter');
  await expect(dialog.getByRole('checkbox', { name: 'pci 2' })).toBeVisible();
  await keys.type('reviewed');
  await dialog.getByRole('checkbox', { name: 'old 2' }).check();
  await expectAccessible(page);
  await dialog
    .getByRole('textbox', { name: 'Add' })
    .or(dialog.getByRole('combobox', { name: 'Add' }))
    .press('Enter');
  const tags = async () =>
    (await ada.get(`/api/workspaces/${id}`)).components.map(({ tags }: { tags: string[] }) => tags);
  await expect.poll(tags).toEqual([['reviewed'], ['pci', 'reviewed'], ['pci', 'reviewed'], ['reviewed']]);
  const { changes } = await ada.get(`/api/workspaces/${id}/history?limit=4`);
  expect(new Set(changes.map((change: { changeSetId: string }) => change.changeSetId)).size).toBe(1);

  await page.getByRole('button', { name: 'Technology…' }).press('Enter');
  await keys.type('postg');
  await expect(page.getByRole('option', { name: 'PostgreSQL' })).toBeVisible();
  await keys.press('ArrowDown');
  await keys.press('Enter');
  await keys.press('Enter');
  await expect
    .poll(async () => (await ada.get(`/api/workspaces/${id}`)).components[3].technology)
    .toEqual(['PostgreSQL']);

  await page.getByRole('button', { name: 'Owners…' }).press('Enter');
  await dialog.getByRole('radio', { name: 'Remove an owner' }).check();
  await dialog.getByRole('button', { name: 'Remove owner' }).press('Enter');
  await expect(dialog.getByText('Choose a person or team.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Kim');
  await expect(page.getByRole('option', { name: `Kim of ${id}` })).toBeVisible();
  await keys.press('Enter');
  await dialog.getByRole('button', { name: 'Remove owner' }).press('Enter');
  await expect.poll(owners).toEqual([]);
});
