/** Drafts: propose a change, compare it on the map, review, resolve conflicts, merge and undo. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import {
  goTo,
  inviteEditor,
  names,
  openAs,
  openAt,
  openedDraft,
  SPOTS,
  startDraft,
} from './support/drafts.ts';
import { expect, test } from './support/fixtures.ts';
import { Keyboard } from './support/keyboard.ts';
import { component, createMap, openMap } from './support/map.ts';

const PHONE = { width: 390, height: 844 };
const banner = (page: Page) => page.getByRole('region', { name: 'Draft', exact: true });
const sheet = (page: Page) => page.getByRole('region', { name: 'Changes', exact: true });
const toast = (page: Page) => page.getByRole('dialog', { name: 'Note' });

test('a reader proposes a change on the first screen, an editor approves and merges it, and undoes the merge', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, SPOTS, [['web', 'pay']]);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const reader = await openAs(browser, grace, id);
  await reader.getByRole('button', { name: 'Propose a change' }).click();
  await reader.getByLabel('Title').fill('Rename the shop');
  await reader.getByRole('button', { name: 'Start draft' }).click();
  const draftId = await openedDraft(reader);
  await expect(banner(reader)).toContainText('Rename the shop');
  await expect(banner(reader)).toContainText('In progress');
  await component(reader, 'web').click();
  await reader.keyboard.press('F2');
  await reader.keyboard.type('Storefront');
  await reader.keyboard.press('Enter');
  await expect(banner(reader)).toContainText('1 changed');
  await banner(reader).getByRole('button', { name: 'Compare' }).click();
  await expect(sheet(reader).getByRole('button', { name: /Storefront/ })).toContainText('name changed');
  await expect(component(reader, 'web')).toHaveAccessibleName(/changed/);
  await banner(reader).getByRole('button', { name: 'Submit for review' }).click();
  await reader.getByRole('combobox', { name: 'Add reviewer' }).fill('Ada');
  await reader.getByRole('option', { name: /Ada/ }).click();
  await dialogOn(reader).getByRole('button', { name: 'Submit draft' }).click();
  await expect(banner(reader)).toContainText('In review');
  expect(await names(ada, id)).toContain('Web shop');

  // The editor finds the draft in the list, and looks at the changes on the map.
  await page.getByRole('link', { name: 'Drafts' }).click();
  const list = page.getByRole('list', { name: 'Drafts' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('link', { name: 'Rename the shop' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Storefront' })).toContainText('Web shop');
  await page.getByRole('button', { name: 'Show on map' }).click();
  await expect(sheet(page).getByText('1 changed')).toBeVisible();
  await banner(page).getByRole('button', { name: 'Review changes' }).click();
  await page.getByLabel('Message').fill('Good name.');
  await dialogOn(page).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(banner(page)).toContainText('Approved');
  await expect(banner(reader)).toContainText('Approved');
  await banner(page).getByRole('button', { name: 'Merge draft' }).click();
  await dialogOn(page).getByRole('button', { name: 'Merge draft' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/w/${id}`));
  await expect(component(page, 'web')).toContainText('Storefront');
  await expect(banner(reader)).toContainText('Merged');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(component(page, 'web')).toContainText('Web shop');
  expect((await ada.get(`/api/drafts/${draftId}`)).draft.state).toBe('merged');
});

test('owners protect a workspace, readers see the rules, and an edit starts a draft with the edit', async ({
  page,
  ada,
  browser,
}) => {
  const { id } = await createMap(ada, SPOTS);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const rules = 'Protected: changes need a draft with 2 approvals. Owners can change the map directly.';
  await openAt(ada, page, id, '/drafts');
  await test.step('owners protect a workspace', async () => {
    await expect(page.getByText('Not protected')).toBeVisible();
    await page.getByLabel('Protect this workspace').check();
    await page.getByLabel('Required approvals').selectOption('2');
    await page.getByLabel('Owners can change it without a draft').check();
    await page.getByRole('button', { name: 'Save protection' }).click();
    await expect(page.getByText(rules)).toBeVisible();
    expect(await ada.get(`/api/workspaces/${id}/protection`)).toMatchObject({
      protected: true,
      requiredApprovals: 2,
      ownersExempt: true,
    });
  });
  const editor = await openAs(browser, grace, id, '/drafts');
  await test.step('readers see the rules', async () => {
    await expect(editor.getByText(rules)).toBeVisible();
    await expect(editor.getByLabel('Protect this workspace')).toHaveCount(0);
    await expect(editor.getByRole('button', { name: 'Propose a change' })).toBeVisible();
  });
  let draftId = '';
  await test.step('an edit of a protected workspace starts a draft with the edit, which can be undone there', async () => {
    const { id: userId } = await grace.get('/api/me');
    await ada.post(`/api/workspaces/${id}/members`, { userId, role: 'editor' });
    await ada.patch(`/api/workspaces/${id}/protection`, { requiredApprovals: 1, ownersExempt: false });
    await goTo(editor, id);
    await editor.getByRole('button', { name: 'Protected workspace' }).click();
    await expect(editor.getByText('Protected: changes need a draft with 1 approval.')).toBeVisible();
    await editor.keyboard.press('Escape');
    await component(editor, 'web').click();
    await editor.keyboard.press('F2');
    await editor.keyboard.type('Storefront');
    await editor.keyboard.press('Enter');
    draftId = await openedDraft(editor);
    await expect(
      editor.getByText('This workspace is protected. Your change is in the new draft'),
    ).toBeVisible();
    await expect(component(editor, 'web')).toContainText('Storefront');
    await expect.poll(() => names(grace, draftId)).toContain('Storefront');
    expect(await names(grace, id)).toContain('Web shop');
    await editor.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Undo' }).click();
    await expect(component(editor, 'web')).toContainText('Web shop');
  });
  await test.step('the next edit can continue in the same draft', async () => {
    // The next edit of the workspace can continue in the same draft.
    await goTo(editor, id);
    await component(editor, 'pay').click();
    await editor.keyboard.press('Delete');
    const dialog = dialogOn(editor);
    await expect(dialog).toContainText('Your change is not saved yet');
    await expectAccessible(editor);
    await dialog.getByRole('button', { name: 'Continue in draft' }).click();
    expect(await openedDraft(editor)).toBe(draftId);
    await expect(component(editor, 'pay')).toHaveCount(0);
    expect(await names(grace, id)).toContain('Payments');
  });
});

test('the comparison is drawn on the map, listed with both values, and copied as Markdown', async ({
  page,
  ada,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await createMap(ada, SPOTS, [['web', 'pay']]);
  const draftId = await startDraft(ada, id);
  await openAt(ada, page, draftId, '?compare=base');
  await test.step('on the map, with a legend', async () => {
    await expect(sheet(page).getByText('1 added, 1 changed, 1 removed')).toBeVisible();
    await expect(sheet(page).getByRole('list', { name: 'Legend' }).getByRole('listitem')).toHaveText([
      /Added/,
      /Changed/,
      /Removed/,
    ]);
    await expect(component(page, 'cart')).toHaveAccessibleName(/added/);
    await expect(component(page, 'web')).toHaveAccessibleName(/changed/);
    await expect(page.getByRole('img', { name: 'Old gateway, removed' })).toBeVisible();
    await expectAccessible(page);
    await sheet(page).getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect(page.getByText('Changes copied as Markdown')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Storefront');
  });
  await test.step('on the page of the changes, with both values', async () => {
    await sheet(page).getByRole('link', { name: 'All details' }).click();
    const change = page.getByRole('article').filter({ hasText: 'Storefront' });
    await expect(change.getByRole('deletion')).toContainText('Web shop');
    await expect(change.getByRole('insertion')).toContainText('Storefront');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Added/ }).click();
    await expect(page.getByRole('article')).toHaveCount(1);
  });
  await test.step('the map moves to all changes, also to removed components', async () => {
    const far = await createMap(ada, [
      { id: 'web', x: 300, y: 160, name: 'Web shop' },
      { id: 'old', x: 300, y: 900, name: 'Old gateway' },
    ]);
    const { draft } = await ada.post(`/api/workspaces/${far.id}/drafts`, { title: 'Remove the old gateway' });
    await ada.patch(`/api/workspaces/${draft.id}/components/web`, { name: 'Storefront' });
    await ada.delete(`/api/workspaces/${draft.id}/components/old`);
    await goTo(page, draft.id, '/changes');
    await expect(page.getByRole('heading', { name: 'Remove the old gateway' })).toBeVisible();
    await page.getByRole('button', { name: 'Show on map' }).click();
    await expect(component(page, 'web')).toBeInViewport({ ratio: 0.99 });
    await expect(page.getByRole('img', { name: 'Old gateway, removed' })).toBeInViewport({ ratio: 0.99 });
  });
});

test('the changes of the workspace are brought into the draft, and conflicts are decided field by field', async ({
  page,
  ada,
}) => {
  const { id } = await createMap(ada, SPOTS);
  const draftId = await startDraft(ada, id);
  await ada.patch(`/api/workspaces/${id}/components/pay`, { name: 'Billing' });
  await openAt(ada, page, draftId, '?at=400,200,1');
  await test.step('the changes of the workspace are brought into the draft', async () => {
    await expect(banner(page)).toContainText('Workspace has changed');
    await banner(page).getByRole('button', { name: 'More draft actions' }).click();
    await page.getByRole('menuitem', { name: 'Update from workspace' }).click();
    await dialogOn(page).getByRole('button', { name: 'Update draft' }).click();
    await expect(component(page, 'pay')).toContainText('Billing');
    await expect(banner(page)).not.toContainText('Workspace has changed');
    // Only the changes of the draft are left to be merged.
    await expect(banner(page)).toContainText('1 added, 1 changed, 1 removed');
  });
  await test.step('conflicts are decided field by field, with the keyboard alone', async () => {
    await ada.patch(`/api/workspaces/${draftId}/components/web`, { description: 'Sells things.' });
    await ada.patch(`/api/workspaces/${id}/components/web`, { name: 'Shop', description: 'The shop.' });
    await ada.patch(`/api/drafts/${draftId}`, { state: 'open' });
    await banner(page).getByRole('button', { name: 'Compare' }).click();
    await expect(component(page, 'web')).toHaveAccessibleName(/conflicting/);
    await expect(banner(page)).toContainText('Workspace has changed');
    const keyboard = new Keyboard(page);
    await keyboard.press(banner(page).getByRole('button', { name: 'Merge draft' }));
    const dialog = dialogOn(page);
    await expect(dialog.getByText('2 conflicts, 2 to decide')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Merge draft' })).toBeDisabled();
    await expectAccessible(page);
    await keyboard.press(dialog.getByRole('button', { name: 'Use workspace for all' }));
    const name = dialog.getByRole('group', { name: /name/ });
    await keyboard.focus(name.getByRole('radio', { name: /Workspace/ }));
    await page.keyboard.press('ArrowDown');
    await expect(name.getByRole('radio', { name: /Draft/ })).toBeChecked();
    await keyboard.press(dialog.getByRole('button', { name: 'Merge draft' }));
    await page.waitForURL((url) => url.pathname.endsWith(`/w/${id}`));
    const { components } = await ada.get(`/api/workspaces/${id}`);
    expect(components.find((row: { id: string }) => row.id === 'web')).toMatchObject({
      name: 'Storefront',
      description: 'The shop.',
    });
  });
});

test('drafts wait for a review, and approvals lapse when the draft changes', async ({
  page,
  ada,
  browser,
}) => {
  const { id } = await createMap(ada, SPOTS);
  const grace = await inviteEditor(ada, id, 'grace', 'Grace Hopper');
  const draftId = await startDraft(ada, id);
  const otherId = await startDraft(ada, id, 'Not submitted');
  const { id: graceId } = await grace.get('/api/me');
  await ada.patch(`/api/drafts/${draftId}`, { state: 'open', reviewers: [graceId] });
  const reviewer = await openAs(browser, grace, id, '/drafts');
  const list = reviewer.getByRole('list', { name: 'Drafts' });
  await test.step('the list shows the drafts that wait for a review', async () => {
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await reviewer.getByLabel('State').selectOption('Waiting for my review');
    await expect(list.getByRole('link')).toHaveText(['Split payments']);
    await grace.post(`/api/drafts/${draftId}/reviews`, { verdict: 'approved' });
    await expect(reviewer.getByText('No drafts are waiting for your review.')).toBeVisible();
    await expectAccessible(reviewer);
  });
  await test.step('an approval lapses when the map of the draft changes, which is shown without a reload', async () => {
    // The approval lapses when the map of the draft changes, which the page of the workspace shows without a reload.
    await openAt(ada, page, id, `/drafts/${draftId}`);
    await expect(page.getByText('Approved').first()).toBeVisible();
    await ada.post(`/api/workspaces/${draftId}/decisions`, { title: 'Use a queue', body: 'It waits.' });
    await expect(list.getByRole('link')).toHaveText(['Split payments']);
    await expect(page.getByText('Approval lapsed')).toBeVisible();
    await expect(page.getByRole('article').filter({ hasText: 'Use a queue' })).toContainText('It waits.');
  });
  await test.step('the page of the draft shows that the workspace has changed', async () => {
    // The page of the draft shows that the workspace has changed.
    await page.getByRole('button', { name: 'Show on map' }).click();
    await expect(banner(page)).not.toContainText('Workspace has changed');
    await grace.patch(`/api/workspaces/${id}/components/pay`, { description: 'Pays.' });
    await expect(banner(page)).toContainText('Workspace has changed');
  });
  await test.step('a request for changes is answered by submitting again', async () => {
    await ada.patch(`/api/drafts/${otherId}`, { state: 'open' });
    await grace.post(`/api/drafts/${otherId}/reviews`, { verdict: 'approved', text: 'Fine.' });
    await goTo(page, otherId, '/changes');
    const reviewers = page.getByRole('list', { name: 'Reviewers' });
    await expect(reviewers).toContainText('Approved');
    await ada.patch(`/api/workspaces/${otherId}/components/pay`, { name: 'Billing' });
    await expect(reviewers).toContainText('Approval lapsed');
    await expect(page.getByText('Lapsed: the draft has changed since.')).toBeVisible();
    await grace.post(`/api/drafts/${otherId}/reviews`, {
      verdict: 'changes-requested',
      text: 'Keep *Payments*.',
    });
    await expect(reviewers).toContainText('Changes requested');
    await expect(page.getByText('A reviewer requested changes. Edit the map')).toBeVisible();
    await ada.patch(`/api/workspaces/${otherId}/components/pay`, { name: 'Payments' });
    await banner(page).getByRole('button', { name: 'Submit again' }).click();
    await dialogOn(page).getByRole('button', { name: 'Submit draft' }).click();
    await expect(reviewers).toContainText('Not reviewed yet');
  });
});

test('a draft is started from the command palette, closed, reopened, and discussed', async ({
  page,
  ada,
}) => {
  const id = await openMap(page, ada, SPOTS);
  const run = async (command: string) => {
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill(command);
    await page.getByRole('option', { name: command, exact: false }).first().waitFor();
    await page.keyboard.press('Enter');
  };
  let draftId = '';
  await test.step('everything can be done from the command palette', async () => {
    await run('Start draft');
    await expect(page.getByLabel('Title')).toBeFocused();
    await page.keyboard.type('From the palette');
    await page.keyboard.press('Enter');
    draftId = await openedDraft(page);
    await run('Show changes of the draft');
    await expect(sheet(page).getByText('No changes yet')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toHaveCount(0);
    await run('Submit for review');
    await expect(dialogOn(page).getByRole('button', { name: 'Submit draft' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOn(page)).toHaveCount(0);
  });
  await test.step('a draft is closed and reopened, and is read-only in between', async () => {
    await banner(page).getByRole('button', { name: 'More draft actions' }).click();
    await page.getByRole('menuitem', { name: 'Close draft' }).click();
    await dialogOn(page).getByRole('button', { name: 'Close draft' }).click();
    await expect(banner(page)).toContainText('Closed');
    await expect(page.getByRole('button', { name: 'Add component' })).toBeHidden();
    await goTo(page, id, '/drafts');
    await expect(page.getByRole('heading', { name: 'No unfinished drafts' })).toBeVisible();
    await page.getByLabel('State').selectOption('Closed');
    await page.getByRole('link', { name: 'From the palette' }).click();
    await page.getByRole('button', { name: 'More draft actions' }).click();
    await page.getByRole('menuitem', { name: 'Reopen draft' }).click();
    await expect(page.getByText('In progress')).toBeVisible();
  });
  await test.step('the discussion of a draft is listed on its page', async () => {
    await page.getByRole('button', { name: 'Start discussion' }).click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Why two services?');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Reply' })).toBeVisible();
    const { threads } = await ada.get(`/api/workspaces/${draftId}/threads`);
    expect(threads).toHaveLength(1);
  });
});

const LONG_TITLE = 'A rather long title of a draft, which needs several lines on a phone';

/** A submitted draft with a conflict, on a phone. */
async function onPhone(page: Page, ada: Actor): Promise<{ id: string; draftId: string }> {
  await page.setViewportSize(PHONE);
  const { id } = await createMap(ada, SPOTS);
  const draftId = await startDraft(ada, id, LONG_TITLE);
  await ada.patch(`/api/workspaces/${id}/components/web`, { name: 'Shop' });
  await ada.patch(`/api/drafts/${draftId}`, { state: 'open' });
  return { id, draftId };
}

/** Checks both themes, and that nothing is wider than the phone. */
async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
}

test('the pages of drafts fit on a phone, where a draft is compared and merged', async ({ page, ada }) => {
  test.slow();
  const { id, draftId } = await onPhone(page, ada);
  await openAt(ada, page, draftId, '/changes');
  await test.step('the pages of drafts fit', async () => {
    await page.getByRole('heading', { name: LONG_TITLE }).waitFor();
    await page.getByRole('article').first().waitFor();
    await expectFits(page);
    await goTo(page, id, '/drafts');
    await page.getByRole('link', { name: LONG_TITLE }).waitFor();
    await expectFits(page);
  });
  await test.step('a draft is compared and merged', async () => {
    await goTo(page, draftId, '?compare=base');
    await expect(sheet(page).getByText(/1 conflict/)).toBeVisible();
    await expectFits(page);
    await banner(page).getByRole('button', { name: 'Merge draft' }).click();
    await expect(dialogOn(page).getByText('1 conflict, 1 to decide')).toBeVisible();
    await expectFits(page);
    await dialogOn(page).getByRole('button', { name: 'Use draft for all' }).click();
    await dialogOn(page).getByRole('button', { name: 'Merge draft' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/w/${id}`));
    expect(await names(ada, id)).toEqual(['Cart', 'Payments', 'Storefront']);
  });
});
