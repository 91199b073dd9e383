/** Access to a workspace: what the organization can do, and requests for edit access. */
import type { Browser, Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { openMap } from './support/map.ts';

async function openAs(browser: Browser, who: Actor, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await who.open(page, path);
  return page;
}

/** Checks the page of a viewer. Their button with the text “Comment” is named “Comments”. */
const expectAccessibleView = (page: Page) =>
  expectNoViolations(page, undefined, ['label-content-name-mismatch']);

const dialogOn = (page: Page) => page.getByRole('dialog', { name: /^Access to/ });

test('a viewer requests edit access, and an owner grants it', async ({ page, ada, browser }) => {
  const id = await openMap(page, ada, [{ id: 'web', x: 300, y: 160 }]);
  const grace = await ada.invite('grace-requests', 'Grace Requests');
  const other = await openAs(browser, grace, `/o/analytical-engines/w/${id}`);
  await other.getByRole('button', { name: 'View only' }).focus();
  await other.keyboard.press('Enter');
  await other.getByLabel('Message to the owners').fill('I maintain the shop.');
  await expectAccessibleView(other);
  await other.keyboard.press('Tab');
  await other.keyboard.press('Enter');
  await expect(other.getByText(/You requested edit access/)).toBeVisible();

  // The owner sees it without a reload.
  await page.getByRole('button', { name: '1 access request. Manage access' }).click();
  const dialog = dialogOn(page);
  await expect(dialog.getByText('I maintain the shop.')).toBeVisible();
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Grant Grace Requests edit access' }).click();
  await expect(dialog.getByLabel('Access level of Grace Requests')).toHaveValue('editor');
  await expect(dialog.getByRole('list', { name: 'Access requests' })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /access request/ })).toBeHidden();
  await expect(other.getByRole('button', { name: 'Add component' })).toBeVisible();
  await expect(other.getByRole('button', { name: 'View only' })).toBeHidden();
});

test('a request is declined, and another one is withdrawn', async ({ page, ada, browser }) => {
  const id = await openMap(page, ada, [{ id: 'web', x: 300, y: 160 }]);
  const grace = await ada.invite('grace-declined', 'Grace Declined');
  const other = await openAs(browser, grace, `/o/analytical-engines/w/${id}`);
  await other.getByRole('button', { name: 'View only' }).click();
  await other.getByRole('button', { name: 'Request edit access' }).click();
  await page.getByRole('button', { name: '1 access request. Manage access' }).click();
  await dialogOn(page).getByRole('button', { name: 'Decline the request of Grace Declined' }).click();
  await expect(other.getByRole('button', { name: 'Request edit access' })).toBeVisible();
  await page.keyboard.press('Escape');

  await other.getByRole('button', { name: 'Request edit access' }).click();
  await expect(page.getByRole('button', { name: '1 access request. Manage access' })).toBeVisible();
  await other.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(page.getByRole('button', { name: /access request/ })).toBeHidden();
});

test('an owner lets the whole organization edit, and takes it back', async ({ page, ada, browser }) => {
  const id = await openMap(page, ada, [{ id: 'web', x: 300, y: 160 }]);
  const grace = await ada.invite('grace-edits', 'Grace Edits');
  const other = await openAs(browser, grace, `/o/analytical-engines/w/${id}`);
  await expect(other.getByRole('button', { name: 'View only' })).toBeVisible();
  await page.getByRole('button', { name: 'Show inspector' }).click();
  await page.getByRole('button', { name: 'Manage access' }).click();
  const access = dialogOn(page).getByLabel('Who has access');
  await access.selectOption('Organization can edit');
  await expect(other.getByRole('button', { name: 'Add component' })).toBeVisible();
  await access.selectOption('Organization can view');
  await expect(other.getByRole('button', { name: 'Add component' })).toBeHidden();
  await expect(other.getByRole('button', { name: 'View only' })).toBeVisible();
});
