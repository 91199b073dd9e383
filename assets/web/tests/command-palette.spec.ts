/** The command palette, the list of shortcuts, and undoing what others have overwritten. */
import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { openMap, openSidePanel, wikipedia } from './support/workspaces.ts';

test('the command palette finds components, people, processes and workspaces from all screens, and runs actions', async ({
  page,
  ada,
}) => {
  const id = await wikipedia(ada);
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await test.step('it finds a component from another screen and lists it as recent', async () => {
    await ada.open(page, `/o/analytical-engines/w/${id}/table`);
    await expect(async () => {
      if (!(await palette.isVisible())) await page.keyboard.press('ControlOrMeta+k');
      await expect(palette).toBeVisible({ timeout: 500 });
    }).toPass();
    await page.keyboard.type('parsr cache');
    await expect(palette.getByRole('option').first()).toContainText('Parser cache');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/w/${id}*`);
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('Parser cache');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette.getByRole('option').first()).toContainText('Parser cache');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
    // Opening a workspace also adds a recent entry.
    await page.reload();
    await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('Parser cache');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette.getByRole('option').first()).toContainText('Parser cache');
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  });
  await test.step('it runs actions and opens people and processes', async () => {
    await openSidePanel(page);
    const ask = async (query: string) => {
      // The shortcut would only close a palette that is still open.
      await expect(palette).toBeHidden();
      await page.keyboard.press('ControlOrMeta+k');
      await palette.waitFor();
      await page.keyboard.type(query);
    };
    await ask('color owner');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('radio', { name: 'Owner', exact: true })).toBeChecked();
    await ask('zzzz<script>');
    await expect(page.getByText('No results for “zzzz<script>”')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
    await ask('lucia ferrari');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/people/lucia-ferrari');
    await page.goBack();
    await ask('reader opens');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/w/${id}/processes/read-an-article`);
  });
  await test.step('it works outside of an organization', async () => {
    await visit(page, '/account/tokens');
    await page.getByRole('button', { name: 'Search or run a command' }).press('Enter');
    await palette.waitFor();
    await page.keyboard.type('go to people');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/o/analytical-engines/people');
  });
});

test('shortcuts are listed, disabled while typing, and do not undo what others have overwritten', async ({
  page,
  ada,
}) => {
  const id = await wikipedia(ada);
  await test.step('the list of shortcuts is complete, and shortcuts are disabled while typing', async () => {
    await openMap(ada, page, id);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const title of [
      'Undo',
      'Redo',
      'Find on map',
      'Search or run a command',
      'Show keyboard shortcuts',
    ]) {
      await expect(help.getByText(title, { exact: true })).toBeVisible();
    }
    const keys = await help.locator('kbd').allTextContents();
    expect(keys).toEqual(expect.arrayContaining(['/', '?']));
    await expectNoViolations(page);
    const cut = await help
      .locator('dl > div')
      .evaluateAll((rows) => rows.filter((row) => row.scrollWidth > row.clientWidth + 1).length);
    expect(cut).toBe(0);
    const narrow = await help
      .locator('dt')
      .evaluateAll((terms) => terms.filter((term) => term.getBoundingClientRect().width < 100).length);
    expect(narrow).toBe(0);
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await page.getByRole('button', { name: 'Show inspector' }).click();
    await page.getByLabel('Workspace name').fill('');
    await page.keyboard.type('Really? /p');
    await expect(page.getByLabel('Workspace name')).toHaveValue('Really? /p');
    await expect(help).toBeHidden();
    await expect(page.getByRole('complementary', { name: 'Side panel' })).toBeHidden();
  });
  await test.step('a change that others have overwritten is not undone, and its author is named', async () => {
    const grace = await ada.invite(`grace-${id}`, 'Grace Hopper', 'org:admin');
    const name = page.getByLabel('Workspace name');
    await name.fill('Wikipedia');
    await name.press('Enter');
    await expect
      .poll(() => ada.get(`/api/workspaces/${id}`))
      .toMatchObject({ workspace: { name: 'Wikipedia' } });
    await grace.patch(`/api/workspaces/${id}`, { name: 'The free encyclopedia' });
    await expect(name).toHaveValue('The free encyclopedia');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(page.getByText(/Can’t undo .*Grace Hopper/)).toBeVisible();
    await expect(name).toHaveValue('The free encyclopedia');
  });
  await test.step('on a phone the command palette shows full titles', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, `/o/analytical-engines/w/${await wikipedia(ada)}?c=mediawiki`);
    await page.locator('[data-component="mediawiki"]').waitFor();
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    const option = page.getByRole('option', { name: /^Add neighbor to selection: down/ });
    await expect(option).toBeVisible();
    const cut = await page
      .getByRole('option')
      .locator('span')
      .evaluateAll((all) =>
        all
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map((element) => element.textContent),
      );
    expect(cut).toEqual([]);
  });
});
