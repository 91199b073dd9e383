/** The table of a workspace: cells, rows, columns, relationships, readers and print. */
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';

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

/** The index of a column for assistive technologies. */
async function columnOf(page: Page, name: string): Promise<string> {
  const header = page.getByRole('columnheader', { name, exact: true });
  return (await header.getAttribute('aria-colindex')) ?? '';
}

function note(page: Page, text: string): Locator {
  return page.getByRole('dialog', { name: 'Note' }).filter({ hasText: text });
}

async function nameOf(ada: Actor, workspace: string, id: string): Promise<string> {
  return (await ada.get(`/api/workspaces/${workspace}/components/${id}`)).component.name;
}

/** The number of change sets of the newest changes. */
async function countChangeSets(ada: Actor, workspace: string, changes: number): Promise<number> {
  const history = await ada.get(`/api/workspaces/${workspace}/history?limit=${changes}`);
  return new Set(history.changes.map((change: { changeSetId: string }) => change.changeSetId)).size;
}

test('cells are edited by keyboard, and input stays when it is rejected or others change the table', async ({
  page,
  ada,
}) => {
  const path = await createMap(ada, 'by-keys', 12);
  const otherPath = await createMap(ada, 'together', 6);
  await ada.post('/api/people', { name: 'Grace of the table' });
  await ada.open(page, path);
  const keys = page.keyboard;
  const input = page.getByRole('textbox', { name: /^Name of/ });
  await expect(page.getByRole('grid', { name: 'Components' })).toBeVisible();
  await expectAccessible(page);

  await test.step('a cell is focused, edited and reset', async () => {
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

  await test.step('an owner is chosen and removed in a cell', async () => {
    const owned = row(page, 'Part 0005');
    const cell = owned.locator(`[aria-colindex="${await columnOf(page, 'Owners')}"]`);
    const owners = async () =>
      (await ada.get('/api/workspaces/by-keys')).stakeholders.map(
        (stakeholder: { person?: { name: string } }) => stakeholder.person?.name,
      );
    await cell.focus();
    await keys.press('Enter');
    const choice = page.getByRole('combobox', { name: 'Owners of Part 0005' });
    await expect(choice).toHaveValue('[]');
    await choice.selectOption({ label: 'Grace of the table' });
    await keys.press('Enter');
    await expect(cell).toHaveText('Grace of the table');
    await expect.poll(owners).toEqual(['Grace of the table']);
    await keys.press('Enter');
    await choice.selectOption({ label: 'No owner' });
    await keys.press('Enter');
    await expect.poll(owners).toEqual([]);
  });

  await test.step('a name that is too long stays in its cell, with the error', async () => {
    await page.getByRole('rowheader', { name: 'Part 0007' }).dblclick();
    await input.fill('y'.repeat(10_000));
    await input.press('Enter');
    await expect(page.getByRole('alert')).toContainText('must have at most 200 characters, has 10,000');
    await expect(input).toHaveValue('y'.repeat(10_000));
    await input.press('Escape');
    await expect(page.getByRole('rowheader', { name: 'Part 0007' })).toBeVisible();
  });

  await test.step('input stays while others change, sort and delete rows', async () => {
    await visit(page, otherPath);
    await expect(page.getByRole('heading', { name: 'together', level: 1 })).toBeVisible();
    await page.getByRole('rowheader', { name: 'Part 0003' }).dblclick();
    await input.fill('Being typ');
    await ada.patch('/api/workspaces/together/components/c0', { name: 'Zebra' });
    await ada.patch('/api/workspaces/together/components/c3', { description: 'Said meanwhile' });
    await ada.delete('/api/workspaces/together/components/c1');
    await expect(page.getByRole('rowheader', { name: 'Zebra' })).toBeVisible();
    await expect(page.getByRole('rowheader', { name: 'Part 0001' })).toHaveCount(0);
    await expect(input).toBeFocused();
    await expect(input).toHaveValue('Being typ');
    await input.press('End');
    await keys.type('ed');
    await keys.press('Enter');
    await expect.poll(() => nameOf(ada, 'together', 'c3')).toBe('Being typed');
    const { component } = await ada.get('/api/workspaces/together/components/c3');
    expect(component.description).toBe('Said meanwhile');
  });
});

test('several rows are changed and deleted as one edit each', async ({ page, ada }) => {
  const path = await createMap(ada, 'many', 8);
  await ada.put('/api/workspaces/emptied/bulk', {
    workspace: { name: 'Emptied' },
    components: [
      { id: 'store', typeId: 'group', name: 'Store', x: 900, y: 900 },
      { id: 'web', typeId: 'service', name: 'Web', x: 100, y: 100 },
      { id: 'db', typeId: 'database', name: 'Ledger', x: 500, y: 300 },
    ],
    relationships: ['web', 'db'].map((targetId) => ({ sourceId: 'store', targetId, typeId: 'contains' })),
  });
  await ada.open(page, path);
  const keys = page.keyboard;
  const read = async () =>
    (await ada.get('/api/workspaces/many')).components as {
      properties: { lifecycle?: string; tier?: unknown };
    }[];

  await test.step('rows are selected with Shift and changed', async () => {
    await page.getByRole('rowheader', { name: 'Part 0002' }).focus();
    await keys.press('Space');
    for (let step = 0; step < 3; step += 1) await keys.press('Shift+ArrowDown');
    await expect(page.getByText('4 components selected')).toBeVisible();
    await page.getByRole('button', { name: 'Lifecycle', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Deprecated' }).press('Enter');
    await expect(row(page, 'Part 0005')).toContainText('Deprecated');
    await expect
      .poll(
        async () => (await read()).filter(({ properties }) => properties.lifecycle === 'deprecated').length,
      )
      .toBe(4);
    expect(await countChangeSets(ada, 'many', 4)).toBe(1);
    await page.getByRole('button', { name: 'Property…' }).press('Enter');
    await keys.type('tier');
    await keys.press('Tab');
    await keys.type('7');
    await keys.press('Enter');
    await expect
      .poll(async () => (await read()).filter(({ properties }) => String(properties.tier) === '7').length)
      .toBe(4);
  });

  await test.step('a deletion is undone', async () => {
    await page.getByRole('rowheader', { name: 'Part 0002' }).focus();
    await keys.press('Delete');
    await expect.poll(async () => (await read()).length).toBe(4);
    await note(page, 'Deleted 4 components').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await read()).length).toBe(8);
    await expect(row(page, 'Part 0002')).toBeVisible();
  });

  await test.step('a group whose parts are deleted keeps its frame', async () => {
    await visit(page, `${ORG}/w/emptied/table`);
    for (const name of ['Web', 'Ledger']) {
      await page.getByRole('rowheader', { name }).focus();
      await keys.press('Space');
    }
    await expect(page.getByText('2 components selected')).toBeVisible();
    await keys.press('Delete');
    const left = async () => (await ada.get('/api/workspaces/emptied')).components;
    await expect.poll(async () => (await left()).length).toBe(1);
    expect((await left())[0]).toMatchObject({ id: 'store', x: 80, y: 40, width: 620, height: 344 });
  });
});

test('columns are chosen and remembered, sort, and rename a property on all components', async ({
  page,
  ada,
}) => {
  const path = await createMap(ada, 'columns', 60);
  await ada.patch('/api/workspaces/columns/components/c3', { properties: { tier: 3, level: 1 } });
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
  await expect(page.getByRole('rowheader').first()).toHaveText('Part 0057');

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Rename property tier' }).click();
  const sheet = page.getByRole('dialog', { name: 'Rename property “tier”' });
  await sheet.getByLabel('New name').fill('level');
  await expect(sheet).toContainText(
    '1 component already has the property “level” and keeps both: Part 0003.',
  );
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Rename on 19 components' }).click();
  const having = async (key: string) =>
    (await ada.get('/api/workspaces/columns')).components.filter(
      ({ properties }: { properties: Record<string, unknown> }) => key in properties,
    ).length;
  await expect.poll(() => having('level')).toBe(20);
  expect(await having('tier')).toBe(1);
  await expect(page.getByRole('columnheader', { name: 'level' })).toBeVisible();
  expect(await countChangeSets(ada, 'columns', 19)).toBe(1);
  await page.getByRole('dialog', { name: 'Note' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => having('tier')).toBe(20);
});

test('relationships have a table of their own, in which several get another type as one edit', async ({
  page,
  ada,
}) => {
  const path = await createMap(ada, 'lines', 5);
  await ada.open(page, path);
  await page.getByRole('button', { name: /^Relationships/ }).click();
  await expect(page.getByRole('grid', { name: 'Relationships' })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(5);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('combobox', { name: 'From' }).fill('0004');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'To', exact: true }).fill('0003');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await dialogOn(page).getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('row')).toHaveCount(6);
  const types = async (): Promise<string[]> =>
    (await ada.get('/api/workspaces/lines')).relationships.map(({ typeId }: { typeId: string }) => typeId);
  await expect.poll(async () => (await types()).length).toBe(5);
  await expectAccessible(page);

  await page.getByRole('rowheader', { name: 'Part 0001' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 relationships selected')).toBeVisible();
  await page.getByRole('button', { name: 'Type', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'reads', exact: true }).press('Enter');
  const reading = async () => (await types()).filter((type) => type === 'reads').length;
  await expect.poll(reading).toBe(2);
  expect(await countChangeSets(ada, 'lines', 2)).toBe(1);
  // Only one of several containers is possible.
  await page.getByRole('button', { name: 'Type', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'contains', exact: true }).press('Enter');
  await note(page, '“contains”. 1 other can’t').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(reading).toBe(2);
});

test.describe('in another time zone', () => {
  test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' });

  test('a viewer reads the table without editing it, with times in their time zone', async ({
    page,
    ada,
  }) => {
    const path = await createMap(ada, 'to-look', 3);
    const alan = await ada.invite('alan', 'Alan Turing');
    const { component } = await ada.get('/api/workspaces/to-look/components/c0');
    await alan.open(page, path);
    const time = row(page, 'Part 0000').locator('time').first();
    await expect(time).toHaveAttribute('datetime', new Date(component.updatedAt).toISOString());
    const formatted = new Intl.DateTimeFormat('en-US', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Europe/Berlin',
    });
    await expect(time).toHaveAttribute('title', formatted.format(component.updatedAt));
    await expect(time).toHaveText('just now');
    await page.getByRole('rowheader', { name: 'Part 0001' }).dblclick();
    await expect(page.getByRole('main').getByText('View only')).toBeVisible();
    await expect(page.getByRole('textbox', { name: /^Name of/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Add', exact: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^View only/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
  });
});

test('only the visible rows of a large table are rendered, and all are printed', async ({ page, ada }) => {
  const path = await createMap(ada, 'large', 3000);
  const printedPath = await createMap(ada, 'printed', 120);
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

  await visit(page, printedPath);
  await expect(page.getByRole('heading', { name: 'printed', level: 1 })).toBeVisible();
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
