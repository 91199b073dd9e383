import { expectAccessible } from './support/accessibility.ts';
import { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { Server } from './support/server.ts';
import { visit } from './support/visit.ts';

const ORG = '/o/analytical-engines';

test('an organization without workspaces offers the sample and a blank workspace', async ({ page }) => {
  const server = await Server.start();
  const ada = await Actor.first(server.url, server.setUpLink);
  await ada.open(page, ORG);
  await expect(page.getByRole('heading', { name: 'No workspaces yet' })).toBeVisible();
  await expectAccessible(page);
  // On wide windows, the buttons of the app bar have a text.
  await expect(page.getByText('Deleted workspaces', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create blank workspace' }).press('Enter');
  await expect(dialogOn(page).getByRole('radio', { name: /^Blank/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create sample workspace' }).press('Enter');
  await page.waitForURL('**/w/*');
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  await visit(page, ORG);
  const card = page.getByRole('article').filter({ hasText: 'Sample' });
  await expect(card.getByRole('link', { name: 'Sample' })).toBeVisible();
  await expect(card.locator('svg path').first()).toBeAttached();
  await expect(card).toContainText('Owner');
  await expect(card).toContainText('just now by Ada Lovelace');
  await expectAccessible(page);
  await page.close();
  await server.end();
});

test('a workspace is created, renamed, hidden, found, deleted, restored and duplicated using only the keyboard', async ({
  page,
  ada,
}) => {
  await ada.open(page, ORG);
  const keys = page.keyboard;

  await test.step('a workspace is created', async () => {
    await page.getByRole('button', { name: /^New/ }).focus();
    await keys.press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await expectAccessible(page);
    await keys.type('Payments <b>');
    await keys.press('Tab');
    await keys.type('Who takes the money');
    await keys.press('Tab');
    await expect(page.getByRole('radio', { name: /^Organization can edit/ })).toBeChecked();
    await keys.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /^Organization can view/ })).toBeChecked();
    await keys.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /^Members/ })).toBeChecked();
    await keys.press('Enter');
    await page.waitForURL('**/w/**');
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    const { workspaces } = await ada.get('/api/workspaces');
    const created = workspaces.find((workspace: { name: string }) => workspace.name === 'Payments <b>');
    expect(created).toMatchObject({ visibility: 'members', description: 'Who takes the money' });
  });

  await test.step('it is renamed, found, deleted and restored', async () => {
    await visit(page, ORG);
    await page.getByRole('button', { name: 'Actions for Payments <b>' }).focus();
    await keys.press('Enter');
    await page.getByRole('menuitem', { name: 'Edit details…' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Payments of today');
    await keys.press('Enter');
    await expect(page.getByRole('link', { name: 'Payments of today' })).toBeVisible();

    await page.getByRole('searchbox').fill('takes money');
    await expect(page.getByRole('article')).toHaveCount(1);
    await page.getByRole('searchbox').fill('no such words');
    await page.getByRole('button', { name: 'Clear search' }).press('Enter');

    await page.getByRole('button', { name: 'Actions for Payments of today' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await expect(page.getByRole('link', { name: 'Payments of today' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Deleted workspaces' }).press('Enter');
    await page.getByRole('button', { name: 'Restore Payments of today' }).press('Enter');
    // Other tests may have deleted workspaces.
    await expect(page.getByRole('button', { name: 'Restore Payments of today' })).toHaveCount(0);
    await keys.press('Escape');
    await expect(page.getByRole('link', { name: 'Payments of today' })).toBeVisible();
  });

  await test.step('a workspace is created from a template and duplicated', async () => {
    await page.getByRole('button', { name: 'New workspace' }).focus();
    await keys.press('Enter');
    const template = page.getByRole('radio', { name: /^Event-driven/ });
    await template.focus();
    await keys.press('Space');
    await expect(template).toBeChecked();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Shop of events');
    await keys.press('Enter');
    await page.waitForURL('**/w/**');
    await expect(page.locator('[data-component]').first()).toBeVisible();

    await visit(page, ORG);
    await page.getByRole('button', { name: 'Actions for Shop of events' }).focus();
    await keys.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate…' }).press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Copy of Shop of events');
    await expectAccessible(page);
    await keys.press('Enter');
    await page.waitForURL('**/w/copy-of-shop-of-events**');
    const { workspaces } = await ada.get('/api/workspaces');
    const [copy, original] = await Promise.all(
      ['Copy of Shop of events', 'Shop of events'].map(async (name) => {
        const { id } = workspaces.find((workspace: { name: string }) => workspace.name === name);
        const { components, relationships, processes } = await ada.get(`/api/workspaces/${id}`);
        return [components.length, relationships.length, processes.length];
      }),
    );
    expect(copy).toEqual(original);
  });
});

test('workspaces are listed by when they were opened, restored with another ID, and named within limits', async ({
  page,
  ada,
}) => {
  for (const name of ['Order one', 'Order two', 'Order three']) await ada.post('/api/workspaces', { name });
  await ada.post('/api/workspaces', { id: 'twice', name: 'First of two' });
  await ada.delete('/api/workspaces/twice');
  await ada.post('/api/workspaces', { id: 'twice', name: 'Second of two' });
  await ada.open(page, ORG);

  await test.step('a name that is too long is reported next to the field and the input is kept', async () => {
    await page.getByRole('button', { name: /^New/ }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('x'.repeat(10_000));
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(dialogOn(page)).toContainText('200');
    await expect(name).toHaveValue('x'.repeat(10_000));
    await dialogOn(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(dialogOn(page)).toHaveCount(0);
  });

  await test.step('a restored workspace whose ID is taken gets another ID', async () => {
    await page.getByRole('button', { name: 'Deleted workspaces' }).click();
    await page.getByRole('button', { name: 'Restore First of two' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'First of two' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Second of two' })).toBeVisible();
  });

  await test.step('recently opened workspaces are first, also after a reload', async () => {
    await page.getByRole('link', { name: 'Order one' }).click();
    await expect(page.getByRole('heading', { name: 'Order one' })).toBeVisible();
    await page.goto(`${ada.url}${ORG}`);
    await expect(page.getByRole('article').first()).toContainText('Order one');
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name');
    await expect(page.getByRole('article').filter({ hasText: 'Order' }).nth(1)).toContainText('Order three');
  });
});

test('a viewer sees their access level and no actions that they cannot perform', async ({ page, ada }) => {
  await ada.post('/api/workspaces', { name: 'For all to see' });
  const grace = await ada.invite('grace', 'Grace Hopper');
  await grace.open(page, ORG);
  const card = page.getByRole('article').filter({ hasText: 'For all to see' });
  await expect(card).toContainText('View only');
  await card.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: /^Delete/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('menuitem', { name: /^Edit details/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('on a phone the cards fit, and stay where they are when the names of users arrive late', async ({
  page,
  ada,
}) => {
  await ada.post('/api/workspaces', { name: `${'Long'.repeat(40)}` });
  await ada.post('/api/workspaces', { name: 'Shift one' });
  await ada.post('/api/workspaces', { name: 'Shift two' });
  await page.setViewportSize({ width: 390, height: 844 });
  let answer = () => {};
  const isAllowed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/people', async (route) => {
    await isAllowed;
    await route.continue();
  });
  await ada.open(page, '/o/analytical-engines');
  const cards = page.getByRole('article');
  await expect(cards.nth(1)).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const before = (await cards.nth(1).boundingBox())?.y;
  await expect(cards.first().getByText('by Ada Lovelace')).toBeHidden();
  answer();
  await expect(cards.first().getByText('by Ada Lovelace')).toBeVisible();
  expect((await cards.nth(1).boundingBox())?.y).toBe(before);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});
