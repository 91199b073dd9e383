/** A review by two people: an assistant proposes a change, which is discussed, approved, merged and undone. */
import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { Assistant } from './support/assistant.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { component, openMap } from './support/map.ts';
import { newWindow } from './support/workspaces.ts';

const HOME = '/o/analytical-engines';
const PHONE = { width: 390, height: 844 };
const SPOTS = [
  { id: 'web', x: 300, y: 160, name: 'Web shop' },
  { id: 'pay', x: 600, y: 160, name: 'Payments' },
];
const TITLE = 'Queue payments';

const banner = (page: Page) => page.getByRole('region', { name: 'Draft', exact: true });
const sheet = (page: Page) => page.getByRole('region', { name: 'Changes', exact: true });
const comments = (page: Page) => page.getByRole('complementary', { name: 'Comments' });
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const bell = (page: Page) => page.getByRole('button', { name: /^Inbox/ });
const notifications = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
const reviewers = (page: Page) => page.getByRole('list', { name: 'Reviewers' });

/** Proposes a queue between the shop and payments, as an assistant of the user. Returns the ID of the draft. */
async function propose(assistant: Assistant, workspaceId: string): Promise<string> {
  const { draftId } = await assistant.call('start_draft', {
    workspaceId,
    title: TITLE,
    description: 'Orders are lost while **Payments** is down.',
  });
  await assistant.call('upsert_components', {
    workspaceId: draftId,
    components: [
      { id: 'orders', typeId: 'queue', name: 'Orders', description: 'Paid orders' },
      { id: 'pay', name: 'Payment worker' },
    ],
  });
  await assistant.call('upsert_relationships', {
    workspaceId: draftId,
    relationships: [{ sourceId: 'web', targetId: 'orders', typeId: 'uses', label: 'adds' }],
  });
  const { markdown } = await assistant.call('compare_draft', { draftId });
  expect(markdown).toContain('Payment worker');
  expect(await assistant.call('submit_draft', { draftId })).toMatchObject({ state: 'open' });
  return draftId;
}

/** Opens the newest notification whose title contains a text. */
async function openNotification(page: Page, title: RegExp): Promise<void> {
  await bell(page).click();
  await notifications(page).getByRole('button', { name: title }).first().click();
}

async function review(page: Page, verdict: string, text: string): Promise<void> {
  await banner(page).getByRole('button', { name: 'Review changes' }).click();
  await dialogOn(page)
    .getByRole('radio', { name: new RegExp(`^${verdict}`) })
    .check();
  await dialogOn(page).getByLabel('Message').fill(text);
  await dialogOn(page).getByRole('button', { name: verdict, exact: true }).click();
  await expect(dialogOn(page)).toHaveCount(0);
}

async function openAs(browser: Browser, who: Actor, path: string): Promise<Page> {
  const page = await newWindow(browser);
  await who.open(page, path);
  return page;
}

const names = async (who: Actor, id: string): Promise<string[]> =>
  (await who.get(`/api/workspaces/${id}`)).components.map(({ name }: { name: string }) => name).sort();

test('an assistant proposes a change, two people discuss it, and the owner merges and undoes it', async ({
  page,
  ada,
  browser,
}) => {
  test.slow();
  await ada.post('/api/me/inbox/read', { until: Date.now() });
  const id = await openMap(page, ada, SPOTS, [['web', 'pay']]);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const assistant = await Assistant.of(grace, 'Assistant');

  // The assistant can only propose, like its user.
  const refusal = await assistant.fail('upsert_components', {
    workspaceId: id,
    components: [{ id: 'pay', name: 'Payment worker' }],
  });
  expect(refusal).toContain('needs the access level editor, but you can propose changes');
  expect(refusal).toContain('start_draft');
  const draftId = await propose(assistant, id);
  expect(await names(ada, id)).toEqual(['Payments', 'Web shop']);

  // Its user looks at the proposal, and asks a colleague for a review.
  const author = await openAs(browser, grace, `${HOME}/w/${id}/drafts`);
  await author.getByRole('list', { name: 'Drafts' }).getByRole('link', { name: TITLE }).click();
  await expect(author.getByText('Orders are lost while')).toBeVisible();
  await author.getByRole('button', { name: 'More draft actions' }).click();
  await author.getByRole('menuitem', { name: 'Edit draft details' }).click();
  await author.getByRole('combobox', { name: 'Add reviewer' }).fill('Ada');
  await author.getByRole('option', { name: /Ada/ }).click();
  await dialogOn(author).getByRole('button', { name: 'Save details' }).click();
  await expect(reviewers(author)).toContainText('Not reviewed yet');

  // The reviewer is told at once, and sees the changes as a list and on the map.
  await expect(bell(page)).toHaveAccessibleName('Inbox: 1 unread notification');
  await openNotification(page, /Grace Hopper requested your review/);
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'added' })).toHaveText('2 added, 1 changed');
  const nextStep = page.getByRole('region', { name: 'Next step' });
  await expect(nextStep.getByRole('button', { name: 'Merge draft' })).toBeVisible();
  const changed = page.getByRole('article').filter({ hasText: 'Payment worker' });
  await expect(changed.getByRole('deletion')).toContainText('Payments');
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Show on map' }).click();
  await expect(sheet(page).getByText('2 added, 1 changed')).toBeVisible();
  await expect(component(page, 'orders')).toHaveAccessibleName(/added/);
  await expect(component(page, 'pay')).toHaveAccessibleName(/changed/);
  await expectAccessible(page);

  // The reviewer asks about a component of the draft, and requests changes.
  await sheet(page)
    .getByRole('button', { name: /Payment worker/ })
    .click();
  await inspector(page).getByRole('button', { name: 'Comment', exact: true }).click();
  await comments(page).getByRole('textbox', { name: 'Comment' }).fill('Is it one worker, or several?');
  await comments(page).getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(comments(page).getByRole('textbox', { name: 'Reply' })).toBeVisible();
  await review(page, 'Request changes', 'Please see my question.');
  await expect(banner(page)).toContainText('Changes requested');

  // The author sees both without a reload, answers, changes the map and submits it again.
  await expect(reviewers(author)).toContainText('Changes requested');
  await openNotification(author, /Ada Lovelace requested changes in your draft of .*: Queue payments/);
  await expect(author.getByRole('heading', { name: TITLE })).toBeVisible();
  const discussion = author.getByRole('region', { name: 'Discussion' });
  await discussion.getByRole('button', { name: /Is it one worker/ }).click();
  await discussion.getByRole('textbox', { name: 'Reply' }).fill('Several. I renamed it.');
  await discussion.getByRole('button', { name: 'Reply', exact: true }).click();
  await expect(comments(page).getByText('Several. I renamed it.')).toBeVisible();
  await author.getByRole('button', { name: 'Show on map' }).click();
  await component(author, 'pay').click();
  await author.keyboard.press('F2');
  await author.keyboard.type('Payment workers');
  await author.keyboard.press('Enter');
  await expect(component(page, 'pay')).toContainText('Payment workers');
  await banner(author).getByRole('button', { name: 'Submit again' }).click();
  await dialogOn(author).getByRole('button', { name: 'Submit draft' }).click();
  await expect(banner(author)).toContainText('In review');

  // The approval of the reviewer lapses when the map changes again.
  await comments(page).getByRole('button', { name: 'Resolve thread' }).click();
  await review(page, 'Approve', 'Good.');
  await expect(banner(author)).toContainText('Approved');
  await assistant.call('upsert_components', {
    workspaceId: draftId,
    components: [{ id: 'orders', description: 'Paid orders, kept for a day' }],
  });
  await expect(banner(page)).toContainText('In review');
  await page.getByRole('link', { name: 'Changes', exact: true }).click();
  await expect(reviewers(page)).toContainText('Approval lapsed');
  await expect(page.getByRole('article').filter({ hasText: 'kept for a day' })).toBeVisible();
  await review(page, 'Approve', 'Still good.');
  await expect(reviewers(page)).toContainText('Approved');

  // The owner merges it as one change set, which one undo reverts.
  await banner(page).getByRole('button', { name: 'Merge draft' }).click();
  await dialogOn(page).getByRole('button', { name: 'Merge draft' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/w/${id}`));
  await expect(component(page, 'pay')).toContainText('Payment workers');
  await expect(component(page, 'orders')).toContainText('Orders');
  await expect(banner(author)).toContainText('Merged');
  await openNotification(author, /Ada Lovelace merged your draft of .*: Queue payments/);
  await expect(author.getByRole('heading', { name: TITLE })).toBeVisible();
  const { draft } = await ada.get(`/api/drafts/${draftId}`);
  expect(draft).toMatchObject({ state: 'merged', endedBy: { displayName: 'Ada Lovelace' } });
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await expect(page.getByText(`Draft #1: ${TITLE}`)).toBeVisible();
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await component(page, 'pay').waitFor();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(component(page, 'pay')).toContainText('Payments');
  await expect(component(page, 'orders')).toHaveCount(0);
  await expect.poll(() => names(ada, id)).toEqual(['Payments', 'Web shop']);
});

test('a proposal of an assistant is reviewed and merged on a phone', async ({ page, ada }) => {
  await ada.post('/api/me/inbox/read', { until: Date.now() });
  await page.setViewportSize(PHONE);
  const id = await openMap(page, ada, SPOTS, [['web', 'pay']]);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const assistant = await Assistant.of(grace, 'Assistant');
  const draftId = await propose(assistant, id);
  const { id: adaId } = await ada.get('/api/me');
  await assistant.call('submit_draft', { draftId, reviewers: [String(adaId)] });
  await openNotification(page, /Grace Hopper requested your review/);
  await expect(page.getByRole('article').filter({ hasText: 'Payment worker' })).toBeVisible();
  await page.getByRole('button', { name: 'Show on map' }).click();
  await expect(sheet(page).getByText('2 added, 1 changed')).toBeVisible();
  // One of the changed components is beside the list of changes.
  const isUncovered = () =>
    page.evaluate(() =>
      ['orders', 'pay'].some((id) => {
        const node = document.querySelector(`[data-component="${id}"]`);
        const box = node?.getBoundingClientRect();
        if (!node || !box) return false;
        return node.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
      }),
    );
  await expect.poll(isUncovered).toBe(true);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await review(page, 'Approve', 'Good.');
  await expect(banner(page)).toContainText('Approved');
  await banner(page).getByRole('button', { name: 'Merge draft' }).click();
  await dialogOn(page).getByRole('button', { name: 'Merge draft' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/w/${id}`));
  expect(await names(ada, id)).toEqual(['Orders', 'Payment worker', 'Web shop']);
});
