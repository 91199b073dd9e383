/** Notes, frames and images on the map. */
import type { Locator, Page } from '@playwright/test';
import type { Actor } from './actor.ts';

export interface TestNote {
  id: string;
  kind?: 'note' | 'frame' | 'image';
  text?: string;
  x: number;
  y: number;
  width?: number;
  height?: number;
  layer?: number;
  color?: string;
}

/** Creates notes with the API. */
export async function createNotes(who: Actor, workspaceId: string, ...notes: TestNote[]): Promise<void> {
  for (const note of notes) await who.post(`/api/workspaces/${workspaceId}/notes`, note);
}

/** The notes of a workspace on the server. */
export async function notesOf(who: Actor, workspaceId: string) {
  return (await who.get(`/api/workspaces/${workspaceId}/notes`)).notes;
}

/** The element of a note on the map. */
export function note(page: Page, name: string | RegExp): Locator {
  return page
    .getByRole('region', { name: 'Map', exact: true })
    .getByRole('button', { name, exact: typeof name === 'string' });
}

/** The position of the center of a note on the screen. */
export async function middleOf(page: Page, name: string | RegExp): Promise<{ x: number; y: number }> {
  const box = await note(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not on the screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Opens the menu of notes in the toolbar and selects an item. */
export async function chooseFromNotesMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Notes', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
