/** The inbox: what happens elsewhere shows at once, opens where it happened, and works by keyboard and on a phone. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { Keyboard } from './support/keyboard.ts';
import { expectGoodLayout } from './support/layout.ts';
import { component } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';
import { createSharedShop, newWindow } from './support/workspaces.ts';

const PHONE = { width: 390, height: 844 };
const HOME = '/o/analytical-engines';
const SPOTS = [
  { id: 'web', x: 300, y: 160, name: 'Web shop' },
  { id: 'pay', x: 600, y: 160, name: 'Payments' },
];

const bell = (page: Page) => page.getByRole('button', { name: /^Inbox/ });
const entries = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');

/** The button that opens an entry with this title. */
const entryButton = (page: Page, title: string) =>
  entries(page).getByRole('button', { name: new RegExp(`^(Unread: )?${title}`) });

/** Marks everything as read that earlier tests have left. */
async function emptyInbox(actor: { post: (path: string, body: object) => Promise<unknown> }): Promise<void> {
  await actor.post('/api/me/inbox/read', { until: Date.now() });
}

test('mentions and changes reach the inbox of all windows at once', async ({ page, browser, ada }) => {
  test.slow();
  await test.step('a mention shows at once in all windows and opens its thread', async () => {
    await emptyInbox(ada);
    const { id, grace } = await createSharedShop(ada);
    await ada.open(page, `${HOME}/w/${id}`);
    const second = await page.context().newPage();
    await second.goto(`${ada.url}${HOME}`);
    await expect(bell(second)).toHaveAccessibleName('Inbox');
    const { thread } = await grace.post(`/api/workspaces/${id}/threads`, {
      anchor: { type: 'component', id: 'web' },
      text: '@ada, is **this** right?',
    });
    await expect(bell(page)).toHaveAccessibleName('Inbox: 1 unread notification');
    await expect(bell(second)).toHaveAccessibleName('Inbox: 1 unread notification');
    await bell(second).click();
    await expect(entries(second)).toHaveCount(1);
    await expect(entries(second)).toContainText('Grace Hopper mentioned you on Web in Shop');
    await expect(entries(second)).toContainText('@ada, is this right?');
    await entryButton(second, 'Grace Hopper mentioned you').click();
    const comments = second.getByRole('complementary', { name: 'Comments' });
    await expect(comments.getByText('is this right?')).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName('Inbox');
    await comments.getByRole('textbox', { name: 'Reply' }).fill('It is.');
    await comments.getByRole('button', { name: 'Reply', exact: true }).click();
    await expect(comments.getByRole('button', { name: 'Unfollow thread' })).toBeVisible();

    // Grace wrote in the thread, so she gets the reply.
    const graces = await newWindow(browser);
    await grace.open(graces, `${HOME}/w/${id}`);
    await expect(bell(graces)).toHaveAccessibleName(/: [12] unread notification/);
    await bell(graces).click();
    await expect(entries(graces).first()).toContainText('Ada Lovelace replied on Web in Shop');

    // Replies end when she leaves the thread.
    await comments.getByRole('button', { name: 'Unfollow thread' }).click();
    await expect(comments.getByRole('button', { name: 'Follow thread', exact: true })).toBeVisible();
    await grace.post(`/api/workspaces/${id}/threads/${thread.id}/messages`, { text: 'Thanks.' });
    await grace.post(`/api/workspaces/${id}/threads/${thread.id}/messages`, { text: 'Really, @ada.' });
    await expect(bell(page)).toHaveAccessibleName('Inbox: 1 unread notification');
    await bell(page).click();
    await expect(entries(page)).toContainText('Really, @ada.');

    // As the link in emails does.
    await page.goto(`${ada.url}/?inbox=open`);
    await expect(entries(page)).toContainText('Really, @ada.');
    await expect(page).toHaveURL(`${ada.url}${HOME}`);
    await page.keyboard.press('Escape');
    await second.close();
    await graces.context().close();
  });

  await test.step('a watched workspace and component are in the inbox when others change them', async () => {
    await emptyInbox(ada);
    const { id, grace } = await createSharedShop(ada);
    await visit(page, `${HOME}/w/${id}?c=web`);
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByRole('button', { name: 'Watch component' }).click();
    await expect(inspector.getByRole('button', { name: 'Stop watching' })).toBeVisible();
    await grace.patch(`/api/workspaces/${id}/components/web`, { name: 'Web shop' });
    await grace.patch(`/api/workspaces/${id}/components/web`, { description: 'Sells things' });
    await expect(bell(page)).toHaveAccessibleName('Inbox: 1 unread notification');
    await bell(page).click();
    await expect(entries(page)).toContainText('Grace Hopper changed Web shop in Shop');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(page.getByText('No unread notifications.')).toBeVisible();
    await page.getByLabel('Show', { exact: true }).selectOption('All');
    await expect(entries(page).first()).toContainText('changed Web shop');
    await page.keyboard.press('Escape');
    await inspector.getByRole('button', { name: 'Stop watching' }).click();
    await expect(inspector.getByRole('button', { name: 'Watch component' })).toBeVisible();
  });
});

test('the settings of the inbox are saved, and it works on a phone and with the keyboard', async ({
  page,
  ada,
}) => {
  test.slow();
  await test.step('settings for each kind are saved, and what is watched is listed', async () => {
    const { id } = await createSharedShop(ada);
    await ada.open(page, `${HOME}/w/${id}`);
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await page.getByRole('button', { name: 'Show inspector' }).click();
    await inspector.getByRole('button', { name: 'Watch workspace' }).click();
    await bell(page).click();
    await page.getByRole('button', { name: 'Notification settings' }).click();
    await expect(page.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible();
    await expect(page.getByText('This server sends no emails.')).toBeVisible();
    await page.getByLabel('Emails about replies').selectOption('Never');
    await expect(page.getByText('Notification settings saved').first()).toBeVisible();
    await page.getByRole('checkbox', { name: 'Merged and closed drafts in inbox' }).uncheck();
    await page.getByLabel('Time of the daily email').selectOption({ index: 5 });
    await expectGoodLayout(page);
    await page.reload();
    await expect(page.getByLabel('Emails about replies')).toHaveValue('off');
    await expect(page.getByRole('checkbox', { name: 'Merged and closed drafts in inbox' })).not.toBeChecked();
    await expect(page.getByLabel('Time of the daily email')).toHaveValue('5');
    const watching = page.getByRole('list', { name: 'Watching' }).getByRole('listitem');
    await watching.filter({ hasText: 'Shop' }).first().getByRole('button', { name: 'Stop watching' }).click();
    await ada.patch('/api/me/notification-settings', {
      kinds: [{ kind: 'draft-merged', inbox: true, email: 'digest' }],
    });
    await page.setViewportSize(PHONE);
    await expectGoodLayout(page);
  });

  await test.step('on a phone the inbox fits, and a notification opens its thread', async () => {
    await emptyInbox(ada);
    await page.setViewportSize(PHONE);
    const id = await visitMap(page, ada, SPOTS);
    await expect(component(page, 'web')).toBeVisible();
    const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
    await grace.post(`/api/workspaces/${id}/threads`, {
      anchor: { type: 'component', id: 'pay' },
      text: `@ada ${'a long question '.repeat(20)}`,
    });
    await expect(bell(page)).toHaveAccessibleName('Inbox: 1 unread notification');
    await expect(bell(page)).toBeInViewport({ ratio: 0.999 });
    await bell(page).click();
    await expect(entries(page)).toHaveCount(1);
    await expectGoodLayout(page);
    await entryButton(page, 'Grace Hopper mentioned you').click();
    await expect(
      page.getByRole('complementary', { name: 'Comments' }).getByText('a long question'),
    ).toBeVisible();
  });

  await test.step('everything works with the keyboard, in both themes', async () => {
    await emptyInbox(ada);
    const { id, grace } = await createSharedShop(ada);
    for (const text of ['@ada 1', '@ada 2']) {
      await grace.post(`/api/workspaces/${id}/threads`, { anchor: { type: 'workspace' }, text });
    }
    await visit(page, HOME);
    const keyboard = new Keyboard(page);
    await expect(bell(page)).toHaveAccessibleName('Inbox: 2 unread notifications');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await keyboard.press(bell(page));
      await expect(entries(page)).toHaveCount(2);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(bell(page)).toBeFocused();
    }
    await keyboard.press(bell(page));
    await keyboard.press(page.getByRole('button', { name: /^Mark as read: / }).first());
    await expect(entries(page)).toHaveCount(1);
    await expect(bell(page)).toHaveAccessibleName('Inbox: 1 unread notification');
    await keyboard.press(entryButton(page, 'Grace Hopper mentioned you in Shop'));
    await expect(page.getByRole('complementary', { name: 'Comments' }).getByText('@ada 1')).toBeVisible();
  });
});
