/** Where components are drawn that users add without choosing a position. */
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { component, openMap, placeOf } from './support/map.ts';
import { visit } from './support/visit.ts';

interface Placed {
  id: string;
  x: number;
  y: number;
}

const PARTS = ['web', 'api', 'mail'].map((part) => ['area', part, 'contains'] as const);

/** The positions of components on the server, by ID. */
async function stored(ada: Actor, id: string): Promise<Record<string, [number, number]>> {
  const { components } = await ada.get(`/api/workspaces/${id}`);
  return Object.fromEntries((components as Placed[]).map(({ id, x, y }) => [id, [x, y]]));
}

test('components added without a position are placed by the server: on the map, in the table, and from a file', async ({
  page,
  ada,
}) => {
  const id = await openMap(
    page,
    ada,
    [
      { id: 'area', x: 0, y: 0 },
      { id: 'web', x: 20, y: 60 },
      { id: 'api', x: 280, y: 60 },
      { id: 'mail', x: 20, y: 220 },
    ],
    PARTS,
  );
  // On the map, a component is shown in the free cell of the group that the server chooses, before and after it answers.
  await page.route('**/operations', async (route) => {
    expect(route.request().postDataJSON().operations[0].row).not.toHaveProperty('x');
    await held;
    await route.continue();
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await component(page, 'web').click();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Component name')).toBeFocused();
  await page.getByLabel('Component name').fill('Orders');
  await page.keyboard.press('Enter');
  await expect(component(page, 'orders')).toBeVisible();
  const [before, api, mail] = [
    await placeOf(page, 'orders'),
    await placeOf(page, 'api'),
    await placeOf(page, 'mail'),
  ];
  expect([before.x, before.y]).toEqual([api.x, mail.y]);
  expect(await stored(ada, id)).not.toHaveProperty('orders');
  release();
  await expect.poll(async () => (await stored(ada, id)).orders).toEqual([280, 220]);
  await expect(page.getByRole('button', { name: /^Saved/ })).toBeVisible();
  expect(await placeOf(page, 'orders')).toEqual(before);

  await page.keyboard.press('Control+z');
  await expect(component(page, 'orders')).toBeHidden();
  await expect.poll(async () => Object.keys(await stored(ada, id))).toEqual(['area', 'web', 'api', 'mail']);

  await page.unroute('**/operations');
  await visit(page, `/o/analytical-engines/w/${id}/table`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = dialogOn(page);
  await dialog.getByLabel('Name').fill('Orders');
  await dialog.getByRole('button', { name: 'Add component' }).click();
  // Right of the last component, as for any other client.
  await expect.poll(async () => (await stored(ada, id)).orders).toEqual([540, 0]);

  const text = 'Name,Part of\nPayments,area\nBilling,area\n';
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'parts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await dialogOn(page).getByRole('button', { name: 'Import 2 components' }).click();
  await expect.poll(async () => (await stored(ada, id)).payments).toEqual([280, 220]);
  // The group grows down, because a component is on its right.
  expect((await stored(ada, id)).billing).toEqual([20, 360]);
});
