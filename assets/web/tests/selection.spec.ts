/** The selection in the URL. */
import { expect, test } from './support/fixtures.ts';
import { component, openMap } from './support/map.ts';

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
