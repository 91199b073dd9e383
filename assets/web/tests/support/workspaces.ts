/** Workspaces for tests, and navigation in them. */
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import type { Actor } from './actor.ts';

let count = 0;

/**
 * Creates a workspace with the architecture of Wikipedia: 36 components, people, teams and processes. Returns its ID.
 */
export async function wikipedia(actor: Actor): Promise<string> {
  const id = `wikipedia-${process.pid}-${++count}`;
  await actor.post('/api/workspaces', { id, name: 'How Wikipedia works', sample: true });
  return id;
}

/** Creates a workspace with the component `web`. Returns its ID. */
export async function createShop(actor: Actor): Promise<string> {
  const id = `shop-${process.pid}-${++count}`;
  await actor.post('/api/workspaces', { id, name: 'Shop', visibility: 'org' });
  await addService(actor, id, 'web', 0);
  return id;
}

/** Creates a workspace with the component `web` and a second editor. */
export async function createSharedShop(actor: Actor): Promise<{ id: string; grace: Actor }> {
  const id = await createShop(actor);
  const grace = await actor.invite(`grace-${id}`, 'Grace Hopper');
  const { id: userId } = await grace.get('/api/me');
  await actor.post(`/api/workspaces/${id}/members`, { userId, role: 'editor' });
  return { id, grace };
}

/** Adds a component whose name is its capitalized ID. */
export async function addService(actor: Actor, workspaceId: string, id: string, x: number): Promise<void> {
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  await actor.post(`/api/workspaces/${workspaceId}/components`, { id, typeId: 'service', name, x, y: 0 });
}

/** A page in a separate browser session. */
export async function newWindow(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** Signs in and opens the map of a workspace. */
export async function openMap(actor: Actor, page: Page, id: string): Promise<void> {
  await actor.open(page, `/o/analytical-engines/w/${id}`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
}

/** Opens the side panel. */
export async function openSidePanel(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Show side panel' }).click();
  return page.getByRole('complementary', { name: 'Side panel' });
}

/** Types into the search field of the map, using only the keyboard. */
export async function searchByKeyboard(page: Page, text: string): Promise<void> {
  // Shortcuts are bound shortly after the map appears.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('combobox', { name: 'Find on map' })).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type(text);
}

/** Finds and selects a component using only the keyboard. */
export async function selectByKeyboard(page: Page, name: string): Promise<void> {
  await searchByKeyboard(page, name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}
