import type { Browser, Page } from '@playwright/test';
import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { Server } from './support/server.ts';

let count = 0;

/** A workspace with two components, shared by two. */
async function shared(ada: Actor): Promise<{ id: string; grace: Actor }> {
  count += 1;
  const id = `together-${process.pid}-${count}`;
  await ada.post('/api/workspaces', { id, name: 'Shop', visibility: 'org' });
  await ada.post(`/api/workspaces/${id}/components`, {
    id: 'web',
    typeId: 'service',
    name: 'Web',
    x: 0,
    y: 0,
  });
  await ada.post(`/api/workspaces/${id}/components`, {
    id: 'api',
    typeId: 'service',
    name: 'Api',
    x: 300,
    y: 0,
  });
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const me = await grace.get('/api/me');
  await ada.post(`/api/workspaces/${id}/members`, { userId: me.id, role: 'editor' });
  return { id, grace };
}

/** The map with one component selected. */
const at = (id: string, component = 'web') => `/o/analytical-engines/w/${id}?c=${component}`;
const another = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const nameField = (page: Page) => inspector(page).getByLabel('Name', { exact: true });
const state = (page: Page, name: RegExp) => page.getByRole('button', { name });
const nameOf = async (ada: Actor, id: string) =>
  (await ada.get(`/api/workspaces/${id}/components/web`)).component.name;

async function renames(page: Page, to: string): Promise<void> {
  await nameField(page).fill(to);
  await nameField(page).press('Enter');
}

test('two users on one map see each other’s changes immediately, and input stays', async ({
  page,
  browser,
  ada,
}) => {
  const { id, grace } = await shared(ada);
  const other = await another(browser);
  await ada.open(page, at(id));
  await grace.open(other, at(id));
  await expect(state(page, /^Saved/)).toBeVisible();
  const description = inspector(other).getByLabel('Description');
  await description.fill('Half a sent');
  await expect(nameField(other)).toHaveValue('Web');
  await renames(page, 'Window');
  await expect(nameField(other)).toHaveValue('Window', { timeout: 1_000 });
  await description.pressSequentially('ence');
  await expect(description).toHaveValue('Half a sentence');
  await description.press('Tab');
  await expect(inspector(page).getByLabel('Description')).toHaveValue('Half a sentence', { timeout: 1_000 });
  const { component } = await ada.get(`/api/workspaces/${id}/components/web`);
  expect(component).toMatchObject({ name: 'Window', description: 'Half a sentence' });
});

test('one action is one undo step, which survives a reload', async ({ page, ada }) => {
  const { id } = await shared(ada);
  await ada.open(page, at(id));
  await renames(page, 'First');
  await renames(page, 'Second');
  await expect.poll(() => nameOf(ada, id)).toBe('Second');
  await expect(state(page, /^Saved/)).toBeVisible();
  await page.reload();
  await expect(nameField(page)).toHaveValue('Second');
  await page.getByRole('heading', { name: 'Shop' }).click();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => nameOf(ada, id)).toBe('First');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => nameOf(ada, id)).toBe('Web');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => nameOf(ada, id)).toBe('First');
});

test('offline work survives closing the window and is saved later', async ({ context }) => {
  const server = await Server.start();
  const ada = await Actor.first(server.url, server.setUpLink);
  const { id } = await shared(ada);
  const page = await context.newPage();
  await ada.open(page, at(id));
  await expect(state(page, /^Saved/)).toBeVisible();
  await expect(nameField(page)).toBeVisible();
  await server.stop();
  await renames(page, 'Done without a server');
  await expect(state(page, /^Offline – 1 change saved locally/)).toBeVisible();
  await page.close();
  const again = await server.again();
  expect(await nameOf(ada, id)).toBe('Web');
  const next = await context.newPage();
  await next.goto(ada.url);
  await expect.poll(() => nameOf(ada, id)).toBe('Done without a server');
  await again.end();
});

test('of two users who rename the same component, the second resolves the conflict', async ({
  page,
  browser,
  ada,
}) => {
  const { id, grace } = await shared(ada);
  const other = await another(browser);
  await ada.open(page, at(id));
  await grace.open(other, at(id));
  await expect(state(other, /^Saved/)).toBeVisible();
  // Grace's connection breaks off, and comes back after Ada has saved.
  await other.route('**/api/workspaces/**', (route) => route.abort());
  await renames(other, 'Grace’s name');
  await expect(state(other, /^(Offline|Saving)/)).toBeVisible();
  await renames(page, 'Ada’s name');
  await expect.poll(() => nameOf(ada, id)).toBe('Ada’s name');
  await other.unroute('**/api/workspaces/**');
  await state(other, /^1 needs attention/).click();
  await expect(other.getByText('Changed by Ada Lovelace in the meantime.')).toBeVisible();
  await other.getByRole('button', { name: 'Resolve…' }).click();
  await other.getByRole('button', { name: 'Use theirs' }).click();
  await expect(state(other, /^Saved/)).toBeVisible();
  await expect(nameField(other)).toHaveValue('Ada’s name');
});

test('past versions are read-only', async ({ page, ada }) => {
  const { id } = await shared(ada);
  const { changes } = await ada.get(`/api/workspaces/${id}/history?entity=component&entityId=api`);
  await ada.patch(`/api/workspaces/${id}/components/web`, { name: 'Later name' });
  await ada.open(page, `${at(id)}&past=${changes[0].revision}`);
  await expect(page.getByText(/^Viewing/)).toBeVisible();
  await expect(inspector(page).getByText('Web', { exact: true }).first()).toBeVisible();
  await expect(nameField(page)).toBeHidden();
  await page.getByRole('button', { name: 'Back to current' }).click();
  await expect(nameField(page)).toHaveValue('Later name');
  await expect(nameField(page)).toBeEditable();
});
