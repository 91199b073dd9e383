/** Recording a process by clicking components on the map. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { component, createMap } from './support/map.ts';
import { visit } from './support/visit.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Record process' });
const steps = (page: Page) => bar(page).getByRole('list', { name: 'Steps' }).getByRole('listitem');
const message = (page: Page, step: number) =>
  bar(page).getByRole('textbox', { name: `Message of step ${step}`, exact: true });
const mark = (page: Page, step: string) => page.locator(`[data-step-message="${step}"]`);

/** Creates a map with a relationship with a type only and one with a label. */
async function createShop(ada: Actor): Promise<string> {
  const { id } = await createMap(
    ada,
    [
      { id: 'web', x: 0, y: 0, name: 'Web shop' },
      { id: 'api', x: 400, y: 0, name: 'Order “API”; v2' },
      { id: 'db', x: 400, y: 260, name: 'end' },
    ],
    [
      ['web', 'api', 'calls'],
      ['api', 'db', 'reads'],
    ],
  );
  return id;
}

async function openShop(page: Page, ada: Actor): Promise<string> {
  const id = await createShop(ada);
  await ada.open(page, `/o/analytical-engines/w/${id}?at=300,250,1`);
  await component(page, 'web').waitFor();
  return id;
}

async function startRecording(page: Page): Promise<void> {
  await page.keyboard.press('Shift+P');
  await expect(bar(page)).toBeVisible();
}

test('a process is recorded by mouse, with typed and default messages', async ({ page, ada }) => {
  const id = await openShop(page, ada);
  await startRecording(page);
  await expect(bar(page)).toContainText('Click the component that starts');
  await component(page, 'web').click();
  await expect(bar(page)).toContainText('Click the component that “Web shop” calls');
  await component(page, 'api').click();
  await expect(message(page, 1)).toBeFocused();
  await expect(mark(page, '1')).toContainText('calls');
  await page.keyboard.type('Buy "two" seats; end');
  await expect(mark(page, '1')).toContainText('Buy "two" seats; end');
  // A component is not renamed by clicking it twice: the second click is a message to itself.
  await component(page, 'api').dblclick();
  await expect(steps(page)).toHaveCount(3);
  await bar(page).getByRole('button', { name: 'Undo step' }).click();
  await expect(steps(page)).toHaveCount(2);
  await component(page, 'db').click();
  await bar(page).getByRole('button', { name: 'Return' }).click();
  await bar(page).getByRole('button', { name: 'Return' }).click();
  await expect(steps(page)).toHaveCount(5);
  await expect(bar(page).getByRole('button', { name: 'Return' })).toBeDisabled();
  await bar(page).getByRole('button', { name: 'Start elsewhere' }).click();
  await expect(bar(page)).toContainText('Click the component that sends the next message');
  await component(page, 'db').click();
  await component(page, 'web').click();
  await bar(page).getByRole('button', { name: 'Save process' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save process' });
  await dialog.getByRole('button', { name: 'Save process' }).click();
  await expect(dialog).toContainText('Enter a name');
  await dialog.getByLabel('Process name').fill('Buy two seats');
  await page.keyboard.press('Enter');
  // The saved process is opened for playback.
  await expect(page.getByRole('region', { name: 'Playback of Buy two seats' })).toContainText('Step 1 of 6');
  expect(new URL(page.url()).searchParams.get('process')).toBe('buy-two-seats');
  await expect(bar(page)).toBeHidden();
  const { process: saved } = await ada.get(`/api/workspaces/${id}/processes/buy-two-seats`);
  expect(saved).toMatchObject({ name: 'Buy two seats', diagnostics: [], unresolved: [] });
  expect(
    saved.steps.map(({ sourceId, targetId, text, arrow }: Record<string, string>) => [
      sourceId,
      targetId,
      text,
      arrow,
    ]),
  ).toEqual([
    ['web', 'api', 'Buy "two" seats; end', 'solid'],
    ['api', 'api', 'Internal step', 'solid'],
    ['api', 'db', 'reads', 'solid'],
    ['db', 'api', 'Response', 'dotted'],
    ['api', 'web', 'Response', 'dotted'],
    ['db', 'web', 'Call', 'solid'],
  ]);
  expect(saved.lifelines.map(({ name }: { name: string }) => name)).toEqual([
    'Web shop',
    'Order “API”; v2',
    'end',
  ]);
  // Everything is one change set.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await ada.get(`/api/workspaces/${id}/processes`)).processes).toEqual([]);
});

test('a process is recorded using only the keyboard', async ({ page, ada }) => {
  const id = await openShop(page, ada);
  const before = await ada.get(`/api/workspaces/${id}/components/web`);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('Record a process');
  await page.keyboard.press('Enter');
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(component(page, 'web')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await expect(component(page, 'api')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(message(page, 1)).toBeFocused();
  await page.keyboard.type('Buy seats');
  await page.keyboard.press('Enter');
  await expect(component(page, 'api')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(component(page, 'db')).toBeFocused();
  await page.keyboard.press('Enter');
  // In an empty message, Backspace undoes the step.
  await expect(message(page, 2)).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(steps(page)).toHaveCount(1);
  await expect(component(page, 'api')).toBeFocused();
  await page.keyboard.press('r');
  await expect(message(page, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('s');
  await expect(bar(page)).toContainText('sends the next message');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await expect(steps(page)).toHaveCount(1);
  // The command palette has the commands, too.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('Return to caller');
  await page.keyboard.press('Enter');
  await expect(steps(page)).toHaveCount(2);
  // The arrow keys have not moved a component.
  expect((await ada.get(`/api/workspaces/${id}/components/web`)).component).toEqual(before.component);
  await bar(page).getByRole('button', { name: 'Save process' }).press('Enter');
  await page.keyboard.type('Seats');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Playback of Seats' })).toContainText('Step 1 of 2');
  const { process: saved } = await ada.get(`/api/workspaces/${id}/processes/seats`);
  expect(saved.mermaid).toContain('-->>');
  expect(saved.participants).toEqual({ web_shop: 'web', order_api_v2: 'api' });
});

test('a recording survives a reload, hides the panels, and canceling asks only if there are steps', async ({
  page,
  ada,
}) => {
  await openShop(page, ada);
  const other = await createShop(ada);
  const panel = page.getByRole('complementary', { name: 'Side panel' });
  const inspector = page.getByRole('complementary', { name: 'Inspector' });

  await test.step('panels are hidden while recording and come back', async () => {
    await page.keyboard.press('p');
    await component(page, 'web').click();
    await expect(panel).toBeVisible();
    await expect(inspector).toBeVisible();
    await panel.getByRole('button', { name: 'Record a process' }).click();
    await expect(panel).toBeHidden();
    await expect(inspector).toBeHidden();
    await expect(bar(page)).toBeVisible();
    await component(page, 'api').click();
    await expect(inspector).toBeHidden();
    await component(page, 'api').focus();
    await page.keyboard.press('Escape');
    await expect(panel).toBeVisible();
    await expect(bar(page)).toBeHidden();
  });

  await test.step('a recording survives a reload', async () => {
    await startRecording(page);
    await component(page, 'web').click();
    await component(page, 'api').click();
    await page.keyboard.type('Kept');
    await expect(steps(page)).toHaveCount(1);
    await page.reload();
    await expect(message(page, 1)).toHaveValue('Kept');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Processes', exact: true }).click();
    await page.getByRole('button', { name: 'Record on map' }).click();
    await expect(message(page, 1)).toHaveValue('Kept');
  });

  await test.step('canceling asks only if there are steps', async () => {
    await component(page, 'web').focus();
    await page.keyboard.press('Escape');
    const dialog = page.getByRole('dialog', { name: 'Discard recording?' });
    await expect(dialog).toContainText('The process has 1 step');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(steps(page)).toHaveCount(1);
    await bar(page).getByRole('button', { name: 'Cancel recording' }).click();
    await dialog.getByRole('button', { name: 'Discard recording' }).click();
    await expect(bar(page)).toBeHidden();
    await startRecording(page);
    await expect(bar(page)).toContainText('Click the component that starts');
    await component(page, 'web').focus();
    await page.keyboard.press('Escape');
    await expect(bar(page)).toBeHidden();
  });

  await test.step('the name entered for a new process is suggested after recording', async () => {
    await visit(page, `/o/analytical-engines/w/${other}/processes`);
    await page.getByRole('button', { name: 'New process' }).first().click();
    await page.getByLabel('Process name').fill('Checkout');
    await page.getByRole('dialog').getByRole('button', { name: 'Record on map' }).click();
    await expect(bar(page)).toBeVisible();
    await component(page, 'web').click();
    await component(page, 'api').click();
    await bar(page).getByRole('button', { name: 'Save process' }).click();
    await expect(page.getByLabel('Process name')).toHaveValue('Checkout');
  });
});

test('a viewer cannot record', async ({ page, ada }) => {
  const id = await createShop(ada);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  await grace.open(page, `/o/analytical-engines/w/${id}?record=1`);
  await expect(component(page, 'web')).toBeVisible();
  await expect(page).not.toHaveURL(/record/);
  await expect(bar(page)).toBeHidden();
  await page.keyboard.press('Shift+P');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('Record');
  await expect(page.getByRole('option', { name: /Record a process/ })).toBeHidden();
});
