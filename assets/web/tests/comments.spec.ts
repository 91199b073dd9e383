/** Comments: a reader asks on the map, an editor answers, and everything works by keyboard and on a phone. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { Keyboard } from './support/keyboard.ts';
import { component, openMap } from './support/map.ts';
import { visit } from './support/visit.ts';
import { newWindow } from './support/workspaces.ts';

const PHONE = { width: 390, height: 844 };
const SPOTS = [
  { id: 'web', x: 300, y: 160, name: 'Web shop' },
  { id: 'pay', x: 600, y: 160, name: 'Payments' },
];

const panel = (page: Page) => page.getByRole('complementary', { name: 'Comments' });
const mark = (page: Page, id: string) => page.locator(`[data-comments="${id}"]`);

/** Writes a comment in the open form. */
async function write(page: Page, text: string): Promise<void> {
  await panel(page).getByRole('textbox', { name: 'Comment' }).fill(text);
  await panel(page).getByRole('button', { name: 'Comment', exact: true }).click();
}

test('a reader says that the map is wrong, an editor resolves it, and owners decide who can comment', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, SPOTS, [['web', 'pay']]);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const reader = await newWindow(browser);
  await grace.open(reader, `/o/analytical-engines/w/${id}?at=400,200,1`);
  // The first screen has the action and says what a reader can do.
  await expect(reader.getByRole('button', { name: 'Comments', exact: true })).toHaveText('Comment');
  await reader.getByRole('button', { name: 'View only' }).click();
  await expect(reader.getByText('To ask a question or to say that the map is wrong')).toBeVisible();
  await reader.keyboard.press('Escape');
  await component(reader, 'web').click();
  await reader
    .getByRole('complementary', { name: 'Inspector' })
    .getByRole('button', { name: 'Comment', exact: true })
    .click();
  await panel(reader).getByLabel('Kind').selectOption('Map is inaccurate');
  await write(reader, 'It calls **two** gateways, see #pay. <b>Really</b> [docs](https://example.org)');
  const message = panel(reader).getByRole('listitem').filter({ hasText: 'Grace Hopper' });
  await expect(message.locator('strong', { hasText: 'two' })).toBeVisible();
  await expect(message).toContainText('<b>Really</b>');
  expect(await message.getByRole('link', { name: 'docs' }).getAttribute('rel')).toContain('noopener');
  expect(await message.getByRole('link', { name: 'docs' }).getAttribute('rel')).toContain('nofollow');
  await message.getByRole('button', { name: '#pay' }).click();
  await expect(component(reader, 'pay')).toHaveAttribute('aria-pressed', 'true');

  // The editor sees the mark without a reload.
  await expect(mark(page, 'web')).toHaveAccessibleName(
    'Web shop: 1 open comment, 1 says that the map is wrong',
  );
  await mark(page, 'web').click();
  const row = panel(page).getByRole('button', { name: /It calls/ });
  await expect(row).toContainText('New');
  await expect(row).toContainText('It calls two gateways');
  await row.click();
  await panel(page).getByRole('textbox', { name: 'Reply' }).fill('Fixed, thanks.');
  await panel(page).getByRole('button', { name: 'Reply' }).click();
  await expect(panel(reader).getByText('Fixed, thanks.')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Resolve thread' }).click();
  await expect(panel(page).getByText(/resolved by Ada/)).toBeVisible();
  await expect(mark(page, 'web')).toHaveCount(0);
  await expect(mark(reader, 'web')).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'All comments' }).click();
  await expect(panel(page).getByText('No comments match.')).toBeVisible();
  await panel(page).getByLabel('State').selectOption('resolved');
  await expect(panel(page).getByRole('button', { name: /It calls/ })).toBeVisible();

  // Owners decide who can comment.
  await panel(page).getByRole('button', { name: 'Hide comments' }).click();
  await panel(reader).getByRole('button', { name: 'Hide comments' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('i');
  await page.getByLabel('Who can comment').selectOption('Everyone who can edit the workspace');
  await expect(reader.getByRole('button', { name: 'Comments', exact: true })).toHaveText('Comments');
  await reader.getByRole('button', { name: 'Comments', exact: true }).click();
  await expect(panel(reader).getByText('Only editors can comment in this workspace.')).toBeVisible();
});

test('comments are written with the keyboard, with suggestions for mentions, and kept until they are sent', async ({
  page,
  ada,
}) => {
  await test.step('everything works with the keyboard', async () => {
    await openMap(page, ada, SPOTS);
    const keyboard = new Keyboard(page);
    await component(page, 'web').click();
    await page.keyboard.press('Shift+M');
    const field = panel(page).getByRole('textbox', { name: 'Comment' });
    await expect(field).toBeFocused();
    await page.keyboard.type('Ask @ad');
    await expect(panel(page).getByRole('option', { name: /Ada/ }).first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('about #pa');
    await expect(panel(page).getByRole('option', { name: /Payments/ })).toBeVisible();
    // A complete mention has no suggestions, which would cover the buttons.
    await page.keyboard.type('y');
    await expect(panel(page).getByRole('listbox', { name: 'Suggestions' })).toHaveCount(0);
    await page.keyboard.press('Backspace');
    await expect(panel(page).getByRole('option', { name: /Payments/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('Ask @ada about #pay ');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(panel(page).getByRole('button', { name: '#pay' })).toBeVisible();
    await keyboard.press(panel(page).getByRole('button', { name: 'Edit message' }));
    await expect(panel(page).getByRole('textbox', { name: 'Message' })).toBeFocused();
    await page.keyboard.type('?');
    await keyboard.press(panel(page).getByRole('button', { name: 'Save message' }));
    await expect(panel(page).getByText('(edited)')).toBeVisible();
    await expect(panel(page).getByRole('button', { name: 'Edit message' })).toBeFocused();
    await keyboard.press(panel(page).getByRole('button', { name: 'Delete message' }), 'Enter');
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Delete message' })
      .press('Enter');
    await expect(panel(page).getByText('No comments match.')).toBeVisible();
    await panel(page).getByRole('button', { name: 'Hide comments' }).press('Enter');
    await expect(panel(page)).toHaveCount(0);
  });
  await test.step('a comment that is not sent yet is kept when its author looks elsewhere', async () => {
    await component(page, 'web').click();
    await page.keyboard.press('Shift+M');
    await panel(page).getByLabel('Kind').selectOption('Map is inaccurate');
    await panel(page).getByRole('textbox', { name: 'Comment' }).fill('It calls two');
    await panel(page).getByRole('button', { name: 'Hide comments' }).click();
    await component(page, 'pay').click();
    await page.keyboard.press('Shift+M');
    await expect(panel(page).getByRole('textbox', { name: 'Comment' })).toHaveValue('');
    await page.reload();
    await component(page, 'web').click();
    await page.keyboard.press('Shift+M');
    await expect(panel(page).getByRole('textbox', { name: 'Comment' })).toHaveValue('It calls two');
    await expect(panel(page).getByLabel('Kind')).toHaveValue('inaccurate');
    await panel(page).getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Shift+M');
    await expect(panel(page).getByRole('textbox', { name: 'Comment' })).toHaveValue('');
  });
});

test('comments are on components, lines, points of the map, and messages of a process', async ({
  page,
  ada,
}) => {
  const id = await openMap(page, ada, SPOTS, [['web', 'pay']]);
  await test.step('comments of a deleted component are detached until the deletion is undone', async () => {
    await ada.post(`/api/workspaces/${id}/threads`, {
      anchor: { type: 'component', id: 'web' },
      text: 'Why?',
    });
    await expect(mark(page, 'web')).toBeVisible();
    await component(page, 'web').click();
    await page.keyboard.press('Delete');
    await expect(component(page, 'web')).toHaveCount(0);
    await page.getByRole('button', { name: /^Comments/ }).click();
    await panel(page).getByLabel('State').selectOption('detached');
    await expect(panel(page).getByRole('button', { name: /Web shop \(deleted\)/ })).toBeVisible();
    await page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Undo' }).click();
    await expect(mark(page, 'web')).toBeVisible();
    await expect(panel(page).getByText('No comments match.')).toBeVisible();
    await panel(page).getByRole('button', { name: 'Hide comments' }).click();
  });
  await test.step('comments are at a line and at a point, and the table counts open comments', async () => {
    const { relationships } = await ada.get(`/api/workspaces/${id}`);
    await ada.post(`/api/workspaces/${id}/threads`, {
      anchor: { type: 'relationship', id: relationships[0].id },
      text: 'Over HTTP?',
    });
    await ada.post(`/api/workspaces/${id}/threads`, {
      anchor: { type: 'component', id: 'pay' },
      text: 'Why?',
    });
    await expect(mark(page, relationships[0].id)).toHaveAccessibleName(
      /^Web shop → Payments: 1 open comment/,
    );
    const map = await page.getByRole('region', { name: 'Map', exact: true }).boundingBox();
    if (!map) throw new Error('there is no map');
    await page.mouse.click(map.x + map.width / 2, map.y + map.height - 120, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Comment here' }).click();
    await write(page, 'Something is missing here');
    await expect(page.getByRole('button', { name: 'Point: 1 open comment' })).toBeVisible();
    await page.getByRole('link', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Open comments' }).check();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('columnheader', { name: /Open comments/ })).toBeVisible();
  });
  await test.step('a process and its messages have comments', async () => {
    await ada.post(`/api/workspaces/${id}/processes`, {
      id: 'order',
      name: 'Order',
      mermaid: 'sequenceDiagram\n  Web->>Pay: charge\n  Pay->>Web: receipt',
    });
    await visit(page, `/o/analytical-engines/w/${id}/processes/order`);
    await page.getByRole('button', { name: 'Comments', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Comments on this process' });
    await dialog.getByRole('button', { name: 'Comment on process' }).click();
    await dialog.getByLabel('About').selectOption('Message 2: receipt');
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('By email?');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click();
    await expect(dialog.getByRole('listitem').filter({ hasText: 'By email?' })).toBeVisible();
    const { threads } = await ada.get(`/api/workspaces/${id}/threads`);
    expect(threads[0].anchor).toMatchObject({ type: 'process', id: 'order', step: 1, stepText: 'receipt' });
  });
});

test('comments fit on a phone, in the dark theme', async ({ page, ada }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  const id = await openMap(page, ada, SPOTS);
  const long = `${'A rather long comment about this. '.repeat(20)}${'x'.repeat(200)}`;
  const { thread } = await ada.post(`/api/workspaces/${id}/threads`, {
    anchor: { type: 'component', id: 'web' },
    kind: 'inaccurate',
    text: long,
  });
  await page.getByRole('button', { name: /^Comments/ }).click();
  await expectAccessible(page);
  await panel(page)
    .getByRole('button', { name: /A rather long comment/ })
    .click();
  await expect(panel(page).getByRole('textbox', { name: 'Reply' })).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  // A link of an assistant opens the thread.
  await page.goto(`${page.url().replace(/\?.*$/, '')}?thread=${thread.id}`);
  await expect(panel(page).getByText('A rather long comment', { exact: false }).first()).toBeVisible();
  expect(page.url()).not.toContain('thread=');
});
