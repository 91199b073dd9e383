/** Workspaces that stories begin with, and ways of getting about in them. */
import type { Page } from '@playwright/test';
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
  await actor.opens(page, `/o/analytical-engines/w/${id}`);
  await page.getByRole('complementary', { name: 'Side panel' }).waitFor();
}

/** Finds a component by the keyboard alone, and selects it. */
export async function selectByKeys(page: Page, name: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}
