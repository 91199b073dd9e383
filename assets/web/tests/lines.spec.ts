/** The layout of lines: waypoints, shape and label position, by pointer and by keyboard. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { runCommand } from './support/keyboard.ts';
import { component, dragTo, openMap, placeOf } from './support/map.ts';
import { visitMap } from './support/visit.ts';

const SPOTS = [
  { id: 'web', x: 100, y: 160 },
  { id: 'db', x: 600, y: 160 },
];

/** The stored line of the only relationship. */
async function storedLine(ada: Actor, workspace: string) {
  return (await ada.get(`/api/workspaces/${workspace}`)).relationships[0].line ?? null;
}

/** Selects the line between `web` and `db`. Returns a point in the middle of it. */
async function selectLine(page: Page): Promise<{ x: number; y: number }> {
  const web = await placeOf(page, 'web');
  const db = await placeOf(page, 'db');
  const middle = { x: (web.x + 180 + db.x) / 2, y: web.y + 32 };
  await page.mouse.click(middle.x - 60, middle.y);
  await expect(page.getByRole('button', { name: 'Add waypoint' }).first()).toBeVisible();
  return middle;
}

const waypoint = (page: Page, name: string | RegExp = /^Waypoint/) => page.getByRole('button', { name });

test('waypoints are added, moved, copied and removed', async ({ page, ada }) => {
  await test.step('dragging a line adds a waypoint, and a double-click on it removes it', async () => {
    const id = await openMap(page, ada, SPOTS, [['web', 'db']]);
    const middle = await selectLine(page);
    await dragTo(page, { x: middle.x - 60, y: middle.y }, { x: middle.x - 60, y: middle.y + 160 });
    await expect(waypoint(page, 'Waypoint 1 of 1')).toBeFocused();
    await expect.poll(async () => (await storedLine(ada, id))?.via).toHaveLength(1);
    const [[x, y]] = (await storedLine(ada, id)).via;
    expect([x % 20, y % 20]).toEqual([0, 0]);
    expect(y).toBeGreaterThan(300);
    // One undo step.
    await page.keyboard.press('Control+z');
    await expect.poll(() => storedLine(ada, id)).toBeNull();
    await expect(waypoint(page)).toHaveCount(0);
    await page.keyboard.press('Control+Shift+z');
    await expect(waypoint(page)).toBeVisible();
    // Redo without waiting for the response to the undo.
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    await expect(page.getByText(/^Redone/)).toBeVisible();
    await expect(waypoint(page)).toBeVisible();
    await expect.poll(async () => (await storedLine(ada, id))?.via).toHaveLength(1);
    await waypoint(page).dblclick();
    await expect(waypoint(page)).toHaveCount(0);
    await expect.poll(() => storedLine(ada, id)).toBeNull();
  });

  await test.step('waypoints are added, moved and removed using only the keyboard', async () => {
    const id = await visitMap(page, ada, SPOTS, [['web', 'db']]);
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(component(page, 'web')).toBeFocused();
    await page.keyboard.press('r');
    await page.keyboard.press('e');
    await expect(page.getByRole('button', { name: 'Add waypoint' }).first()).toBeFocused();
    await page.keyboard.press('Shift+ArrowDown');
    await expect(waypoint(page, 'Waypoint 1 of 1')).toBeFocused();
    await expect.poll(async () => (await storedLine(ada, id))?.via?.[0]?.[1]).toBe(292);
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await storedLine(ada, id))?.via?.[0]?.[1]).toBe(297);
    await expectAccessible(page);
    await page.keyboard.press('Delete');
    await expect.poll(() => storedLine(ada, id)).toBeNull();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: 'Map', exact: true })).toBeFocused();
  });

  await test.step('waypoints move with the components when both ends are moved, and with copies', async () => {
    const id = await visitMap(page, ada, SPOTS, [['web', 'db']]);
    const middle = await selectLine(page);
    await dragTo(page, { x: middle.x - 60, y: middle.y }, { x: middle.x - 60, y: middle.y + 160 });
    await expect.poll(async () => (await storedLine(ada, id))?.via).toHaveLength(1);
    const [[x, y]] = (await storedLine(ada, id)).via;
    await component(page, 'web').click();
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).components[0].y).toBe(60);
    expect((await storedLine(ada, id)).via).toEqual([[x, y]]);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(async () => (await storedLine(ada, id)).via).toEqual([[x + 100, y]]);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await storedLine(ada, id)).via).toEqual([[x, y]]);
    await page.keyboard.press('Control+d');
    await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).relationships.length).toBe(2);
    const { components, relationships } = await ada.get(`/api/workspaces/${id}`);
    const [original, copy] = components.filter(({ name }: { name: string }) => name === components[0].name);
    const by = { x: copy.x - original.x, y: copy.y - original.y };
    expect(by).not.toEqual({ x: 0, y: 0 });
    expect(relationships.map(({ line }: { line: { via: number[][] } }) => line.via)).toEqual([
      [[x, y]],
      [[x + by.x, y + by.y]],
    ]);
  });
});

test('the route of a line and the position of its label are changed and reset', async ({ page, ada }) => {
  await test.step('a line is straightened, routed and reset from the menu, the inspector and the palette', async () => {
    const id = await openMap(page, ada, SPOTS, [['web', 'db']]);
    const middle = await selectLine(page);
    await dragTo(page, { x: middle.x - 60, y: middle.y }, { x: middle.x - 60, y: middle.y + 160 });
    await expect.poll(async () => (await storedLine(ada, id))?.via).toHaveLength(1);
    await waypoint(page).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Straight line' }).click();
    await expect.poll(() => storedLine(ada, id)).toEqual({ shape: 'straight', via: [] });
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByRole('button', { name: 'Routed line' }).click();
    await expect.poll(() => storedLine(ada, id)).toEqual({ shape: 'routed', via: [] });
    await expect(inspector.getByRole('button', { name: 'Routed line' })).toBeDisabled();
    await runCommand(page, 'reset line');
    await expect.poll(() => storedLine(ada, id)).toBeNull();
  });

  await test.step('the label of a selected line is dragged along it', async () => {
    const id = await visitMap(page, ada, SPOTS, [['web', 'db']]);
    const middle = await selectLine(page);
    const label = page.getByRole('button', { name: 'Label position' });
    const before = await label.boundingBox();
    await dragTo(page, middle, { x: middle.x - 100, y: middle.y + 20 });
    await expect.poll(async () => (await storedLine(ada, id))?.labelPosition).toBeCloseTo(60 / 320, 1);
    expect((await label.boundingBox())?.x).toBeLessThan((before?.x ?? 0) - 60);
    // By keyboard.
    const position = (await storedLine(ada, id)).labelPosition;
    await label.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(async () => (await storedLine(ada, id)).labelPosition).toBeGreaterThan(position + 0.2);
    await page.reload();
    await expect(label).toBeVisible();
    await label.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => storedLine(ada, id)).toBeNull();
  });

  await test.step('a long line of a dense map is routed while it is selected', async () => {
    const columns = 40;
    const spots = Array.from({ length: 800 }, (_, at) => ({
      id: `c${at}`,
      x: (at % columns) * 240,
      y: Math.floor(at / columns) * 160,
    }));
    const near = spots.slice(0, -columns - 1).flatMap(({ id }, at): [string, string][] => [
      [id, `c${at + 1}`],
      [id, `c${at + columns}`],
    ]);
    // Straight, the line would have one piece.
    await visitMap(page, ada, spots, [...near, ['c0', 'c799']], '?at=200,100,1&r=c0-uses-c799');
    await expect.poll(() => page.locator('[data-line-handle^="piece"]').count()).toBeGreaterThan(1);
  });
});
