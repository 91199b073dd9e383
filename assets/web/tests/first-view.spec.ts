/** The initial view of a map: as much of it as is readable, without panels. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, openMap } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';
import { wikipedia } from './support/workspaces.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Bounding boxes of all elements that match a selector. */
function boxesOf(page: Page, selector: string): Promise<Box[]> {
  return page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      }),
  );
}

function isInside(one: Box, whole: Box): boolean {
  return (
    one.x >= whole.x &&
    one.y >= whole.y &&
    one.x + one.width <= whole.x + whole.width &&
    one.y + one.height <= whole.y + whole.height
  );
}

function isOver(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Cards of at least minimum size in the uncovered part of the canvas. */
async function freeCards(page: Page): Promise<Box[]> {
  const [canvas] = await boxesOf(page, '[data-canvas]');
  if (!canvas) throw new Error('there is no canvas');
  const covers = await boxesOf(page, '[data-tools], [data-corner], [data-bar], [data-sheet]');
  const cards = await boxesOf(page, '[data-component]');
  return cards.filter((card) => isInside(card, canvas) && !covers.some((cover) => isOver(card, cover)));
}

test('a map opens with readable cards at its densest part, and later at its last view', async ({
  page,
  ada,
}) => {
  await test.step('the sample opens with readable cards on at least 80% of the window', async () => {
    await ada.open(page, `/o/analytical-engines/w/${await wikipedia(ada)}`);
    await component(page, 'mediawiki').waitFor();
    await expect(page.getByRole('complementary', { name: 'Side panel' })).toBeHidden();
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toBeHidden();
    const [canvas] = await boxesOf(page, '[data-canvas]');
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    expect((canvas?.width ?? 0) * (canvas?.height ?? 0)).toBeGreaterThanOrEqual(0.8 * width * height);
    expect((await freeCards(page)).length).toBeGreaterThanOrEqual(10);
    const name = component(page, 'mediawiki').getByText('MediaWiki', { exact: true });
    const size = await name.evaluate(
      (element) =>
        (Number.parseFloat(getComputedStyle(element).fontSize) * element.getBoundingClientRect().width) /
        (element as HTMLElement).offsetWidth,
    );
    expect(size).toBeGreaterThanOrEqual(10);
  });
  await test.step('Zoom to fit leaves no card under the toolbar or the minimap', async () => {
    await visitMap(page, ada, [
      ...[0, 300, 600, 900, 1200, 1500].map((x) => ({ id: `top-${x}`, x, y: 0 })),
      ...[0, 300, 600, 900, 1200, 1500].map((x) => ({ id: `bottom-${x}`, x, y: 900 })),
    ]);
    await page.getByRole('button', { name: 'Zoom to fit', exact: true }).click();
    await expect.poll(async () => (await freeCards(page)).length).toBe(12);
  });
  await test.step('a large map opens at its densest part, and later at its last view', async () => {
    const columns = [0, 1, 2, 3, 4];
    const id = await visitMap(
      page,
      ada,
      [
        { id: 'lonely', x: -9000, y: 0 },
        ...columns.flatMap((column) =>
          columns.map((row) => ({ id: `c-${column}-${row}`, x: column * 240, y: row * 120 })),
        ),
      ],
      [],
      '',
    );
    await expect(component(page, 'c-2-2')).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Zoom level 60%. Zoom to 100%' })).toBeVisible();
    await page.keyboard.press('Shift+0');
    await page.keyboard.press('/');
    await page.keyboard.type('lonely');
    await page.getByRole('option', { name: /lonely/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect(component(page, 'lonely')).toBeInViewport();
    await page.getByRole('main').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toMatch(/,1$/);
    await visit(page, '/o/analytical-engines/people');
    await expect(component(page, 'lonely')).toHaveCount(0);
    await visit(page, `/o/analytical-engines/w/${id}`);
    await expect(component(page, 'lonely')).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Zoom level 100%. Zoom to 100%' })).toBeVisible();
  });
});

test('panels open on request, and their state is remembered', async ({ page, ada }) => {
  const id = await openMap(page, ada, [{ id: 'web', x: 300, y: 160 }], [['web', 'web', 'calls']]);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const panel = page.getByRole('complementary', { name: 'Side panel' });
  await test.step('the rail opens the side panel at a section', async () => {
    await page.getByRole('button', { name: 'Relationship types' }).press('Enter');
    await expect(panel.locator('summary', { hasText: 'Relationship types' })).toBeFocused();
    await panel.getByRole('button', { name: /^calls/ }).click();
    await panel.getByRole('button', { name: 'Hide side panel' }).click();
    await expect(page.getByRole('button', { name: 'Filters (1 active)' })).toBeVisible();
    await page.getByRole('button', { name: 'Filters (1 active)' }).click();
    await panel.getByRole('button', { name: /^calls/ }).click();
    await panel.getByRole('button', { name: 'Hide side panel' }).click();
  });
  await test.step('the inspector closes with the selection, and shows the workspace on request', async () => {
    await component(page, 'web').click();
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('web');
    await page.keyboard.press('Escape');
    await expect(inspector).toBeHidden();
    await page.keyboard.press('i');
    await expect(inspector.getByRole('button', { name: 'Manage access' })).toBeVisible();
    await page.keyboard.press('i');
    await expect(inspector).toBeHidden();
  });
  await test.step('the state of panels and the width of the inspector are remembered', async () => {
    await component(page, 'web').click();
    await expect(inspector).toBeVisible();
    const before = (await inspector.boundingBox())?.width ?? 0;
    await page.getByRole('separator', { name: 'Inspector width' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await inspector.boundingBox())?.width).toBe(before + 32);
    await page.getByRole('button', { name: 'Show side panel' }).click();
    // The URL is updated after a delay, because browsers limit how often it can change.
    await expect.poll(() => new URL(page.url()).searchParams.get('c')).toBe('web');
    await page.reload();
    await expect(panel).toBeVisible();
    await expect.poll(async () => (await inspector.boundingBox())?.width).toBe(before + 32);
    await page.getByRole('button', { name: 'Hide side panel' }).click();
    await page.getByRole('button', { name: 'Hide inspector' }).click();
    await page.reload();
    await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'true');
    await expect(panel).toBeHidden();
    await expect(inspector).toBeHidden();
  });
  await test.step('a view-only map is labeled and has no editing tools', async () => {
    const grace = await ada.invite('grace-viewer', 'Grace Hopper');
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await grace.open(page, `/o/analytical-engines/w/${id}`);
    await page.getByRole('button', { name: 'View only' }).click();
    await expect(page.getByRole('button', { name: 'Request edit access' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add component' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Arrange' })).toBeHidden();
    await expect(page.getByRole('button', { name: /^Saved/ })).toBeHidden();
  });
});
