import { expect, test } from './support/fixtures.ts';
import { selectByKeyboard } from './support/workspaces.ts';

/** IDs with special characters, as found in imported data. */
const WORKSPACE = '100% a/b %41%2Fc+漢字 <script>?#';
const COMPONENT = 'c?d#e %2F <script> 漢字';

test('a workspace and a component with unusual IDs work on all screens and survive a reload', async ({
  page,
  ada,
}) => {
  await ada.post('/api/workspaces', { id: WORKSPACE, name: 'Odd', visibility: 'org' });
  const root = `/api/workspaces/${encodeURIComponent(WORKSPACE)}`;
  await ada.post(`${root}/components`, { id: COMPONENT, typeId: 'service', name: 'Oddity', x: 0, y: 0 });
  const path = `/o/analytical-engines/w/${encodeURIComponent(WORKSPACE)}`;
  await ada.open(page, '/o/analytical-engines');
  await page.getByRole('link', { name: 'Odd', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Odd', level: 1 })).toBeVisible();
  await page.goto(`${ada.url}${path}?${new URLSearchParams({ c: COMPONENT })}`);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByText(COMPONENT)).toBeVisible();
  const bar = page.getByRole('banner');
  const seen: [string, string][] = [
    ['Table', '/table'],
    ['Processes', '/processes'],
    ['History', '/history'],
    ['Map', ''],
  ];
  for (const [name, rest] of seen) {
    await bar.getByRole('link', { name, exact: true }).click();
    for (const reloaded of [false, true]) {
      if (reloaded) await page.reload();
      await expect(bar.locator('[aria-current="page"]')).toHaveText([name]);
      expect(new URL(page.url()).pathname).toBe(path + rest);
      await expect(page.getByRole('heading', { name: 'Odd', level: 1 })).toBeVisible();
    }
    if (name === 'Table') await expect(page.getByRole('rowheader', { name: 'Oddity' })).toBeVisible();
  }
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  const announced = page.waitForResponse(
    (answer) => new URL(answer.url()).pathname === `${root}/presence` && answer.ok(),
  );
  await selectByKeyboard(page, 'Oddity');
  await expect(inspector.getByText(COMPONENT)).toBeVisible();
  await expect.poll(() => new URL(page.url()).searchParams.get('c')).toBe(COMPONENT);
  expect((await announced).request().postDataJSON()).toMatchObject({ view: 'map' });
});
