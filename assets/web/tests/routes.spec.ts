/** Routing of lines around components, and what a reload keeps: the routes, straight lines and the selection. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, dragTo, openMap, placeOf } from './support/map.ts';
import { visitMap } from './support/visit.ts';

const THREE = [
  { id: 'web', x: 100, y: 160 },
  { id: 'api', x: 400, y: 160 },
  { id: 'db', x: 700, y: 160 },
];

/** Whether there is a line at a point on the screen. */
async function hasLine(page: Page, x: number, y: number): Promise<boolean> {
  // Move twice, because the map only checks for lines on pointer movement.
  await page.mouse.move(x + 1, y);
  await page.mouse.move(x, y);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.locator('[data-canvas]').evaluate((canvas) => canvas.dataset.over === 'line');
}

test('a line is routed around components, and rerouted when one is dragged onto it', async ({
  page,
  ada,
}) => {
  await openMap(
    page,
    ada,
    [...THREE.filter(({ id }) => id !== 'api'), { id: 'api', x: 400, y: 360 }],
    [['web', 'db']],
  );

  await test.step('a line is rerouted when a component is dragged onto it', async () => {
    const web = await placeOf(page, 'web');
    const middle = { x: web.x + 250, y: web.y + 32 };
    await expect.poll(() => hasLine(page, middle.x, middle.y)).toBe(true);
    const api = await placeOf(page, 'api');
    await dragTo(page, { x: api.x + 60, y: api.y + 30 }, { x: api.x + 60, y: web.y + 30 });
    await expect.poll(() => hasLine(page, middle.x, middle.y)).toBe(false);
    await page.keyboard.press('Control+z');
    await expect.poll(() => hasLine(page, middle.x, middle.y)).toBe(true);
  });

  await test.step('dragging a component while a line is selected selects only the component', async () => {
    await visitMap(page, ada, THREE.slice(0, 2), [['web', 'api']]);
    const [web, api] = [await placeOf(page, 'web'), await placeOf(page, 'api')];
    await page.mouse.click((web.x + 180 + api.x) / 2, web.y + 32);
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByRole('heading', { name: 'web uses api' })).toBeVisible();
    await dragTo(page, { x: api.x + 60, y: api.y + 30 }, { x: api.x + 60, y: api.y + 130 });
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('api');
    await page.keyboard.press('Escape');
  });

  await test.step('a line is routed around a component between its ends, or straight if selected', async () => {
    await visitMap(page, ada, THREE, [['web', 'db']]);
    await component(page, 'web').waitFor();
    const web = await placeOf(page, 'web');
    const api = await placeOf(page, 'api');
    // Straight lines cross the gap between the cards at half their height, while this line leaves at the top or bottom.
    const gap = { x: (web.x + 180 + api.x) / 2, y: web.y + 32 };
    expect(await hasLine(page, gap.x, gap.y)).toBe(false);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('straight lines');
    await page.keyboard.press('Enter');
    await expect.poll(() => hasLine(page, gap.x, gap.y)).toBe(true);
    await page.reload();
    await component(page, 'web').waitFor();
    await expect.poll(() => hasLine(page, gap.x, gap.y)).toBe(true);
  });
});

test('a reload keeps the routes, and the selection right after a click', async ({ page, ada }) => {
  const id = await openMap(page, ada, THREE, [
    ['web', 'db'],
    ['web', 'api'],
    ['db', 'api', 'calls'],
  ]);
  const api = await placeOf(page, 'api');
  await dragTo(page, { x: api.x + 60, y: api.y + 30 }, { x: api.x + 100, y: api.y + 190 });
  await expect(page.getByRole('button', { name: /^Saved/ })).toBeVisible();
  /** Selects a component, reloads the page at once, and returns the stored routes. */
  const reloadWith = async (selected: string) => {
    await component(page, selected).click();
    await page.reload();
    await expect(component(page, selected)).toHaveAttribute('aria-pressed', 'true');
    return page.evaluate((key) => sessionStorage.getItem(key), `planroom.routes.${id}`);
  };
  const before = await reloadWith('web');
  expect(Object.keys(JSON.parse(before ?? '{}')).length).toBeGreaterThan(0);
  // Stored again by the page that has loaded them.
  expect(await reloadWith('api')).toBe(before);
  await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'false');
});
