/** Small windows: phones held upright, tablets, small notebooks. What is there is read and reached. */
import type { Locator, Page } from '@playwright/test';
import { wikipedia } from './support/plans.ts';
import { expect, test } from './support/stage.ts';

const PHONE = { width: 390, height: 844 };
const TABLET = { width: 1024, height: 768 };

function zoomOf(page: Page): Promise<number> {
  return page
    .getByRole('button', { name: /%: show at 100 %/ })
    .textContent()
    .then((text) => Number.parseInt(text ?? '', 10));
}

/** Pressed where it is, not scrolled to: something that covers it would take the press. */
function isReached(one: Locator): Promise<void> {
  return one.click({ trial: true, timeout: 5000 });
}

test('on a phone a map begins where its names can be read, and all of it is a press away', async ({
  page,
  ada,
}) => {
  await page.setViewportSize(PHONE);
  await ada.opens(page, `/o/analytical-engines/w/${await wikipedia(ada)}`);
  await expect(page.locator('[data-component="mediawiki"]')).toBeInViewport();
  expect(await zoomOf(page)).toBe(60);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await expect.poll(() => zoomOf(page)).toBeLessThan(20);
});

test('on a tablet the map has the room of the inspector until something is selected', async ({
  page,
  ada,
}) => {
  await page.setViewportSize(TABLET);
  await ada.opens(page, `/o/analytical-engines/w/${await wikipedia(ada)}?at=400,200,1`);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await page.getByRole('complementary', { name: 'Side panel' }).waitFor();
  await expect(inspector).toBeHidden();
  await page.keyboard.press('/');
  await page.keyboard.type('parsoid');
  await page.getByRole('option', { name: /Parsoid/ }).waitFor();
  await page.keyboard.press('Enter');
  await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('Parsoid');
  // Once it has been there it stays until it is closed.
  await page.getByRole('main').focus();
  await page.keyboard.press('Escape');
  await expect(inspector.getByRole('button', { name: 'Members and visibility' })).toBeVisible();
});

for (const size of [PHONE, TABLET]) {
  test(`a comparison covers no tools at ${size.width}`, async ({ page, ada }) => {
    await page.setViewportSize(size);
    const id = await wikipedia(ada);
    await ada.delete(`/api/workspaces/${id}/components/parsoid`);
    await ada.opens(page, `/o/analytical-engines/w/${id}?since=1`);
    const sheet = page.getByRole('region', { name: 'What has changed' });
    await expect(sheet.getByText('Parsoid', { exact: true })).toBeVisible();
    for (const name of ['Zoom in', 'Zoom out', 'Show all']) {
      await isReached(page.getByRole('button', { name, exact: true }));
    }
    await isReached(sheet.getByRole('button', { name: 'Stop comparing' }));
    await page.getByRole('button', { name: 'Arrange', exact: true }).click();
    await page.getByRole('menuitem', { name: /Arrange in layers/ }).click();
    await expect(page.getByRole('button', { name: 'Apply' })).toBeVisible();
    await isReached(page.getByRole('button', { name: 'Zoom in', exact: true }));
  });
}

test('on a tablet the tools of the table are one row, and filters wait in it by keyboard', async ({
  page,
  ada,
}) => {
  await page.setViewportSize(TABLET);
  await ada.opens(page, `/o/analytical-engines/w/${await wikipedia(ada)}/table`);
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

test('on a phone every tool of the table is in sight', async ({ page, ada }) => {
  await page.setViewportSize(PHONE);
  await ada.opens(page, `/o/analytical-engines/w/${await wikipedia(ada)}/table`);
  for (const name of ['Filter', 'Columns', 'CSV', 'Import CSV', 'Add']) {
    const tool = page.getByRole('button', { name, exact: true });
    await expect(tool).toBeInViewport({ ratio: 1 });
    await isReached(tool);
  }
  await expect(page.getByRole('searchbox', { name: 'Search components' })).toBeInViewport({ ratio: 1 });
});
