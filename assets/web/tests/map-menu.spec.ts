/** The context menu of the map, by mouse, touch and keyboard. */
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, fromMiddle, openMap, placeOf } from './support/map.ts';
import { visitMap } from './support/visit.ts';

const SPOTS = [
  { id: 'web', x: 240, y: 120 },
  { id: 'api', x: 520, y: 120 },
];

test('the context menu works by mouse and by keyboard', async ({ page, ada }) => {
  await test.step('a right-click selects a component and opens its context menu', async () => {
    await openMap(page, ada, SPOTS, [['web', 'api']]);
    await component(page, 'web').click();
    await component(page, 'api').click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Context menu' });
    await expect(menu).toBeVisible();
    await expect(component(page, 'api')).toHaveAttribute('aria-pressed', 'true');
    await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'false');
    await expectAccessible(page);
    await menu.getByRole('menuitem', { name: /^Rename/ }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Orders');
    await page.keyboard.press('Enter');
    await expect(component(page, 'api')).toContainText('Orders');
  });

  await test.step('the context menu of empty space adds a component there', async () => {
    const spot = await fromMiddle(page, -120, 200);
    await page.mouse.click(spot.x, spot.y, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Add component here' }).click();
    await page.getByLabel('Component name').fill('Cache');
    await page.keyboard.press('Enter');
    await expect(component(page, 'cache')).toBeVisible();
    const { x, y } = await placeOf(page, 'cache');
    expect(Math.hypot(x + 90 - spot.x, y + 32 - spot.y)).toBeLessThan(40);
  });

  await test.step('the context menu works using only the keyboard, and Escape returns the focus to the map', async () => {
    await visitMap(page, ada, SPOTS);
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(component(page, 'web')).toBeFocused();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu', { name: 'Context menu' });
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(component(page, 'web')).toBeFocused();
    await page.keyboard.press('Shift+F10');
    await expect(menu).toBeVisible();
    await page.keyboard.type('dup');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-component]')).toHaveCount(3);
  });
});

test('a long press opens the context menu, and ending the touch selects nothing', async ({
  browser,
  ada,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const id = `touched-${process.pid}`;
  const components = [{ id: 'web', typeId: 'web-app', name: 'Web', x: 0, y: 0 }];
  await ada.put(`/api/workspaces/${id}/bulk`, { workspace: { name: id }, components, relationships: [] });
  await ada.open(page, `/o/analytical-engines/w/${id}`);
  const web = component(page, 'web');
  await expect(web).toBeInViewport();
  const { x, y } = await placeOf(page, 'web');
  const session = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const spot = { x: x + 40, y: y + 20 };
  const menu = page.getByRole('menu', { name: 'Context menu' });

  // Dragging with one finger still pans.
  await touch('touchStart', spot);
  await touch('touchMove', { x: spot.x + 30, y: spot.y + 60 });
  await touch('touchEnd');
  await expect(menu).toHaveCount(0);

  const now = await placeOf(page, 'web');
  await touch('touchStart', { x: now.x + 40, y: now.y + 20 });
  await expect(menu).toBeVisible();
  await touch('touchEnd');
  await expect(menu).toBeVisible();
  await expect(web).toHaveAttribute('aria-pressed', 'true');
  await menu.getByRole('menuitem', { name: /^Duplicate/ }).tap();
  await expect(page.locator('[data-component]')).toHaveCount(2);
  await context.close();
});

test('the context menu applies to a selection or all groups, and edits are undone with one message', async ({
  page,
  ada,
}) => {
  await test.step('the context menu of a multiple selection applies to all selected components', async () => {
    await openMap(page, ada, SPOTS);
    await component(page, 'web').click();
    await component(page, 'api').click({ modifiers: ['Shift'] });
    await component(page, 'web').click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: /^Rename/ })).toHaveCount(0);
    await expect(page.getByRole('menuitem', { name: /^Align top/ })).toBeVisible();
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    await expect(page.locator('[data-component]')).toHaveCount(0);
  });

  await test.step('all groups collapse and expand at once', async () => {
    await visitMap(
      page,
      ada,
      [{ id: 'shop', x: 0, y: 0, typeId: 'system' }, ...SPOTS],
      [
        ['shop', 'web', 'contains'],
        ['shop', 'api', 'contains'],
      ],
    );
    const spot = await fromMiddle(page, -300, 250);
    await page.mouse.click(spot.x, spot.y, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Collapse all groups' }).click();
    await expect(component(page, 'web')).toBeHidden();
    await page.mouse.click(spot.x, spot.y, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Expand all groups' }).click();
    await expect(component(page, 'web')).toBeVisible();
  });

  await test.step('only the last of several undo messages is shown', async () => {
    await visitMap(page, ada, SPOTS);
    for (const id of ['web', 'api']) {
      await component(page, id).click();
      await page.keyboard.press('Delete');
      await expect(component(page, id)).toHaveCount(0);
    }
    const toast = page.getByRole('dialog', { name: 'Note' }).filter({ hasText: 'Undone' });
    await page.keyboard.press('ControlOrMeta+Z');
    await expect(component(page, 'api')).toBeVisible();
    await expect(toast).toContainText('“api”');
    await page.keyboard.press('ControlOrMeta+Z');
    await expect(component(page, 'web')).toBeVisible();
    await expect(toast).toContainText('“web”');
    await expect(toast).toHaveCount(1);
  });

  await test.step('links of an unsaved copy are not requested', async () => {
    await visitMap(page, ada, SPOTS);
    const unknown: string[] = [];
    page.on('response', (answer) => answer.status() === 404 && unknown.push(answer.url()));
    await component(page, 'web').click();
    const read = page.waitForResponse((answer) => /components\/web-2\/links$/.test(answer.url()));
    await page.keyboard.press('ControlOrMeta+D');
    await read;
    await page.keyboard.press('ControlOrMeta+Z');
    await expect(page.locator('[data-component]')).toHaveCount(2);
    expect(unknown).toEqual([]);
  });
});
