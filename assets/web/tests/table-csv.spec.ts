/** CSV files of components that are exported, edited and imported again, and bulk changes of owners and keywords. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';

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
async function openTable(page: Page, ada: Actor, name: string): Promise<string> {
  const id = `${name}-${process.pid}`;
  await ada.put(`/api/workspaces/${id}/bulk`, {
    workspace: { name: id },
    components: COMPONENTS,
    relationships: [{ sourceId: 'group', targetId: 'web', typeId: 'contains' }],
  });
  for (const person of ['kim', 'kim-too'])
    await ada.post('/api/people', { id: `${person}-${id}`, name: `Kim of ${id}` });
  await ada.post(`/api/workspaces/${id}/components/web/stakeholders`, {
    personId: `kim-too-${id}`,
    linkType: 'owner',
  });
  await ada.open(page, `/o/analytical-engines/w/${id}/table`);
  await expect(page.getByRole('grid', { name: 'Components' })).toBeVisible();
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

test('an exported file changes nothing when it is imported, and an edited cell only itself', async ({
  page,
  ada,
}) => {
  const id = await openTable(page, ada, 'round-trip');
  const before = await ada.get(`/api/workspaces/${id}`);
  const csv = await exportCsv(page);
  await expect(page.getByText('Exported 4 components')).toBeVisible();
  expect(csv).toContain(`person:kim-too-${id}`);
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

test('a file of the shown rows says how many it has, and a workspace is exported in the same form', async ({
  page,
  ada,
}) => {
  const id = await openTable(page, ada, 'shown-rows');
  const all = await exportCsv(page);
  await page.getByRole('searchbox', { name: 'Search components' }).fill('ledger');
  await expect(page.getByText('2 of 4', { exact: true })).toBeVisible();
  const some = await exportCsv(page);
  await expect(page.getByText('Exported 2 of 4 components')).toBeVisible();
  expect(some.trimEnd().split('\r\n')).toHaveLength(3);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export components as CSV' }).click();
  const whole = await readFile(await (await waiting).path(), 'utf8');
  expect(whole.split('\r\n').sort()).toEqual(all.split('\r\n').sort());
  expect((await ada.get(`/api/workspaces/${id}`)).components).toHaveLength(4);
});

test('owners, tags and technology of several components are changed, each as one undo step', async ({
  page,
  ada,
}) => {
  const id = await openTable(page, ada, 'bulk-owners');
  await ada.post('/api/teams', { id: `core-${id}`, name: `Core of ${id}` });
  await page.reload();
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
  expect(new Set(changes.map((change: { batch: string }) => change.batch)).size).toBe(1);

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
  await keys.press('Enter');
  await dialog.getByRole('button', { name: 'Remove owner' }).press('Enter');
  await expect.poll(owners).toEqual([]);
});
