/** Opens pages in a window that has already loaded the client, as links do. Loading the client again takes seconds. */
import { expect, type Page } from '@playwright/test';
import type { Actor } from './actor.ts';
import { createMap, type RelationshipSpec, type TestComponent } from './map.ts';

export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
}

/** Creates another map and opens it. Returns the ID of its workspace. */
export async function visitMap(
  page: Page,
  who: Actor,
  spots: readonly TestComponent[],
  links: readonly RelationshipSpec[] = [],
  query = '?at=400,200,1',
): Promise<string> {
  const { id, name } = await createMap(who, spots, links);
  await visit(page, `/o/analytical-engines/w/${id}${query}`);
  // Until the new workspace is loaded, the map of the previous one is shown.
  await expect(page).toHaveTitle(`${name} · Planroom`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  return id;
}
