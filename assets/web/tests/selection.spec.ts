/** The selection in the URL. */
import { expect, test } from './support/fixtures.ts';
import { component, dragTo, openMap, placeOf } from './support/map.ts';

test('a reload right after a click keeps the selection', async ({ page, ada }) => {
  await openMap(page, ada, [
    { id: 'web', x: 100, y: 160 },
    { id: 'api', x: 400, y: 160 },
  ]);
  await component(page, 'web').click();
  await page.reload();
  await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'true');
  await component(page, 'api').click();
  await page.reload();
  await expect(component(page, 'api')).toHaveAttribute('aria-pressed', 'true');
  await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'false');
});

test('dragging a component while a line is selected selects only the component', async ({ page, ada }) => {
  await openMap(
    page,
    ada,
    [
      { id: 'web', x: 100, y: 160 },
      { id: 'api', x: 400, y: 160 },
    ],
    [['web', 'api']],
  );
  const [web, api] = [await placeOf(page, 'web'), await placeOf(page, 'api')];
  await page.mouse.click((web.x + 180 + api.x) / 2, web.y + 32);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByRole('heading', { name: 'web uses api' })).toBeVisible();
  await dragTo(page, { x: api.x + 60, y: api.y + 30 }, { x: api.x + 60, y: api.y + 130 });
  await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('api');
});
