/** Creates views and tours with the API. */
import { expect, type Page } from '@playwright/test';
import type { Actor } from './actor.ts';
import { createMap, dragTo, placeOf, type RelationshipSpec, type TestComponent } from './map.ts';
import { visit } from './visit.ts';

export interface TestView {
  id: string;
  name: string;
  include?: readonly unknown[];
  exclude?: readonly unknown[];
  layout?: 'shared' | 'own';
  outside?: 'hidden' | 'stubs';
  colorBy?: string;
  collapsed?: readonly string[];
}

/** Three components in a row, and what they call. */
export const SHOP: readonly TestComponent[] = [
  { id: 'web', x: 0, y: 0 },
  { id: 'orders', x: 300, y: 0 },
  { id: 'payments', x: 600, y: 0 },
  { id: 'ledger', x: 900, y: 0, typeId: 'database' },
];
export const CALLS: readonly RelationshipSpec[] = [
  ['web', 'orders'],
  ['orders', 'payments'],
  ['payments', 'ledger'],
];

/** Creates a map with views. Returns the ID of its workspace. */
export async function createViews(who: Actor, ...views: readonly TestView[]): Promise<string> {
  const { id } = await createMap(who, SHOP, CALLS);
  for (const one of views) await createView(who, id, one);
  return id;
}

/** Creates a map with views and opens it, or one of the views. Returns the ID of its workspace. */
export async function openViews(
  page: Page,
  who: Actor,
  views: readonly TestView[],
  view?: string,
): Promise<string> {
  const id = await createViews(who, ...views);
  const path = `/o/analytical-engines/w/${id}`;
  await who.open(page, view === undefined ? `${path}?at=400,200,1` : `${path}/v/${view}`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  return id;
}

export async function createView(
  who: Actor,
  workspaceId: string,
  { id, name, include = [], exclude = [], layout = 'shared', ...rest }: TestView,
): Promise<void> {
  const definition = { include, exclude, ...rest };
  await who.post(`/api/workspaces/${workspaceId}/views`, { id, name, definition, layout });
}

/** Opens a view by its address. The page is already signed in. */
export async function openView(page: Page, who: Actor, workspaceId: string, view: string): Promise<void> {
  await page.goto(`${who.url}/o/analytical-engines/w/${workspaceId}/v/${view}`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
}

/** Opens a view, or the map itself, from another page of the client. */
export async function visitView(page: Page, workspaceId: string, view?: string): Promise<void> {
  const path = `/o/analytical-engines/w/${workspaceId}`;
  await visit(page, view === undefined ? path : `${path}/v/${view}`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
}

/** Drags a component by its card. */
export async function dragCard(page: Page, id: string, x: number, y: number): Promise<void> {
  const at = await placeOf(page, id);
  await dragTo(page, { x: at.x + 40, y: at.y + 20 }, { x: at.x + 40 + x, y: at.y + 20 + y });
}

/** The stored view. Waits for it, because a new view is shown before it is stored. */
export async function storedView(who: Actor, workspaceId: string, id: string) {
  const ids = async () =>
    (await who.get(`/api/workspaces/${workspaceId}/views`)).views.map((view: { id: string }) => view.id);
  await expect.poll(ids).toContain(id);
  return (await who.get(`/api/workspaces/${workspaceId}/views/${id}`)).view;
}

/** The stored positions of a view, by component. */
export async function storedPlaces(
  who: Actor,
  workspaceId: string,
  id: string,
): Promise<Record<string, { x: number; y: number }>> {
  const { viewPlaces } = await who.get(`/api/workspaces/${workspaceId}?include=views`);
  const own = viewPlaces.filter((place: { viewId: string }) => place.viewId === id);
  return Object.fromEntries(
    own.map(({ componentId, x, y }: { componentId: string; x: number; y: number }) => [
      componentId,
      { x, y },
    ]),
  );
}

/** The position of a component on the map itself. */
export async function mapPosition(
  who: Actor,
  workspaceId: string,
  id: string,
): Promise<{ x: number; y: number }> {
  const { component } = await who.get(`/api/workspaces/${workspaceId}/components/${id}`);
  return { x: component.x, y: component.y };
}
