/** Drafts of a map with three components, and their pages. */
import type { Browser, Page } from '@playwright/test';
import type { Actor } from './actor.ts';
import { visit } from './visit.ts';
import { newWindow } from './workspaces.ts';

export const SPOTS = [
  { id: 'web', x: 300, y: 160, name: 'Web shop' },
  { id: 'pay', x: 600, y: 160, name: 'Payments' },
  { id: 'old', x: 300, y: 340, name: 'Old gateway' },
];

/** Signs in and opens a screen of a workspace. */
export const openAt = (who: Actor, page: Page, id: string, rest: string) =>
  who.open(page, `/o/analytical-engines/w/${id}${rest}`);

/** Opens a workspace in another browser. */
export async function openAs(
  browser: Browser,
  who: Actor,
  id: string,
  rest = '?at=400,200,1',
): Promise<Page> {
  const page = await newWindow(browser);
  await openAt(who, page, id, rest);
  return page;
}

/** The ID of the draft whose map is open. */
export async function openedDraft(page: Page): Promise<string> {
  await page.waitForURL(/\/w\/draft-/);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  return new URL(page.url()).pathname.split('/')[4] ?? '';
}

/** Opens a screen of a workspace in a signed-in page that has loaded the client. */
export const goTo = (page: Page, id: string, rest = '?at=400,200,1') =>
  visit(page, `/o/analytical-engines/w/${id}${rest}`);

/** A draft that renames, adds and removes components. Returns its ID. */
export async function startDraft(who: Actor, workspaceId: string, title = 'Split payments'): Promise<string> {
  const { draft } = await who.post(`/api/workspaces/${workspaceId}/drafts`, { title });
  await who.patch(`/api/workspaces/${draft.id}/components/web`, { name: 'Storefront' });
  await who.post(`/api/workspaces/${draft.id}/components`, {
    id: 'cart',
    typeId: 'service',
    name: 'Cart',
    x: 600,
    y: 340,
  });
  await who.delete(`/api/workspaces/${draft.id}/components/old`);
  return draft.id;
}

/** An editor of a workspace. */
export async function inviteEditor(
  ada: Actor,
  workspaceId: string,
  login: string,
  name: string,
): Promise<Actor> {
  const editor = await ada.invite(`${login}-${workspaceId}`, name);
  const { id: userId } = await editor.get('/api/me');
  await ada.post(`/api/workspaces/${workspaceId}/members`, { userId, role: 'editor' });
  return editor;
}

export const names = async (who: Actor, id: string): Promise<string[]> =>
  (await who.get(`/api/workspaces/${id}`)).components.map(({ name }: { name: string }) => name).sort();
