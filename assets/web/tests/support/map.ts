/** Creates maps with the API, opens them in a page, and performs pointer gestures on them. */
import type { Locator, Page } from '@playwright/test';
import type { Actor } from './actor.ts';

export interface TestComponent {
  id: string;
  x: number;
  y: number;
  typeId?: string;
  name?: string;
  lifecycle?: string;
}

/** A relationship: source, target and type (`uses` by default). */
export type RelationshipSpec = readonly [string, string, string?];

let createdMaps = 0;

/** Creates a map. Returns the ID and the name of its workspace, both of which no other map has. */
export async function createMap(
  who: Actor,
  spots: readonly TestComponent[],
  links: readonly RelationshipSpec[] = [],
): Promise<{ id: string; name: string }> {
  const id = `map-${process.pid}-${++createdMaps}`;
  const name = `Map ${createdMaps}`;
  await who.put(`/api/workspaces/${id}/bulk`, {
    workspace: { name },
    components: spots.map(({ id: spotId, x, y, typeId = 'service', name = spotId, lifecycle }) => ({
      id: spotId,
      typeId,
      name,
      x,
      y,
      properties: lifecycle ? { lifecycle } : {},
    })),
    relationships: links.map(([sourceId, targetId, typeId = 'uses']) => ({ sourceId, targetId, typeId })),
  });
  return { id, name };
}

/** Creates a map and opens it. Returns the ID of its workspace. */
export async function openMap(
  page: Page,
  who: Actor,
  spots: readonly TestComponent[],
  links: readonly RelationshipSpec[] = [],
  query = '?at=400,200,1',
): Promise<string> {
  const { id } = await createMap(who, spots, links);
  await who.open(page, `/o/analytical-engines/w/${id}${query}`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  return id;
}

export function component(page: Page, id: string): Locator {
  return page.locator(`[data-component="${id}"]`);
}

/** The position of a component on the screen. */
export async function placeOf(page: Page, id: string): Promise<{ x: number; y: number }> {
  const box = await component(page, id).boundingBox();
  if (!box) throw new Error(`${id} is not on the screen`);
  return { x: Math.round(box.x), y: Math.round(box.y) };
}

/** The screen position at an offset from the center of the map. */
export async function fromMiddle(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await page.getByRole('region', { name: 'Map', exact: true }).boundingBox();
  if (!box) throw new Error('there is no map');
  return { x: box.x + box.width / 2 + x, y: box.y + box.height / 2 + y };
}

/** Drags from one point to another in steps. */
export async function dragTo(
  page: Page,
  from: { x: number; y: number },
  to: { x: number; y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
