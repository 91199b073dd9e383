/** Kinds of components that the organization shares. */
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { Keyboard } from './support/keyboard.ts';
import { component, createMap, openMap } from './support/map.ts';
import { visit } from './support/visit.ts';
import { newWindow, openSidePanel, visitMapOf } from './support/workspaces.ts';

const SETTINGS = '/o/analytical-engines/settings/kinds';

/** Deletes the kinds: later stories use the same organization, where a kind is a column of all tables. */
test.afterEach(async ({ ada }) => {
  const { kinds } = await ada.get('/api/kinds');
  for (const { id } of kinds) await ada.delete(`/api/kinds/${id}?force=true`);
});

const FIELDS = [
  { key: 'cost-center', name: 'Cost center', type: 'text' },
  { key: 'tier', name: 'Tier', type: 'choice', choices: ['Gold', 'Silver'] },
  { key: 'since', name: 'In use since', type: 'date' },
  { key: 'runbook', name: 'Runbook', type: 'url' },
  { key: 'pii', name: 'Personal data', type: 'boolean' },
  { key: 'replicas', name: 'Replicas', type: 'number' },
];

async function createLedger(ada: Actor): Promise<void> {
  await ada.post('/api/kinds', {
    id: 'ledger',
    name: 'Ledger',
    baseType: 'database',
    color: '#DB2777',
    logo: 'postgresql',
    fields: FIELDS,
  });
}

/** Creates a map with the component `a`, which is a ledger, and the component `b`. */
async function createLedgerMap(ada: Actor): Promise<string> {
  const { id } = await createMap(ada, [
    { id: 'a', x: 0, y: 0, typeId: 'database' },
    { id: 'b', x: 300, y: 0 },
  ]);
  await ada.patch(`/api/workspaces/${id}/components/a`, {
    properties: { kind: 'ledger', replicas: 'three' },
  });
  return id;
}

async function propertiesOf(ada: Actor, workspaceId: string, id: string) {
  return (await ada.get(`/api/workspaces/${workspaceId}/components/${id}`)).component.properties;
}

test('kinds are created, edited and deleted in the settings', async ({ page, ada }) => {
  await test.step('a kind with fields is created and edited by keyboard, with errors next to the inputs', async () => {
    await ada.open(page, SETTINGS);
    await expect(page.getByText('No kinds yet')).toBeVisible();
    const keys = new Keyboard(page);
    await keys.press(page.getByRole('button', { name: 'New kind' }));
    const dialog = dialogOn(page);
    await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await page.keyboard.type('Payment service');
    await dialog.getByLabel('Based on').selectOption('Queue');
    await keys.press(dialog.getByRole('button', { name: 'Add field' }));
    await expect(dialog.getByLabel('Field name')).toBeFocused();
    await page.keyboard.type('Service tier');
    await dialog.getByLabel('Type', { exact: true }).selectOption('Choice');
    await keys.press(dialog.getByRole('button', { name: 'Create kind' }));
    await expect(dialog.getByText('Enter at least one choice.')).toBeVisible();
    await dialog.getByLabel('Choices, one per line').fill('Gold\nSilver');
    await expectAccessible(page);
    await keys.press(dialog.getByRole('button', { name: 'Create kind' }));
    await expect(dialog).toBeHidden();
    const row = page.getByRole('listitem').filter({ hasText: 'Payment service' });
    await expect(row.getByText('Based on Queue')).toBeVisible();
    await expect(row.getByText('1 field: Service tier')).toBeVisible();
    const { kinds } = await ada.get('/api/kinds');
    expect(kinds[0]).toMatchObject({
      id: 'payment-service',
      icon: 'list-ordered',
      color: '#D97706',
      fields: [{ key: 'service-tier', name: 'Service tier', type: 'choice', choices: ['Gold', 'Silver'] }],
    });
  });

  await test.step('a kind is edited, and its name must be unique', async () => {
    const dialog = dialogOn(page);
    await page.getByRole('button', { name: 'New kind' }).click();
    await page.keyboard.type('payment SERVICE');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(/A kind with the name .*Payment service.* exists already/i)).toBeVisible();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Edit Payment service' }).click();
    await dialog.getByRole('combobox', { name: 'Logo (optional)' }).fill('Stripe');
    await page.getByRole('option', { name: 'Stripe' }).click();
    await dialog.getByRole('radio', { name: 'zap' }).check({ force: true });
    await dialog.getByRole('button', { name: 'Remove Service tier' }).click();
    await dialog.getByRole('button', { name: 'Save kind' }).click();
    await expect(dialog).toBeHidden();
    expect((await ada.get('/api/kinds')).kinds[0]).toMatchObject({ logo: 'stripe', icon: 'zap', fields: [] });
    await expectAccessible(page);
  });

  await test.step('a kind in use is deleted after a warning, and components keep their values', async () => {
    const { id } = await createMap(ada, [{ id: 'a', x: 0, y: 0, typeId: 'queue' }]);
    await ada.patch(`/api/workspaces/${id}/components/a`, { properties: { kind: 'payment-service' } });
    await page.getByRole('button', { name: 'Delete Payment service' }).click();
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Delete kind', exact: true }).click();
    await expect(dialog.getByText(/\d components? of this kind exists?/)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete kind anyway' }).click();
    await expect(page.getByText('No kinds yet')).toBeVisible();
    expect(await propertiesOf(ada, id, 'a')).toMatchObject({ kind: 'payment-service' });
  });
});

test('kinds of this browser are shared, and the inspector edits kinds and their fields', async ({
  page,
  ada,
}) => {
  await test.step('a type of this browser is shared with the organization, and components keep their look', async () => {
    const id = await openMap(page, ada, [{ id: 'a', x: 0, y: 0 }]);
    await openSidePanel(page);
    await page.getByRole('button', { name: 'Custom types' }).click();
    const dialog = page.getByRole('dialog', { name: 'Custom types' });
    await dialog.getByLabel('Type name').fill('Message worker');
    await dialog.getByLabel('Based on').selectOption('Job');
    await dialog.getByRole('button', { name: 'Add type' }).click();
    await page.keyboard.press('Escape');
    await component(page, 'a').click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByLabel('Type', { exact: true }).selectOption('Message worker');
    await expect(component(page, 'a')).toContainText('Message worker');
    await page.getByRole('button', { name: 'Custom types' }).click();
    await dialog.getByRole('button', { name: 'Share Message worker with the organization' }).press('Enter');
    await expect(dialog.getByText('Message worker, based on Job')).toBeHidden();
    expect((await ada.get('/api/kinds')).kinds).toMatchObject([{ id: 'message-worker', baseType: 'job' }]);
    expect(await propertiesOf(ada, id, 'a')).toMatchObject({ kind: 'Message worker' });
    await page.keyboard.press('Escape');
    await expect(inspector.getByLabel('Type', { exact: true })).toHaveValue('kind:message-worker');
    // The kind hides a type of the same name, which cannot be shared again.
    await page.getByRole('button', { name: 'Custom types' }).click();
    await dialog.getByLabel('Type name').fill('Message worker');
    await dialog.getByRole('button', { name: 'Add type' }).click();
    await expect(
      dialog.getByText('The organization has a kind with this name, which is used.'),
    ).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Share/ })).toHaveCount(0);
  });

  await test.step('the inspector edits the fields of a kind and checks their values', async () => {
    await createLedger(ada);
    const id = await createLedgerMap(ada);
    await visitMapOf(page, id);
    await component(page, 'a').click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByText('This value does not fit the field.')).toBeVisible();
    await inspector.getByLabel('Cost center').fill('4711');
    await page.keyboard.press('Enter');
    await inspector.getByLabel('Tier').selectOption('Silver');
    await inspector.getByLabel('In use since').fill('2026-02-28');
    await page.keyboard.press('Enter');
    await inspector.getByLabel('Personal data').selectOption('Yes');
    const replicas = inspector.getByLabel('Replicas');
    await replicas.fill('many');
    await page.keyboard.press('Enter');
    await expect(inspector.getByText('Enter a number, such as 12 or 0.5.').last()).toBeVisible();
    await replicas.fill('3');
    await page.keyboard.press('Enter');
    const runbook = inspector.getByLabel('Runbook');
    await runbook.fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await expect(inspector.getByText('Enter an address that starts with https:// or http://.')).toBeVisible();
    await runbook.fill('https://example.org/runbook');
    await page.keyboard.press('Enter');
    await expect(inspector.getByRole('link', { name: 'Open Runbook' })).toHaveAttribute(
      'href',
      'https://example.org/runbook',
    );
    await expect
      .poll(() => propertiesOf(ada, id, 'a'))
      .toEqual({
        kind: 'ledger',
        'cost-center': '4711',
        tier: 'Silver',
        since: '2026-02-28',
        pii: true,
        replicas: 3,
        runbook: 'https://example.org/runbook',
      });
  });

  await test.step('a built-in type takes the kind away and leaves the values', async () => {
    const id = await createLedgerMap(ada);
    await visitMapOf(page, id);
    await ada.patch(`/api/workspaces/${id}/components/a`, { properties: { kind: 'ledger', tier: 'Gold' } });
    await component(page, 'a').click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByLabel('Tier')).toHaveValue('Gold');
    await expectAccessible(page);
    await inspector.getByLabel('Type', { exact: true }).selectOption('Cache');
    await expect.poll(async () => (await propertiesOf(ada, id, 'a')).kind).toBeUndefined();
    await expect(inspector.getByRole('button', { name: 'Remove property tier' })).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(inspector.getByLabel('Type', { exact: true })).toHaveValue('kind:ledger');
  });
});

test('components get kinds by name, and maps, legends and tables show them', async ({
  page,
  browser,
  ada,
}) => {
  await test.step('a new component gets a kind by typing its name', async () => {
    await createLedger(ada);
    const id = await createLedgerMap(ada);
    await ada.open(page, `/o/analytical-engines/w/${id}`);
    await page.getByRole('region', { name: 'Map', exact: true }).click({ position: { x: 500, y: 600 } });
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.type('Accounts');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ledg');
    await expect(page.getByRole('option', { name: /^Ledger/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}`)).components.at(-1))
      .toMatchObject({ name: 'Accounts', typeId: 'database', properties: { kind: 'ledger' } });
    await expect(component(page, 'accounts')).toContainText('Ledger');
    await expect(component(page, 'accounts').locator('[data-technology="PostgreSQL"]')).toBeVisible();
  });

  await test.step('the legend and the table know kinds', async () => {
    const id = await createLedgerMap(ada);
    await visitMapOf(page, id);
    await openSidePanel(page);
    const entry = page.getByRole('list', { name: 'Legend' }).getByRole('button', { name: /Ledger/ });
    await entry.click();
    await expect(entry).toHaveAttribute('aria-pressed', 'true');
    const dimmed = page.locator('[data-dim]');
    await expect(dimmed.filter({ has: component(page, 'b') })).toHaveCount(1);
    await expect(dimmed.filter({ has: component(page, 'a') })).toHaveCount(0);

    await visit(page, `/o/analytical-engines/w/${id}/table`);
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    await expect(row('a').getByText('Ledger')).toBeVisible();
    await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('Ledger');
    await expect(row('b')).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('All types');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Cost center' }).check();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('columnheader', { name: 'Cost center' })).toBeVisible();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const file = await (await saving).createReadStream();
    let csv = '';
    for await (const part of file) csv += part;
    // Columns of properties have the names of the properties.
    const [headings = [], ...rows] = csv.split('\r\n').map((line) => line.split(','));
    expect(headings).toContain('replicas');
    const ledger = rows.find(
      (cells) => cells[headings.indexOf('Type')] === 'Database' && cells.includes('a'),
    );
    expect(ledger?.[headings.indexOf('kind')]).toBe('ledger');
  });

  await test.step('a change of a kind appears on open maps', async () => {
    await visitMapOf(page, await createLedgerMap(ada));
    await expect(component(page, 'a')).toContainText('Ledger');
    const other = await newWindow(browser);
    await ada.open(other, SETTINGS);
    await other.getByRole('button', { name: 'Edit Ledger' }).click();
    await other.getByLabel('Name', { exact: true }).fill('Book');
    await other.getByRole('button', { name: 'Save kind' }).click();
    await expect(component(page, 'a')).toContainText('Book');
    await other.context().close();
  });
});
