import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';

const ORG = '/o/analytical-engines';

/** A workspace for one test. */
async function createMap(ada: Actor, id: string, count: number): Promise<string> {
  const components = Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    typeId: at % 2 ? 'database' : 'service',
    name: `Part ${String(at).padStart(4, '0')}`,
    x: (at % 50) * 200,
    y: Math.floor(at / 50) * 100,
    properties: at % 3 ? {} : { tier: at },
  }));
  const relationships = components
    .slice(1)
    .map((component) => ({ sourceId: component.id, targetId: 'c0', typeId: 'calls' }));
  await ada.put(`/api/workspaces/${id}/bulk`, { workspace: { id, name: id }, components, relationships });
  return `${ORG}/w/${id}/table`;
}

function row(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
}

async function nameOf(ada: Actor, workspace: string, id: string): Promise<string> {
  return (await ada.get(`/api/workspaces/${workspace}/components/${id}`)).component.name;
}

test('a cell is focused, edited and reset by keyboard only', async ({ page, ada }) => {
  const path = await createMap(ada, 'by-keys', 12);
  await ada.open(page, path);
  const keys = page.keyboard;
  await expect(page.getByRole('grid', { name: 'Components' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('rowheader', { name: 'Part 0000', exact: true }).focus();
  await keys.press('ArrowDown');
  await expect(page.getByRole('rowheader', { name: 'Part 0001' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name of Part 0001' })).toBeFocused();
  await keys.type('thrown away');
  await keys.press('Escape');
  await expect(page.getByRole('rowheader', { name: 'Part 0001' })).toBeFocused();
  await keys.press('F2');
  await keys.press('End');
  await keys.type(' <script>');
  await keys.press('Enter');
  await expect(page.getByRole('rowheader', { name: 'Part 0001 <script>' })).toBeFocused();
  await expect.poll(() => nameOf(ada, 'by-keys', 'c1')).toBe('Part 0001 <script>');
  await keys.press('ArrowRight');
  await keys.press('Enter');
  await page.getByRole('combobox', { name: /^Type of/ }).selectOption('queue');
  await keys.press('Tab');
  await expect
    .poll(async () => (await ada.get('/api/workspaces/by-keys/components/c1')).component.typeId)
    .toBe('queue');
  await expect(row(page, 'Part 0001 <script>')).toContainText('Queue');
});

test('several rows are selected with Shift and changed as one edit, and a deletion is undone', async ({
  page,
  ada,
}) => {
  const path = await createMap(ada, 'many', 8);
  await ada.open(page, path);
  const keys = page.keyboard;
  await page.getByRole('rowheader', { name: 'Part 0002' }).focus();
  await keys.press('Space');
  for (let step = 0; step < 3; step += 1) await keys.press('Shift+ArrowDown');
  await expect(page.getByText('4 components selected')).toBeVisible();
  await page.getByRole('button', { name: 'Lifecycle', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Deprecated' }).press('Enter');
  await expect(row(page, 'Part 0005')).toContainText('Deprecated');
  const read = async () =>
    (await ada.get('/api/workspaces/many')).components as {
      properties: { lifecycle?: string; tier?: unknown };
    }[];
  await expect
    .poll(async () => (await read()).filter(({ properties }) => properties.lifecycle === 'deprecated').length)
    .toBe(4);
  const { changes } = await ada.get('/api/workspaces/many/history?limit=4');
  expect(new Set(changes.map((change: { batch: string }) => change.batch)).size).toBe(1);

  await page.getByRole('button', { name: 'Property…' }).press('Enter');
  await keys.type('tier');
  await keys.press('Tab');
  await keys.type('7');
  await keys.press('Enter');
  await expect
    .poll(async () => (await read()).filter(({ properties }) => String(properties.tier) === '7').length)
    .toBe(4);

  await page.getByRole('rowheader', { name: 'Part 0002' }).focus();
  await keys.press('Delete');
  await expect.poll(async () => (await read()).length).toBe(4);
  const note = page.getByRole('dialog').filter({ hasText: 'Deleted 4 components' });
  await note.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await read()).length).toBe(8);
  await expect(row(page, 'Part 0002')).toBeVisible();
});

test('input stays while others change, sort and delete rows', async ({ page, ada }) => {
  const path = await createMap(ada, 'together', 6);
  await ada.open(page, path);
  await page.getByRole('rowheader', { name: 'Part 0003' }).dblclick();
  const input = page.getByRole('textbox', { name: /^Name of/ });
  await input.fill('Being typ');
  await ada.patch('/api/workspaces/together/components/c0', { name: 'Zebra' });
  await ada.patch('/api/workspaces/together/components/c3', { description: 'Said meanwhile' });
  await ada.delete('/api/workspaces/together/components/c1');
  await expect(page.getByRole('rowheader', { name: 'Zebra' })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'Part 0001' })).toHaveCount(0);
  await expect(input).toBeFocused();
  await expect(input).toHaveValue('Being typ');
  await input.press('End');
  await page.keyboard.type('ed');
  await page.keyboard.press('Enter');
  await expect.poll(() => nameOf(ada, 'together', 'c3')).toBe('Being typed');
  const { component } = await ada.get('/api/workspaces/together/components/c3');
  expect(component.description).toBe('Said meanwhile');
});

test('the owner of a component is chosen in its cell by keyboard only', async ({ page, ada }) => {
  const path = await createMap(ada, 'owned', 3);
  await ada.post('/api/people', { name: 'Grace Hopper' });
  await ada.open(page, path);
  const cell = row(page, 'Part 0001').getByRole('gridcell').nth(5);
  const owners = async () =>
    (await ada.get('/api/workspaces/owned')).stakeholders.map(
      (stakeholder: { person?: { name: string } }) => stakeholder.person?.name,
    );
  await cell.focus();
  await page.keyboard.press('Enter');
  const choice = page.getByRole('combobox', { name: 'Owners of Part 0001' });
  await expect(choice).toHaveValue('[]');
  await choice.selectOption({ label: 'Grace Hopper' });
  await page.keyboard.press('Enter');
  await expect(cell).toHaveText('Grace Hopper');
  await expect.poll(owners).toEqual(['Grace Hopper']);
  await page.keyboard.press('Enter');
  await choice.selectOption({ label: 'No owner' });
  await page.keyboard.press('Enter');
  await expect.poll(owners).toEqual([]);
});

test('a name that is too long stays in its cell, with the error', async ({ page, ada }) => {
  const path = await createMap(ada, 'too-long', 3);
  await ada.open(page, path);
  await page.getByRole('rowheader', { name: 'Part 0001' }).dblclick();
  const input = page.getByRole('textbox', { name: /^Name of/ });
  await input.fill('y'.repeat(10_000));
  await input.press('Enter');
  await expect(page.getByRole('alert')).toContainText('must have at most 200 characters, has 10,000');
  await expect(input).toHaveValue('y'.repeat(10_000));
  await input.press('Escape');
  await expect(page.getByRole('rowheader', { name: 'Part 0001' })).toBeVisible();
});

test('only the visible rows of a large table are rendered', async ({ page, ada }) => {
  const path = await createMap(ada, 'large', 3000);
  await ada.open(page, path);
  await page.getByRole('rowheader', { name: 'Part 0000' }).focus();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3001');
  await page.keyboard.press('Control+End');
  await expect(page.getByRole('rowheader', { name: 'Part 2999' })).toBeVisible();
  const mostRows = await page.evaluate(async () => {
    const grid = document.querySelector('[role=grid]') as HTMLElement;
    const counts: number[] = [];
    for (let step = 0; step < 41; step += 1) {
      grid.scrollTop = step * 900;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      counts.push(grid.querySelectorAll('[role=row]').length);
    }
    return Math.max(...counts);
  });
  expect(mostRows).toBeLessThan(80);
  await page.getByRole('searchbox', { name: 'Search components' }).fill('part 1234');
  await expect(page.getByText('1 of 3,000')).toBeVisible();
});

test('a component is added, found by filter, exported and imported as CSV', async ({ page, ada }) => {
  const path = await createMap(ada, 'sheets', 4);
  await ada.open(page, path);
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expectAccessible(page);
  await page.keyboard.type('=HYPERLINK("x")');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('rowheader', { name: '=HYPERLINK("x")' })).toBeFocused();
  await page.getByLabel('Lifecycle').selectOption('Live');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();

  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await waiting).createReadStream()) chunks.push(chunk as Buffer);
  const csv = Buffer.concat(chunks).toString();
  // Formulas have a leading apostrophe.
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`);

  const sheet = csv
    .replace('Part 0001,Database', 'Part 0001,Queue')
    .replace('Part 0002,', 'Renamed part,')
    .trimEnd();
  await page.getByLabel('CSV file').setInputFiles({
    name: 'parts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${sheet}\r\nBrand new,Service\r\n,Service\r\n`),
  });
  const dialog = dialogOn(page);
  await expect(dialog.getByText('1 component will be added')).toBeVisible();
  await expect(dialog.getByText('Part 0001: type')).toBeVisible();
  await expect(dialog.getByText('name or id is missing')).toBeVisible();
  // Exports contain the id, so that a new name is not a new component.
  await expect(dialog.getByText('Part 0002: name')).toBeVisible();
  await expect(dialog.getByText('3 components unchanged')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Import 3 components' }).click();
  await expect(page.getByRole('rowheader', { name: 'Brand new' })).toBeVisible();
  const count = async () => (await ada.get('/api/workspaces/sheets')).components.length;
  await expect.poll(count).toBe(6);

  // Tab-separated values, as spreadsheets put them on the clipboard.
  await page.getByRole('rowheader', { name: 'Brand new' }).evaluate((cell) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Name\tTier\nPasted\t1\nAlso pasted\t2');
    cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await dialog.getByRole('button', { name: 'Import 2 components' }).click();
  await expect.poll(count).toBe(8);
});

test('the groups of components are imported from CSV, with the rest as one edit', async ({ page, ada }) => {
  const id = `grouped-${process.pid}`;
  const places = [
    { id: 'store', typeId: 'group', name: 'Store', x: 0, y: 0, width: 400, height: 300 },
    { id: 'web', typeId: 'service', name: 'Web', x: 900, y: 100 },
    { id: 'db', typeId: 'database', name: 'Ledger', x: 900, y: 300 },
  ];
  await ada.put(`/api/workspaces/${id}/bulk`, {
    workspace: { name: id },
    components: places,
    relationships: [],
  });
  await ada.open(page, `/o/analytical-engines/w/${id}/table`);
  await page.getByLabel('CSV file').setInputFiles({
    name: 'parts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Name,Type,Part of\r\nWeb,Service,Store\r\nLedger,Database,Nowhere\r\nBackend,Group,\r\nSearch,Service,backend\r\nTill,Service,store\r\n',
    ),
  });
  const dialog = dialogOn(page);
  await expect(dialog.getByText('Row 3: unknown group “Nowhere”')).toBeVisible();
  await expect(dialog.getByText('Web: part of')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 4 components' }).click();
  const parents = async () => {
    const { relationships } = await ada.get(`/api/workspaces/${id}`);
    const pairs = relationships.map((row: Record<string, string>) => `${row.targetId} in ${row.sourceId}`);
    return pairs.sort();
  };
  await expect.poll(parents).toEqual(['search in backend', 'till in store', 'web in store']);
  const { components } = await ada.get(`/api/workspaces/${id}`);
  const inStore = components.filter((row: { id: string }) => ['web', 'till'].includes(row.id));
  for (const { x, y } of inStore) expect(x >= 0 && x <= 220 && y >= 40 && y <= 236).toBe(true);
  expect(components.find((row: { id: string }) => row.id === 'store')).toMatchObject({
    width: 400,
    height: 300,
  });
  const note = page.getByRole('dialog').filter({ hasText: 'Imported' });
  await note.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(parents).toEqual([]);
});

test('a group whose parts are deleted in the table keeps its frame', async ({ page, ada }) => {
  const id = `emptied-${process.pid}`;
  await ada.put(`/api/workspaces/${id}/bulk`, {
    workspace: { name: id },
    components: [
      { id: 'store', typeId: 'group', name: 'Store', x: 900, y: 900 },
      { id: 'web', typeId: 'service', name: 'Web', x: 100, y: 100 },
      { id: 'db', typeId: 'database', name: 'Ledger', x: 500, y: 300 },
    ],
    relationships: ['web', 'db'].map((targetId) => ({ sourceId: 'store', targetId, typeId: 'contains' })),
  });
  await ada.open(page, `/o/analytical-engines/w/${id}/table`);
  for (const name of ['Web', 'Ledger']) {
    await page.getByRole('rowheader', { name }).focus();
    await page.keyboard.press('Space');
  }
  await expect(page.getByText('2 components selected')).toBeVisible();
  await page.keyboard.press('Delete');
  const left = async () => (await ada.get(`/api/workspaces/${id}`)).components;
  await expect.poll(async () => (await left()).length).toBe(1);
  expect((await left())[0]).toMatchObject({ id: 'store', x: 80, y: 40, width: 620, height: 344 });
});

test('visible columns are remembered, and a column header sorts', async ({ page, ada }) => {
  const path = await createMap(ada, 'columns', 30);
  await ada.open(page, path);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'tier' }).check();
  await page.keyboard.press('Escape');
  await page.reload();
  const heading = page.getByRole('columnheader', { name: 'tier' });
  await heading.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('rowheader').first()).toHaveText('Part 0027');
});

test('relationships have a table of their own', async ({ page, ada }) => {
  const path = await createMap(ada, 'lines', 4);
  await ada.open(page, path);
  await page.getByRole('button', { name: /^Relationships/ }).click();
  await expect(page.getByRole('grid', { name: 'Relationships' })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('combobox', { name: 'From' }).fill('0002');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'To', exact: true }).fill('0003');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await dialogOn(page).getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('row')).toHaveCount(5);
  await expect.poll(async () => (await ada.get('/api/workspaces/lines')).relationships.length).toBe(4);
  await expectAccessible(page);
});

test('several relationships get another type as one edit', async ({ page, ada }) => {
  const path = await createMap(ada, 'retyped', 5);
  await ada.open(page, path);
  await page.getByRole('button', { name: /^Relationships/ }).click();
  await page.getByRole('rowheader', { name: 'Part 0001' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 relationships selected')).toBeVisible();
  await page.getByRole('button', { name: 'Type', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'reads', exact: true }).press('Enter');
  const types = async () =>
    (await ada.get('/api/workspaces/retyped')).relationships.map(
      (relationship: { typeId: string }) => relationship.typeId,
    );
  await expect.poll(async () => (await types()).filter((type: string) => type === 'reads').length).toBe(2);
  const { changes } = await ada.get('/api/workspaces/retyped/history?limit=2');
  expect(new Set(changes.map((change: { batch: string }) => change.batch)).size).toBe(1);
  // Only one of several containers is possible.
  await page.getByRole('button', { name: 'Type', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'contains', exact: true }).press('Enter');
  const note = page.getByRole('dialog').filter({ hasText: '“contains”. 1 other can’t' });
  await note.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await types()).filter((type: string) => type === 'reads').length).toBe(2);
});

test('a property is renamed on all components as one edit', async ({ page, ada }) => {
  const path = await createMap(ada, 'renamed', 60);
  await ada.patch('/api/workspaces/renamed/components/c3', { properties: { tier: 3, level: 1 } });
  await ada.open(page, path);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'tier' }).check();
  await page.getByRole('button', { name: 'Rename property tier' }).click();
  const sheet = page.getByRole('dialog', { name: 'Rename property “tier”' });
  await sheet.getByLabel('New name').fill('level');
  await expect(sheet).toContainText(
    '1 component already has the property “level” and keeps both: Part 0003.',
  );
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Rename on 19 components' }).click();
  const having = async (key: string) =>
    (await ada.get('/api/workspaces/renamed')).components.filter(
      ({ properties }: { properties: Record<string, unknown> }) => key in properties,
    ).length;
  await expect.poll(() => having('level')).toBe(20);
  expect(await having('tier')).toBe(1);
  await expect(page.getByRole('columnheader', { name: 'level' })).toBeVisible();
  const { changes } = await ada.get('/api/workspaces/renamed/history?limit=19');
  expect(new Set(changes.map((change: { batch: string }) => change.batch)).size).toBe(1);
  await page.getByRole('dialog', { name: 'Note' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => having('tier')).toBe(20);
});

test('times are relative, with the exact time in the reader’s time zone as tooltip', async ({
  browser,
  ada,
}) => {
  const path = await createMap(ada, 'dated', 1);
  const { component } = await ada.get('/api/workspaces/dated/components/c0');
  const page = await (await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })).newPage();
  await ada.open(page, path);
  const time = row(page, 'Part 0000').locator('time').first();
  await expect(time).toHaveAttribute('datetime', new Date(component.updatedAt).toISOString());
  const formatted = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Berlin',
  });
  await expect(time).toHaveAttribute('title', formatted.format(component.updatedAt));
  await expect(time).toHaveText('just now');
});

test('a viewer can read the table and cannot edit it', async ({ page, ada }) => {
  const path = await createMap(ada, 'to-look', 3);
  const alan = await ada.invite('alan', 'Alan Turing');
  await alan.open(page, path);
  await page.getByRole('rowheader', { name: 'Part 0001' }).dblclick();
  await expect(page.getByRole('main').getByText('View only')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Name of/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add', exact: true })).toHaveCount(0);
});

test('all rows are printed, not only the visible ones', async ({ page, ada }) => {
  const path = await createMap(ada, 'printed', 120);
  await ada.open(page, path);
  await expect(page.getByRole('rowheader', { name: 'Part 0000', exact: true })).toBeVisible();
  expect(await page.getByRole('grid').getByRole('row').count()).toBeLessThan(80);
  // What the browser lays out when it prints.
  await page.evaluate(() =>
    addEventListener('beforeprint', () => {
      const names = document.querySelectorAll('table[aria-label="Components"] tbody td:first-child');
      Object.assign(window, { printed: [...names].map(({ textContent }) => textContent) });
    }),
  );
  const pdf = await page.pdf();
  const printed = await page.evaluate(() => (window as unknown as { printed: string[] }).printed);
  expect(printed).toHaveLength(120);
  expect(printed.at(-1)).toBe('Part 0119');
  expect(pagesOf(pdf)).toBeGreaterThan(2);
  await expect(page.locator('table[aria-label="Components"]')).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('grid')).toBeHidden();
});

/** The number of pages of a PDF document. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
