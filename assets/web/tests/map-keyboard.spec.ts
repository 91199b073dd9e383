import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, openMap, placeOf } from './support/map.ts';
import { visitMap } from './support/visit.ts';

test('a map is drawn, walked through and rearranged using only the keyboard', async ({ page, ada }) => {
  await test.step('a small map is drawn using only the keyboard', async () => {
    await openMap(page, ada, []);
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.type('Web shop');
    await page.keyboard.press('Enter');
    await expect(component(page, 'web-shop')).toBeFocused();
    // Add a connected component to the right, and another one below it.
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.type('Orders');
    await page.keyboard.press('Enter');
    await expect(component(page, 'orders')).toBeFocused();
    await page.keyboard.press('Control+ArrowDown');
    await page.keyboard.type('Store');
    await page.keyboard.press('Enter');
    await expect(component(page, 'store')).toBeFocused();
    await expect(component(page, 'orders')).toHaveAccessibleName('Orders, Service, 2 relationships');
    // Move back along the relationships.
    await page.keyboard.press('Alt+ArrowUp');
    await expect(component(page, 'orders')).toBeFocused();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect(component(page, 'web-shop')).toBeFocused();
    await page.keyboard.press('F2');
    await page.keyboard.type('Shop window');
    await page.keyboard.press('Enter');
    await expect(component(page, 'web-shop')).toHaveAccessibleName('Shop window, Service, 1 relationship');
    await expect(component(page, 'web-shop')).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(component(page, 'web-shop')).toBeHidden();
    await expect(component(page, 'orders')).toHaveAccessibleName('Orders, Service, 1 relationship');
  });

  await test.step('Tab moves through the components in reading order and then leaves the map', async () => {
    await visitMap(page, ada, [
      { id: 'right', x: 500, y: 110 },
      { id: 'left', x: 100, y: 100 },
      { id: 'below', x: 100, y: 4000 },
    ]);
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(component(page, 'left')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(component(page, 'right')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(component(page, 'below')).toBeFocused();
    await expect(component(page, 'below')).toBeInViewport();
    await page.keyboard.press('Shift+Tab');
    await expect(component(page, 'right')).toBeInViewport();
    await page.keyboard.press('Tab');
    await expect(component(page, 'below')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('[data-component]:focus')).toHaveCount(0);
  });

  await test.step('arrow keys move components, and holding a key is one undo step', async () => {
    await visitMap(page, ada, [{ id: 'web', x: 300, y: 160 }]);
    const before = await placeOf(page, 'web');
    await component(page, 'web').click();
    await page.keyboard.down('ArrowRight');
    for (let turn = 0; turn < 7; turn++) await page.keyboard.down('ArrowRight');
    await page.keyboard.up('ArrowRight');
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 40, y: before.y });
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 40, y: before.y + 100 });
    await page.keyboard.press('Control+z');
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 40, y: before.y });
    await page.keyboard.press('Control+z');
    await expect.poll(() => placeOf(page, 'web')).toEqual(before);
  });

  await test.step('a layout is previewed, canceled with Escape, and undone as one step', async () => {
    const spots = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, x: 200 + at * 20, y: 160 + at * 20 }));
    await visitMap(page, ada, spots, [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'd'],
    ]);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('menuitem', { name: /^Layered layout: all/ }).click();
    const bar = page.getByRole('region', { name: 'Layout preview' });
    await expect(bar.getByText('Preview: new layout for 4 components')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bar).toBeHidden();
    // The end of a preview zooms to fit, at any time before or after the first key.
    const distance = async () => {
      await page.keyboard.press('Shift+0');
      return (await placeOf(page, 'b')).x - (await placeOf(page, 'a')).x;
    };
    await expect.poll(distance).toBe(20);
    await page.keyboard.press('Alt+Shift+O');
    await bar.getByLabel('Layout style').selectOption('layered');
    await expect(bar.getByRole('button', { name: 'From left to right' })).toBeVisible();
    await bar.getByRole('button', { name: 'Apply' }).click();
    await expect(bar).toBeHidden();
    await expect.poll(distance).toBeGreaterThan(180);
    await page.keyboard.press('Control+z');
    await expect.poll(distance).toBe(20);
  });
});

test('the map is accessible, and links to it select components or say what no longer exists', async ({
  page,
  ada,
}) => {
  await test.step('the URL contains the selection and position', async () => {
    await openMap(page, ada, [
      { id: 'a/b +漢字', x: 300, y: 160, name: 'Odd' },
      { id: 'far', x: 5000, y: 3000 },
    ]);
    await page.getByRole('button', { name: /^Odd/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('c')).toBe('a/b +漢字');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toMatch(/,200,1\.25$/);
    await page.reload();
    const component = page.getByRole('button', { name: /^Odd/ });
    await expect(component).toHaveAttribute('aria-pressed', 'true');
    await expect(component).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Zoom level 125%. Zoom to 100%' })).toBeVisible();
    await expect.poll(() => new URL(page.url()).searchParams.get('c')).toBe('a/b +漢字');
  });

  await test.step('a link to deleted items shows a message with a link to the history', async () => {
    await visitMap(page, ada, [{ id: 'web', x: 240, y: 120 }], [], '?c=gone');
    await expect(page.getByText('Some items in this link no longer exist')).toBeVisible();
    await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'false');
  });

  await test.step('the map is accessible in both themes', async () => {
    await visitMap(
      page,
      ada,
      [
        { id: 'shop', x: 0, y: 0, typeId: 'system' },
        { id: 'web', x: 200, y: 160, lifecycle: 'live' },
        { id: 'api', x: 480, y: 160, lifecycle: 'retired', name: 'x'.repeat(200) },
      ],
      [
        ['shop', 'web', 'contains'],
        ['web', 'api'],
      ],
    );
    await component(page, 'web').click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
    await page.keyboard.press('F2');
    await expect(page.getByLabel('New name of web')).toBeFocused();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
  });
});
