/** Workspaces that stories begin with, and ways of getting about in them. */
import { expect, type Page } from '@playwright/test';
import type { Actor } from './actor.ts';

let count = 0;

/** A workspace with what Wikipedia is made of: 36 components, people, teams, processes. Answers its id. */
export async function wikipedia(actor: Actor): Promise<string> {
  const id = `wikipedia-${process.pid}-${++count}`;
  await actor.post('/api/workspaces', { id, name: 'How Wikipedia works', sample: true });
  return id;
}

/** Opens a workspace's map, signed in. */
export async function openMap(actor: Actor, page: Page, id: string): Promise<void> {
  await actor.open(page, `/o/analytical-engines/w/${id}`);
  await page.getByRole('complementary', { name: 'Side panel' }).waitFor();
}

/** Types into the field that finds on the map, by the keyboard alone. */
export async function searchByKeyboard(page: Page, text: string): Promise<void> {
  // The keys are there a moment after the map.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('combobox', { name: 'Find on map' })).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type(text);
}

/** Finds a component by the keyboard alone, and selects it. */
export async function selectByKeyboard(page: Page, name: string): Promise<void> {
  await searchByKeyboard(page, name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}
