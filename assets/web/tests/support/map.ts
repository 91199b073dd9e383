/** Maps for stories: made over the API, opened in a page, and touched where their components are. */
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

/** A line: from, to, and its type (`uses` unless told). */
export type Link = readonly [string, string, string?];

let made = 0;

/** Makes a map and opens it. Answers its workspace's id. */
export async function openMap(
  page: Page,
  who: Actor,
  spots: readonly TestComponent[],
  links: readonly Link[] = [],
  query = '?at=400,200,1',
): Promise<string> {
  const id = `map-${process.pid}-${++made}`;
  await who.put(`/api/workspaces/${id}/bulk`, {
    workspace: { name: `Map ${made}` },
    components: spots.map(({ id: one, x, y, typeId = 'service', name = one, lifecycle }) => ({
      id: one,
      typeId,
      name,
      x,
      y,
      properties: lifecycle ? { lifecycle } : {},
    })),
    relationships: links.map(([sourceId, targetId, typeId = 'uses']) => ({ sourceId, targetId, typeId })),
  });
  await who.open(page, `/o/analytical-engines/w/${id}${query}`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  return id;
}

/** A component on the map. */
export function component(page: Page, id: string): Locator {
  return page.locator(`[data-component="${id}"]`);
}

/** Where a component is on the screen. */
export async function placeOf(page: Page, id: string): Promise<{ x: number; y: number }> {
  const box = await component(page, id).boundingBox();
  if (!box) throw new Error(`${id} is not on the screen`);
  return { x: Math.round(box.x), y: Math.round(box.y) };
}

/** A point of the screen that is so far from the middle of the map. */
export async function fromMiddle(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await page.getByRole('region', { name: 'Map', exact: true }).boundingBox();
  if (!box) throw new Error('there is no map');
  return { x: box.x + box.width / 2 + x, y: box.y + box.height / 2 + y };
}

/** Presses at one point, goes to another in steps, and lets go. */
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
