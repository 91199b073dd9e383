import { expect, test } from './support/fixtures.ts';
import { component, dragTo, fromMiddle, openMap, placeOf } from './support/map.ts';
import { visitMap } from './support/visit.ts';

test('components are added, dragged and found again with the mouse', async ({ page, ada }) => {
  await test.step('double-clicking an empty map adds a component and edits its name', async () => {
    await openMap(page, ada, []);
    await expect(page.getByText('This map is empty')).toBeVisible();
    const spot = await fromMiddle(page, -300, -200);
    await page.mouse.dblclick(spot.x, spot.y);
    await page.getByLabel('Component name').fill('Order desk <script>alert(1)</script>');
    await page.keyboard.press('Enter');
    const added = page.getByRole('button', { name: /^Order desk <script>alert\(1\)<\/script>, Service/ });
    await expect(added).toBeVisible();
    await expect(added).toHaveAttribute('aria-pressed', 'true');
    await expect(added).toHaveAttribute('data-component', 'order-desk-script-alert-1-script');
  });

  await test.step('a name that is too long stays in the field, with an error', async () => {
    await visitMap(page, ada, []);
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    const name = page.getByLabel('Component name');
    await name.fill('x'.repeat(10_000));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText(/Name must have at most 200 characters, has 10,000/);
    await name.fill('Billing');
    await page.keyboard.press('Enter');
    await expect(component(page, 'billing')).toBeVisible();
  });

  await test.step('dragging snaps to the grid, and undo reverts the move', async () => {
    await visitMap(page, ada, [{ id: 'web', x: 300, y: 160 }]);
    const before = await placeOf(page, 'web');
    await dragTo(page, { x: before.x + 60, y: before.y + 30 }, { x: before.x + 193, y: before.y + 118 });
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 140, y: before.y + 80 });
    await page.keyboard.press('Control+z');
    await expect.poll(() => placeOf(page, 'web')).toEqual(before);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 140, y: before.y + 80 });
  });

  await test.step('Escape cancels a drag', async () => {
    const before = await placeOf(page, 'web');
    await page.mouse.move(before.x + 60, before.y + 30);
    await page.mouse.down();
    await page.mouse.move(before.x + 160, before.y + 130, { steps: 5 });
    await expect.poll(() => placeOf(page, 'web')).not.toEqual(before);
    await page.keyboard.press('Escape');
    await expect.poll(() => placeOf(page, 'web')).toEqual(before);
    await page.mouse.up();
    expect(await placeOf(page, 'web')).toEqual(before);
  });

  await test.step('dragging empty space pans and the wheel zooms out to the overview', async () => {
    const before = await placeOf(page, 'web');
    const empty = await fromMiddle(page, -400, 200);
    await dragTo(page, empty, { x: empty.x + 90, y: empty.y - 50 });
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 90, y: before.y - 50 });
    await page.mouse.wheel(0, 400);
    await expect(page.getByRole('button', { name: 'Zoom level 100%. Zoom to 100%' })).toBeHidden();
    for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, 600);
    await expect(component(page, 'web')).toBeHidden();
    await page.keyboard.press('Shift+1');
    await expect(component(page, 'web')).toBeVisible();
  });
});

test('components are connected, selected, grouped and copied', async ({ page, context, ada }) => {
  await test.step('dragging a handle to another component connects them and edits the label on the line', async () => {
    await openMap(page, ada, [
      { id: 'web', x: 100, y: 160 },
      { id: 'api', x: 500, y: 160 },
    ]);
    await component(page, 'web').hover();
    const handle = page.locator('[data-handle="web"][data-side="right"]');
    const from = await handle.boundingBox();
    const to = await placeOf(page, 'api');
    if (!from) throw new Error('the handle is not there');
    await dragTo(page, { x: from.x + 6, y: from.y + 6 }, { x: to.x + 60, y: to.y + 30 });
    await expect(page.getByLabel('Relationship label')).toBeFocused();
    await page.keyboard.type('places orders');
    await page.keyboard.press('Tab');
    await page.keyboard.type('calls');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Relationship label')).toBeHidden();
    await expect(page.getByRole('button', { name: /^web, Service, 1 relationship$/ })).toBeVisible();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByRole('heading', { name: 'web calls api' })).toBeVisible();
    await expect(inspector.getByLabel('Label')).toHaveValue('places orders');
    await page.keyboard.press('Delete');
    await expect(page.getByRole('button', { name: /^web, Service$/ })).toBeVisible();
  });

  await test.step('dragging a handle to empty space adds a connected component', async () => {
    await visitMap(page, ada, [{ id: 'web', x: 100, y: 160 }]);
    await component(page, 'web').hover();
    const from = await page.locator('[data-handle="web"][data-side="right"]').boundingBox();
    if (!from) throw new Error('the handle is not there');
    await dragTo(page, { x: from.x + 6, y: from.y + 6 }, { x: from.x + 300, y: from.y + 100 });
    await page.getByLabel('Component name').fill('Queue');
    await expect(page.getByLabel('Component type')).toHaveValue('Queue');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Queue, Queue, 1 relationship' })).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('button', { name: 'web, Service', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Queue/ })).toBeHidden();
  });

  await test.step('Shift+drag selects components, and Escape clears the selection', async () => {
    await visitMap(page, ada, [
      { id: 'one', x: 100, y: 100 },
      { id: 'two', x: 400, y: 100 },
      { id: 'far', x: 400, y: 400 },
    ]);
    const from = await placeOf(page, 'one');
    const to = await placeOf(page, 'two');
    await page.keyboard.down('Shift');
    await dragTo(page, { x: from.x - 40, y: from.y - 40 }, { x: to.x + 30, y: to.y + 40 });
    await page.keyboard.up('Shift');
    await expect(component(page, 'one')).toHaveAttribute('aria-pressed', 'true');
    await expect(component(page, 'two')).toHaveAttribute('aria-pressed', 'true');
    await expect(component(page, 'far')).toHaveAttribute('aria-pressed', 'false');
    await component(page, 'far').click({ modifiers: ['Shift'] });
    await expect(component(page, 'far')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Escape');
    await expect(page.locator('[aria-pressed="true"][data-component]')).toHaveCount(0);
  });

  await test.step('the contents of a group move with it and are hidden when it is collapsed', async () => {
    await visitMap(
      page,
      ada,
      [
        { id: 'shop', x: 0, y: 0, typeId: 'system' },
        { id: 'web', x: 200, y: 160 },
        { id: 'api', x: 480, y: 160 },
        { id: 'mail', x: 480, y: 400 },
      ],
      [
        ['shop', 'web', 'contains'],
        ['shop', 'api', 'contains'],
        ['api', 'mail'],
      ],
    );
    const title = await placeOf(page, 'shop');
    const web = await placeOf(page, 'web');
    await dragTo(page, { x: title.x + 200, y: title.y + 12 }, { x: title.x + 200, y: title.y - 68 });
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: web.x, y: web.y - 80 });
    await page.getByRole('button', { name: 'Collapse shop' }).click();
    await expect(component(page, 'web')).toBeHidden();
    // The line of the hidden component now ends at the group.
    await expect(
      page.getByRole('button', { name: 'shop, System, contains 2, 1 relationship' }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Expand shop' }).click();
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: web.x, y: web.y - 80 });
  });

  await test.step('copied components are pasted with their relationships, and other clipboard content is rejected', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitMap(
      page,
      ada,
      [
        { id: 'web', x: 100, y: 100 },
        { id: 'api', x: 400, y: 100 },
      ],
      [['web', 'api']],
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect(component(page, 'web-2')).toHaveAccessibleName('web, Service, 1 relationship');
    await page.keyboard.press('Control+z');
    await expect(component(page, 'web-2')).toBeHidden();
    await page.evaluate(() => navigator.clipboard.writeText('{"components": [{"id": 7}]}'));
    await page.keyboard.press('Control+v');
    await expect(page.getByText('does not contain components')).toBeVisible();
    // Repeating it replaces the toast.
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Control+v');
    await expect(page.getByText('does not contain components')).toHaveCount(1);
  });

  await test.step('cut, duplicate, align and distribute are one undo step each', async () => {
    await visitMap(page, ada, [
      { id: 'one', x: 100, y: 100 },
      { id: 'two', x: 340, y: 180 },
      { id: 'three', x: 640, y: 300 },
    ]);
    await component(page, 'one').click();
    await page.keyboard.press('Control+d');
    await expect(component(page, 'one-2')).toBeVisible();
    const [from, copy] = [await placeOf(page, 'one'), await placeOf(page, 'one-2')];
    // The copy is as close to the usual offset as it can be without covering the original.
    expect([copy.x - from.x, copy.y - from.y]).toEqual([40, 100]);
    await page.keyboard.press('Control+x');
    await expect(component(page, 'one-2')).toBeHidden();
    await page.keyboard.press('Control+v');
    await expect(component(page, 'one-2')).toBeVisible();
    for (const key of ['z', 'z', 'z']) await page.keyboard.press(`Control+${key}`);
    await expect(page.getByText(/^Undone: Duplicate/)).toBeVisible();
    await expect(page.locator('[data-component]')).toHaveCount(3);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Alt+Shift+T');
    await expect.poll(async () => (await placeOf(page, 'three')).y).toBe(from.y);
    await page.keyboard.press('Alt+Shift+H');
    await expect.poll(async () => (await placeOf(page, 'two')).x - from.x).toBe(270);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await placeOf(page, 'two')).x - from.x).toBe(240);
    await expect.poll(async () => (await placeOf(page, 'three')).y - from.y).toBe(200);
  });
});
