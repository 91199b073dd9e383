import { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visibleImages } from './support/imageHost.ts';
import { expectGoodLayout } from './support/layout.ts';
import { Server } from './support/server.ts';
import { visit } from './support/visit.ts';
import { pageId, startWiki } from './support/wiki.ts';
import { selectByKeyboard } from './support/workspaces.ts';

const SETTINGS = '/o/analytical-engines/settings/wiki';

/** Creates a map with one component. Returns its URL. */
async function webShop(ada: Actor): Promise<string> {
  const id = `shop-${process.pid}`;
  const components = [{ id: 'web', typeId: 'web-app', name: 'Web', x: 0, y: 0 }];
  await ada.put(`/api/workspaces/${id}/bulk`, { workspace: { name: 'Shop' }, components, relationships: [] });
  return `/o/analytical-engines/w/${id}`;
}

test('an administrator connects the wiki, links pages, and disconnects it', async ({ page }) => {
  test.slow();
  const wiki = await startWiki();
  const own = await Server.start({ env: wiki.env });
  const ada = await Actor.first(own.url, own.setUpLink);

  await ada.open(page, SETTINGS);
  await expect(page.getByText('The wiki is not connected')).toBeVisible();
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Connect wiki' }).press('Enter');
  // The fake provider grants access and redirects back.
  await expect(page.getByRole('status').filter({ hasText: 'Wiki connected' })).toBeVisible();
  await expect(page.getByText('🏭 Engines’ wiki')).toBeVisible();
  // The message is shown once and not repeated after a reload.
  expect(page.url()).toBe(`${own.url}${SETTINGS}`);
  await page.reload();
  await expect(page.getByText('🏭 Engines’ wiki')).toBeVisible();
  await expect(page.getByText('Wiki connected.')).toHaveCount(0);
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Connection works: wiki Engines’ wiki')).toBeVisible();

  await visit(page, await webShop(ada));
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  await selectByKeyboard(page, 'Web');
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByRole('button', { name: 'Browse wiki' }).press('Enter');
  const picker = dialogOn(page);
  await expect(picker.getByRole('searchbox', { name: 'Filter pages' })).toBeFocused();
  await picker.getByRole('button', { name: 'Pages in Handbook' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await expect(picker.getByRole('button', { name: 'Handbook', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  // This page has an uploaded icon.
  await expect(visibleImages(picker.getByRole('button', { name: 'On call' }))).toBeVisible();
  await expectGoodLayout(page);
  // The filter hides pages by title, except for expanded pages, which may contain matches.
  await picker.getByRole('searchbox').fill('runb');
  await expect(picker.getByRole('button', { name: 'On call' })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(picker.getByRole('button', { name: 'Checkout runbook' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(picker).toBeHidden();
  // The focus returns to the button.
  await expect(page.getByRole('button', { name: 'Add link' })).toBeFocused();
  const link = page.getByRole('link', { name: 'Checkout runbook' });
  await expect(link).toHaveAttribute('href', `https://app.notion.com/p/${pageId(3)}`);
  // The server fetches the icon. The page sends no requests to other hosts.
  await expect(visibleImages(page.getByRole('listitem').filter({ has: link }))).toBeVisible();
  // The same for an uploaded icon, whose URL is not sent to the browser.
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByLabel('URL').fill(`https://www.notion.so/On-call-${pageId(2)}`);
  await page.keyboard.press('Enter');
  const onCall = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'On call' }) });
  await expect(visibleImages(onCall)).toBeVisible();
  await expect(onCall).not.toContainText('upload');
  // A pasted URL also gets the title of the page.
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByLabel('URL').fill(`https://www.notion.so/Handbook-${pageId(1)}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Handbook' })).toBeVisible();
  await expect(page.getByText('📕')).toBeVisible();
  await page.getByRole('button', { name: 'Refresh title of Handbook' }).click();
  await expect(page.getByText('“Handbook” is up to date')).toBeVisible();
  // Pages that are not shared can also be linked.
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByLabel('URL').fill(`https://www.notion.so/Secret-${pageId(9)}`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('The page does not exist, or it is not shared')).toBeVisible();
  await page.getByRole('button', { name: 'Add without title' }).click();
  await expect(page.getByRole('link', { name: `notion.so/Secret-${pageId(9)}` })).toBeVisible();

  wiki.rename(pageId(3), 'Runbook of the checkout');
  await visit(page, SETTINGS);
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await expect(page.getByText('3 of 3 pages checked, 1 link updated')).toBeVisible();

  wiki.uninstall();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText(/The wiki has rejected this connection since/)).toBeVisible();
  // The message is shown once, and there is nothing to refresh.
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Refresh now' })).toBeDisabled();
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await dialogOn(page).getByRole('button', { name: 'Disconnect wiki' }).click();
  await expect(page.getByText('The wiki is not connected')).toBeVisible();
  await page.close();
  await own.end();
  wiki.end();
});

test('without a wiki connection, the page picker shows instructions', async ({ page, ada }) => {
  await ada.open(page, await webShop(ada));
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  await selectByKeyboard(page, 'Web');
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByRole('button', { name: 'Browse wiki' }).click();
  await expect(dialogOn(page).getByText('The wiki is not connected.')).toBeVisible();
  await dialogOn(page).getByRole('link', { name: 'organization settings' }).click();
  await expect(page.getByText('planroom wiki setup')).toBeVisible();
  await expectGoodLayout(page);
});
