/** Access to a workspace: what the organization can do, and requests for edit access. */
import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { openMap } from './support/map.ts';
import { newWindow } from './support/workspaces.ts';

/** Checks the page of a viewer. Their button with the text “Comment” is named “Comments”. */
const expectAccessibleView = (page: Page) =>
  expectNoViolations(page, undefined, ['label-content-name-mismatch']);

const dialogOn = (page: Page) => page.getByRole('dialog', { name: /^Access to/ });

test('owners let the organization edit, and decline or grant requests for edit access', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, [{ id: 'web', x: 300, y: 160 }]);
  const grace = await ada.invite('grace-requests', 'Grace Requests');
  const other = await newWindow(browser);
  await grace.open(other, `/o/analytical-engines/w/${id}`);
  const viewOnly = other.getByRole('button', { name: 'View only' });
  const request = other.getByRole('button', { name: 'Request edit access' });
  await test.step('an owner lets the whole organization edit, and takes it back', async () => {
    await expect(viewOnly).toBeVisible();
    await page.getByRole('button', { name: 'Show inspector' }).click();
    await page.getByRole('button', { name: 'Manage access' }).click();
    const access = dialogOn(page).getByLabel('Who has access');
    await access.selectOption('Organization can edit');
    await expect(other.getByRole('button', { name: 'Add component' })).toBeVisible();
    await access.selectOption('Organization can view');
    await expect(other.getByRole('button', { name: 'Add component' })).toBeHidden();
    await expect(viewOnly).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOn(page)).toBeHidden();
  });
  await test.step('a request is declined, and another one is withdrawn', async () => {
    await viewOnly.click();
    await request.click();
    await page.getByRole('button', { name: '1 access request. Manage access' }).click();
    await dialogOn(page).getByRole('button', { name: 'Decline the request of Grace Requests' }).click();
    await expect(request).toBeVisible();
    await page.keyboard.press('Escape');

    await request.click();
    await expect(page.getByRole('button', { name: '1 access request. Manage access' })).toBeVisible();
    await other.getByRole('button', { name: 'Withdraw request' }).click();
    await expect(page.getByRole('button', { name: /access request/ })).toHaveCount(0);
    await expect(request).toBeVisible();
    await other.keyboard.press('Escape');
    await expect(request).toBeHidden();
  });
  await test.step('a viewer requests edit access with the keyboard, and an owner grants it', async () => {
    await viewOnly.focus();
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
    await expect(page.getByRole('button', { name: /access request/ })).toHaveCount(0);
    await expect(other.getByRole('button', { name: 'Add component' })).toBeVisible();
    await expect(viewOnly).toBeHidden();
  });
});
