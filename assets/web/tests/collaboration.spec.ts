import type { Page } from '@playwright/test';
import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { Server } from './support/server.ts';
import { addService, createSharedShop, newWindow } from './support/workspaces.ts';

/** A workspace with two components and two editors. */
async function createMap(ada: Actor): Promise<{ id: string; grace: Actor }> {
  const workspace = await createSharedShop(ada);
  await addService(ada, workspace.id, 'api', 300);
  return workspace;
}

/** The map with one component selected. */
const at = (id: string, component = 'web') => `/o/analytical-engines/w/${id}?c=${component}`;
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const nameField = (page: Page) => inspector(page).getByLabel('Name', { exact: true });
const state = (page: Page, name: RegExp) => page.getByRole('button', { name });
const nameOf = async (ada: Actor, id: string) =>
  (await ada.get(`/api/workspaces/${id}/components/web`)).component.name;

async function renameComponent(page: Page, to: string): Promise<void> {
  await nameField(page).fill(to);
  await nameField(page).press('Enter');
}

test('two users on one map see each other’s changes immediately, without losing input', async ({
  page,
  browser,
  ada,
}) => {
  const { id, grace } = await createMap(ada);
  const other = await newWindow(browser);
  await ada.open(page, at(id));
  await grace.open(other, at(id));
  await expect(state(page, /^Saved/)).toBeVisible();
  const description = inspector(other).getByLabel('Description');
  await description.fill('Half a sent');
  await expect(nameField(other)).toHaveValue('Web');
  await renameComponent(page, 'Window');
  await expect(nameField(other)).toHaveValue('Window');
  await description.pressSequentially('ence');
  await expect(description).toHaveValue('Half a sentence');
  await description.press('Tab');
  await expect(inspector(page).getByLabel('Description')).toHaveValue('Half a sentence');
  const { component } = await ada.get(`/api/workspaces/${id}/components/web`);
  expect(component).toMatchObject({ name: 'Window', description: 'Half a sentence' });
});

test('each action is one undo step, which survives a reload', async ({ page, ada }) => {
  const { id } = await createMap(ada);
  await ada.open(page, at(id));
  await renameComponent(page, 'First');
  await renameComponent(page, 'Second');
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

test('edits made offline survive closing the window and are saved later', async ({ context }) => {
  const server = await Server.start();
  const ada = await Actor.first(server.url, server.setUpLink);
  const { id } = await createMap(ada);
  const page = await context.newPage();
  await ada.open(page, at(id));
  await expect(state(page, /^Saved/)).toBeVisible();
  await expect(nameField(page)).toBeVisible();
  await server.stop();
  await renameComponent(page, 'Done without a server');
  await expect(state(page, /^Offline – 1 change saved locally/)).toBeVisible();
  await page.close();
  const restarted = await server.restart();
  expect(await nameOf(ada, id)).toBe('Web');
  const next = await context.newPage();
  await next.goto(ada.url);
  await expect.poll(() => nameOf(ada, id)).toBe('Done without a server');
  await restarted.end();
});

test('when two users rename the same component, the second resolves the conflict', async ({
  page,
  browser,
  ada,
}) => {
  const { id, grace } = await createMap(ada);
  const other = await newWindow(browser);
  await ada.open(page, at(id));
  await grace.open(other, at(id));
  await expect(state(other, /^Saved/)).toBeVisible();
  // Grace's connection fails and recovers after Ada has saved.
  await other.route('**/api/workspaces/**', (route) => route.abort());
  await renameComponent(other, 'Grace’s name');
  await expect(state(other, /^(Offline|Saving)/)).toBeVisible();
  await renameComponent(page, 'Ada’s name');
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
  const { id } = await createMap(ada);
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
