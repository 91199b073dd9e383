/** Tours: create, present by keyboard, link to a stop, edit and delete. */
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';
import { openViews, type TestView } from './support/views.ts';
import { visit } from './support/visit.ts';
import { openSidePanel, wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const PAYING: TestView = { id: 'paying', name: 'Paying', include: [{ ids: ['orders', 'payments'] }] };

test('a tour is created from views and components, and presented with the keyboard', async ({
  page,
  ada,
}) => {
  test.slow();
  const id = await openViews(page, ada, [PAYING]);
  const panel = await openSidePanel(page);
  await panel.getByRole('button', { name: 'Create tour' }).focus();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('region', { name: 'New tour' });

  await test.step('discarding is an accessible question', async () => {
    await expect(editor.getByLabel('Name')).toBeFocused();
    await page.keyboard.type('How we are paid');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard changes to this tour?' });
    await expect(question).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(editor.getByLabel('Name')).toHaveValue('How we are paid');
  });

  await test.step('stops are added and ordered', async () => {
    await editor.getByRole('button', { name: 'Add the whole map' }).click();
    await editor.getByLabel('Text of stop 1').fill('Everything.');
    await panel.getByRole('link', { name: 'Paying', exact: true }).click();
    await editor.getByRole('button', { name: 'Add view “Paying”' }).click();
    await editor.getByLabel('Text of stop 2').fill('The part that matters.');
    await component(page, 'payments').click();
    await editor.getByRole('button', { name: 'Add “payments”' }).click();
    await editor.getByRole('button', { name: 'Move stop 3 up' }).click();
    await expect(editor.getByRole('listitem')).toHaveCount(3);
    await editor.getByRole('button', { name: 'Move stop 2 down' }).click();
    await expectAccessible(page);
  });

  await editor.getByRole('button', { name: 'Save and present' }).click();
  const bar = page.getByRole('region', { name: 'Tour How we are paid' });
  await expect(bar.getByText('Stop 1 of 3')).toBeVisible();
  await expect(bar.getByText('Everything.')).toBeVisible();
  await expect(component(page, 'web')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(bar.getByText('The part that matters.')).toBeVisible();
  await expect(page).toHaveURL(/\/v\/paying\?.*stop=2/);
  await expect(component(page, 'web')).toHaveCount(0);
  await page.keyboard.press('PageDown');
  await expect(bar.getByText('payments in Paying')).toBeVisible();
  await expect(page.locator('[data-tone="current"]')).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press('Home');
  await expect(bar.getByText('Stop 1 of 3')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await expect(page).not.toHaveURL(/tour=/);
  const { tours } = await ada.get(`/api/workspaces/${id}/tours`);
  expect(tours[0].stops.map(({ target }: { target: unknown }) => target)).toEqual([
    { viewId: 'all' },
    { viewId: 'paying' },
    { viewId: 'paying', componentId: 'payments' },
  ]);
});

test('a tour is opened at a stop by a link, edited, deleted and restored, and has steps of processes', async ({
  page,
  ada,
}) => {
  test.slow();
  const id = await openViews(page, ada, [PAYING]);
  const wiki = await wikipedia(ada);
  const stops = [
    { text: 'One', target: { viewId: 'paying' } },
    { text: 'Two', target: { viewId: 'all', componentId: 'gone' } },
  ];
  await ada.post(`/api/workspaces/${id}/tours`, { id: 'tour', name: 'Newcomers', stops });

  await test.step('a link opens a stop, and deleted targets are named', async () => {
    await visit(page, `${HOME}/${id}?tour=tour&stop=1`);
    const bar = page.getByRole('region', { name: 'Tour Newcomers' });
    await expect(bar.getByText('One')).toBeVisible();
    await expect(page).toHaveURL(/\/v\/paying/);
    await bar.getByRole('button', { name: 'Next' }).click();
    await expect(bar.getByText('gone in the map (deleted)')).toBeVisible();
    await bar.getByRole('button', { name: 'End', exact: true }).click();
    await expect(bar).toHaveCount(0);
    await visit(page, `${HOME}/${id}?tour=unknown`);
    await expect(page.getByText('Tour “unknown” does not exist.')).toBeVisible();
  });

  await test.step('a tour is edited and deleted, and the deletion is undone', async () => {
    const panel = await openSidePanel(page);
    const list = panel.getByRole('list', { name: 'Tours' });
    await list.getByRole('button', { name: 'Newcomers', exact: true }).click();
    const editor = page.getByRole('region', { name: 'Edit tour' });
    await editor.getByLabel('Name').fill('Welcome');
    // Closing asks, because there are changes.
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard changes to this tour?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(editor.getByLabel('Name')).toHaveValue('Welcome');
    await editor.getByRole('button', { name: 'Save tour' }).click();
    await list.getByRole('button', { name: 'Welcome', exact: true }).click();
    await editor.getByRole('button', { name: 'Delete tour' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await expect(list.getByRole('button', { name: 'Welcome', exact: true })).toBeVisible();
  });

  await test.step('a step of a process becomes a stop, and changes are discarded after a question', async () => {
    await visit(page, `${HOME}/${wiki}/v/page-view?process=read-an-article&step=7`);
    await page.getByRole('region', { name: /^Playback of/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create tour');
    await page.keyboard.press('Enter');
    const editor = page.getByRole('region', { name: 'New tour' });
    await editor.getByRole('button', { name: 'Add step 7 of “A reader opens an article”' }).click();
    await editor.getByRole('button', { name: 'Close without saving' }).click();
    const question = page.getByRole('dialog', { name: 'Discard changes to this tour?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await editor.getByLabel('Name').fill('Misses');
    await editor.getByRole('button', { name: 'Save and present' }).click();
    const bar = page.getByRole('region', { name: 'Tour Misses' });
    await expect(bar.getByText('A reader opens an article, step 7')).toBeVisible();
    await expect(page.locator('[data-tone="current"]')).toHaveCount(2);
    await expect(page).toHaveURL(/\/v\/page-view/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create tour');
    await page.keyboard.press('Enter');
    await editor.getByLabel('Name').fill('Nothing');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(editor).toHaveCount(0);
  });
});
