/** Phones in portrait orientation, tablets and small laptops: all elements are visible and reachable. */
import type { Locator, Page } from '@playwright/test';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { component, openMap } from './support/map.ts';
import { visit } from './support/visit.ts';
import { searchByKeyboard, wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const PHONE = { width: 390, height: 844 };
const TABLET = { width: 1024, height: 768 };

function zoomOf(page: Page): Promise<number> {
  return page
    .getByRole('button', { name: /Zoom to 100%/ })
    .textContent()
    .then((text) => Number.parseInt(text ?? '', 10));
}

/** Whether a component is completely visible above a panel. */
async function isAbove(page: Page, id: string, sheet: Locator): Promise<void> {
  const component = page.locator(`[data-component="${id}"]`);
  await expect(component).toBeInViewport({ ratio: 0.999 });
  await expect
    .poll(async () => {
      const [box, cover] = await Promise.all([component.boundingBox(), sheet.boundingBox()]);
      return (cover?.y ?? 0) - (box ? box.y + box.height : Number.POSITIVE_INFINITY);
    })
    .toBeGreaterThan(0);
}

/** Clicks without scrolling, so that the click fails if something covers the element. */
function isReached(element: Locator): Promise<void> {
  return element.click({ trial: true });
}

/** Closing a comparison and the tools of the map are not covered, also while a layout is shown. */
async function expectToolsReached(page: Page): Promise<void> {
  const sheet = page.getByRole('region', { name: 'Changes' });
  await expect(sheet.getByText('Parsoid', { exact: true })).toBeVisible();
  for (const name of ['Zoom in', 'Zoom out', 'Zoom to fit']) {
    await isReached(page.getByRole('button', { name, exact: true }));
  }
  await isReached(sheet.getByRole('button', { name: 'Close comparison' }));
  await page.getByRole('button', { name: 'Arrange', exact: true }).click();
  await page.getByRole('menuitem', { name: /Layered layout/ }).click();
  await expect(page.getByRole('button', { name: 'Apply' })).toBeVisible();
  await isReached(page.getByRole('button', { name: 'Zoom in', exact: true }));
}

/** A workspace in which a component was deleted. */
async function createChanged(ada: Actor): Promise<string> {
  const id = await wikipedia(ada);
  await ada.delete(`/api/workspaces/${id}/components/parsoid`);
  return id;
}

test('on a phone the map, its panels, comparisons and the table fit', async ({ page, ada }) => {
  await page.setViewportSize(PHONE);
  const [id, changed] = [await wikipedia(ada), await createChanged(ada)];
  const inspector = page.getByRole('complementary', { name: 'Inspector' });

  await test.step('the map opens at a readable zoom, with a Zoom to fit button', async () => {
    await ada.open(page, `${HOME}/${id}`);
    await expect(page.locator('[data-component="mediawiki"]')).toBeInViewport();
    expect(await zoomOf(page)).toBe(60);
    await page.getByRole('button', { name: 'Zoom to fit', exact: true }).click();
    await expect.poll(() => zoomOf(page)).toBeLessThan(20);
  });

  await test.step('the panels are initially closed, and a selected component replaces the side panel', async () => {
    await page.getByRole('button', { name: 'Show side panel' }).click();
    await page.getByRole('combobox', { name: 'Find on map' }).fill('parsoid');
    await page.keyboard.press('Enter');
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('Parsoid');
    await expect(page.getByRole('complementary', { name: 'Side panel' })).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const { width = 0 } = (await inspector.boundingBox()) ?? {};
    expect(width).toBeLessThanOrEqual(390);
  });

  await test.step('all table tools are visible', async () => {
    await visit(page, `${HOME}/${id}/table`);
    for (const name of ['Filter', 'Columns', 'CSV', 'Import CSV', 'Add']) {
      const tool = page.getByRole('button', { name, exact: true });
      await expect(tool).toBeInViewport({ ratio: 0.999 });
      await isReached(tool);
    }
    await expect(page.getByRole('searchbox', { name: 'Search components' })).toBeInViewport({ ratio: 0.999 });
  });

  await test.step('the impact view shows the map above the list', async () => {
    await visit(page, `${HOME}/${id}?impact=mediawiki`);
    const sheet = page.getByRole('region', { name: /^What depends on “/ });
    await expect(sheet.getByRole('status')).toContainText('depend');
    await isAbove(page, 'mediawiki', sheet);
    await isReached(page.getByRole('button', { name: 'Zoom in', exact: true }));
  });

  await test.step('a comparison shows the changes, not covered by a panel', async () => {
    const far = { id: 'far', typeId: 'service', name: 'Far away', x: 6000, y: 4000 };
    await ada.post(`/api/workspaces/${id}/components`, far);
    await visit(page, `${HOME}/${id}/table`);
    await visit(page, `${HOME}/${id}?since=1`);
    const sheet = page.getByRole('region', { name: 'Changes' });
    await expect(sheet.getByText('Far away')).toBeVisible();
    await isAbove(page, 'far', sheet);
    expect(await zoomOf(page)).toBeGreaterThanOrEqual(60);
    // Selecting a listed component pans it into view.
    await page.getByRole('button', { name: 'Zoom to fit', exact: true }).click();
    await sheet.getByRole('button', { name: /Far away/ }).click();
    await isAbove(page, 'far', sheet);
  });

  await test.step('a comparison covers no tools', async () => {
    await visit(page, `${HOME}/${changed}?since=1`);
    await expectToolsReached(page);
  });
});

test('on a tablet the inspector, comparisons and the table tools fit', async ({ page, ada }) => {
  await page.setViewportSize(TABLET);
  const [id, changed] = [await wikipedia(ada), await createChanged(ada)];
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await openMap(page, ada, [{ id: 'web', x: 640, y: 200 }]);

  await test.step('the inspector does not cover a newly selected component', async () => {
    const web = component(page, 'web');
    await web.click();
    await expect(inspector).toBeVisible();
    await expect
      .poll(async () => {
        const [box, cover] = await Promise.all([web.boundingBox(), inspector.boundingBox()]);
        return (cover?.x ?? 0) - (box ? box.x + box.width : Number.POSITIVE_INFINITY);
      })
      .toBeGreaterThan(0);
  });

  await test.step('the inspector opens and closes with the selection', async () => {
    await visit(page, `${HOME}/${id}?at=400,200,1`);
    await expect(page.getByRole('heading', { name: 'How Wikipedia works', level: 1 })).toBeVisible();
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    await expect(inspector).toBeHidden();
    await searchByKeyboard(page, 'parsoid');
    await page.getByRole('option', { name: /Parsoid/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('Parsoid');
    await page.getByRole('main').focus();
    await page.keyboard.press('Escape');
    await expect(inspector).toBeHidden();
  });

  await test.step('the table tools are on one row, with filters in a popover', async () => {
    await visit(page, `${HOME}/${id}/table`);
    const tops = async () => {
      const boxes = await Promise.all(
        ['Filter', 'Columns', 'CSV', 'Import CSV', 'Add'].map((name) =>
          page.getByRole('button', { name, exact: true }).boundingBox(),
        ),
      );
      return boxes.map((box) => box?.y);
    };
    await page.getByRole('button', { name: 'Add', exact: true }).waitFor();
    expect(new Set(await tops()).size).toBe(1);
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
    await page.getByLabel('Type', { exact: true }).selectOption('Database');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Filter (1)' })).toBeFocused();
    await expect(page.getByText('5 of 36')).toBeVisible();
  });

  await test.step('a comparison covers no tools', async () => {
    await visit(page, `${HOME}/${changed}?since=1`);
    await expectToolsReached(page);
  });
});

test('on a phone undo, redo and gestures work by touch', async ({ browser, ada }) => {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const id = await openMap(page, ada, [{ id: 'web', x: 400, y: 200 }]);

  await test.step('an edit is undone and redone', async () => {
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await expect(undo).toHaveAttribute('aria-disabled', 'true');
    await component(page, 'web').tap();
    await page.getByRole('button', { name: 'Show inspector' }).tap();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Shop');
    await name.blur();
    await page.getByRole('button', { name: 'Hide inspector' }).tap();
    await expect(component(page, 'web')).toContainText('Shop');
    await expect(undo).toHaveAttribute('title', /^Undo: Rename/);
    await undo.tap();
    await expect(component(page, 'web')).toContainText('web');
    await page.getByRole('button', { name: 'Redo', exact: true }).tap();
    await expect(component(page, 'web')).toContainText('Shop');
    await expect.poll(async () => (await ada.get(`/api/workspaces/${id}`)).components[0].name).toBe('Shop');
  });
  await test.step('one finger pans, selects, and drags a selected component, two fingers zoom', async () => {
    const large = await wikipedia(ada);
    await visit(page, `${HOME}/${large}`);
    const wiki = page.locator('[data-component="mediawiki"]');
    await expect(wiki).toBeInViewport();
    const session = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], finger) => ({ x, y, id: finger })),
      });
    const drag = async ([x, y]: [number, number], by: [number, number]) => {
      await touch('touchStart', [x, y]);
      for (let step = 1; step <= 10; step += 1) {
        await touch('touchMove', [x + (by[0] * step) / 10, y + (by[1] * step) / 10]);
      }
      await touch('touchEnd');
    };
    const place = async () => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await wiki.boundingBox()) ?? {};
      return {
        x: Math.round(x),
        y: Math.round(y),
        middle: [x + width / 2, y + height / 2] as [number, number],
      };
    };
    const stored = async () => {
      const { component } = await ada.get(`/api/workspaces/${large}/components/mediawiki`);
      return { x: component.x, y: component.y };
    };
    const before = await stored();

    // On the background and on components that are not selected.
    const first = await place();
    await drag([200, 700], [30, 60]);
    await expect.poll(place).toMatchObject({ x: first.x + 30, y: first.y + 60 });
    await drag((await place()).middle, [-20, 40]);
    await expect.poll(place).toMatchObject({ x: first.x + 10, y: first.y + 100 });
    expect(await stored()).toEqual(before);

    const zoom = await zoomOf(page);
    await touch('touchStart', [180, 400]);
    await touch('touchStart', [180, 400], [210, 400]);
    for (let step = 1; step <= 6; step += 1) {
      await touch('touchMove', [180 - step * 2, 400], [210 + step * 2, 400]);
    }
    await touch('touchEnd');
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(zoom * 1.4);

    await page.touchscreen.tap(...(await place()).middle);
    await expect(page).toHaveURL(/c=mediawiki/);
    await drag((await place()).middle, [60, 60]);
    await expect.poll(stored).not.toEqual(before);

    // A double tap opens the inspector without an on-screen keyboard.
    const [x, y] = (await place()).middle;
    await page.touchscreen.tap(x, y);
    await page.touchscreen.tap(x, y);
    const name = page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Name', { exact: true });
    await expect(name).toHaveValue('MediaWiki');
    await expect(name).not.toBeFocused();
  });
  await context.close();
});
