/** Share links: an owner shares a map, readers open it without an account, and administrators limit it. */
import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { createMap, openMap } from './support/map.ts';
import { visitMap } from './support/visit.ts';

const PHONE = { width: 390, height: 844 };
const SPOTS = [
  { id: 'web', x: 300, y: 160, name: 'Web shop' },
  { id: 'pay', x: 600, y: 160, name: 'Payments' },
];

const dialogOn = (page: Page) => page.getByRole('dialog', { name: /^Share/ });

function fail(): never {
  throw new Error('It has no box.');
}

/** A page of a reader without an account. */
async function reader(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** Opens the dialog to share the map. */
async function openShareDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(dialogOn(page)).toBeVisible();
}

/** Chooses an action for a link in the dialog. */
async function chooseFor(page: Page, link: string, action: string): Promise<void> {
  await dialogOn(page)
    .getByRole('button', { name: `More actions for ${link}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** The width of the drawing, which is shown by the viewer. */
async function imageWidth(page: Page): Promise<number> {
  const widths = () =>
    page
      .locator('main svg, main img')
      .evaluateAll((all) => Math.max(0, ...all.map((one) => one.getBoundingClientRect().width)))
      .catch(() => 0); // The page is loading.
  await expect.poll(widths).toBeGreaterThan(100);
  return widths();
}

test('an owner creates a link with the keyboard, which readers use until it is rotated or revoked', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, SPOTS, [['web', 'pay']]);
  const visitor = await reader(browser);
  const address = async () => (await ada.get(`/api/workspaces/${id}/shares`)).shares[0].url;

  await page.getByRole('button', { name: 'Share', exact: true }).focus();
  await page.keyboard.press('Enter');
  await dialogOn(page).getByRole('button', { name: 'Create share link' }).press('Enter');
  await dialogOn(page).getByLabel('Name').fill('Wiki page');
  await expectAccessible(page);
  await dialogOn(page).getByLabel('Name').press('Enter');
  const row = dialogOn(page).getByRole('listitem').filter({ hasText: 'Wiki page' });
  await expect(row.getByText('Active')).toBeVisible();
  await expect(row.getByText('The whole map')).toBeVisible();

  const first = await address();
  await test.step('a reader sees the map without an account', async () => {
    await visitor.goto(first);
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await imageWidth(visitor)).toBeGreaterThan(100);
    await expectAccessible(visitor);
    await visitor.setViewportSize(PHONE);
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      PHONE.width,
    );
  });

  await test.step('a rotated link has a new address', async () => {
    await chooseFor(page, 'Wiki page', 'Rotate link');
    await page.getByRole('button', { name: 'Rotate link' }).click();
    await expect(page.getByText('Link rotated. Copy its new address.')).toBeVisible();
    expect((await visitor.goto(first))?.status()).toBe(404);
    expect((await visitor.goto(await address()))?.status()).toBe(200);
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
  });

  await test.step('a revoked link is not available', async () => {
    await chooseFor(page, 'Wiki page', 'Revoke link');
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await expect(dialogOn(page).getByText('No share links')).toBeVisible();
    await visitor.reload();
    await expect(visitor.getByRole('heading', { name: 'Link not available' })).toBeVisible();
  });
});

test('an owner sets a password, and changes the colors, the expiry and the password of a link', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, SPOTS);
  const visitor = await reader(browser);
  const dialog = dialogOn(page);

  await test.step('a reader enters the password of a link', async () => {
    await openShareDialog(page);
    await dialog.getByRole('button', { name: 'Create share link' }).click();
    await dialog.getByLabel('Name').fill('Customer');
    await dialog.getByLabel('Password (optional)').fill('correct horse battery');
    await dialog.getByRole('button', { name: 'Create share link' }).click();
    await expect(dialog.getByText('Password', { exact: true })).toBeVisible();
    const { shares } = await ada.get(`/api/workspaces/${id}/shares`);
    await visitor.goto(shares[0].url);
    await expectAccessible(visitor);
    await visitor.getByLabel('Password').fill('battery horse correct');
    await visitor.keyboard.press('Enter');
    await expect(visitor.getByRole('alert')).toHaveText('The password is wrong. Try again.');
    await visitor.getByLabel('Password').fill('correct horse battery');
    await visitor.keyboard.press('Enter');
    expect(await imageWidth(visitor)).toBeGreaterThan(100);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('the settings of a link are changed', async () => {
    const other = await visitMap(page, ada, SPOTS);
    const { share } = await ada.post(`/api/workspaces/${other}/shares`, {
      name: 'Wiki page',
      password: 'correct horse battery',
    });
    await openShareDialog(page);
    await chooseFor(page, 'Wiki page', 'Edit link');
    await expect(dialog.getByLabel('Name')).toHaveValue('Wiki page');
    await dialog.getByLabel('Name').fill('Customer page');
    await dialog.getByLabel('Colors').selectOption('Dark');
    await dialog.getByLabel('Expires').selectOption('In 7 days');
    await dialog.getByLabel('Remove the password').check();
    await dialog.getByLabel('Notes and frames').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save link' }).click();
    const row = dialog.getByRole('listitem').filter({ hasText: 'Customer page' });
    await expect(row.getByText(/^Expires .*\(in 7 days\)$/)).toBeVisible();
    await expect(row.getByText('Always dark')).toBeVisible();
    await expect(row.getByText('Not opened yet')).toBeVisible();
    await expect(row.getByText('Password', { exact: true })).toBeHidden();
    await visitor.emulateMedia({ colorScheme: 'light' });
    await visitor.goto(share.url);
    await expect(visitor.locator('.viewer')).toHaveAttribute('data-theme', 'dark');
    await expectAccessible(visitor);
  });
});

test('two fingers zoom a shared map on a phone, and one finger moves it', async ({ ada, browser }) => {
  const { id } = await createMap(ada, SPOTS, [['web', 'pay']]);
  const { share } = await ada.post(`/api/workspaces/${id}/shares`, { name: 'Phone' });
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const phone = await context.newPage();
  await phone.goto(share.url);
  const stage = phone.getByRole('group', { name: /^Map\. Arrow keys/ });
  const card = stage.locator('[data-id][role="button"]').first();
  await expect(card).toBeVisible();
  const before = (await card.boundingBox()) ?? fail();
  const { x, y, width, height } = (await stage.boundingBox()) ?? fail();
  const middle = { x: x + width / 2, y: y + height / 2 };
  const fingers = await context.newCDPSession(phone);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
    fingers.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, at) => ({ ...point, id: at })),
    });
  const apart = (distance: number) => [
    { x: middle.x - distance, y: middle.y },
    { x: middle.x + distance, y: middle.y },
  ];

  await touch('touchStart', ...apart(30));
  for (const distance of [40, 50, 60, 70, 80, 90]) await touch('touchMove', ...apart(distance));
  await touch('touchEnd');
  const widthOf = async () => (await card.boundingBox())?.width ?? 0;
  await expect.poll(widthOf).toBeGreaterThan(before.width * 2);
  expect(await phone.evaluate(() => visualViewport?.scale), 'the page itself is not zoomed').toBe(1);

  const zoomed = (await card.boundingBox()) ?? fail();
  await touch('touchStart', middle);
  for (const step of [10, 20, 30, 40]) await touch('touchMove', { x: middle.x, y: middle.y + step });
  await touch('touchEnd');
  await expect.poll(async () => (await card.boundingBox())?.y).toBeCloseTo(zoomed.y + 40, 0);
  await expectAccessible(phone);
  await context.close();
});

test('others see who can share, and on a phone the details of the workspace have the button', async ({
  page,
  ada,
}) => {
  const { id } = await createMap(ada, SPOTS);
  const grace = await ada.invite('grace-shares', 'Grace Shares');
  await page.setViewportSize(PHONE);
  await grace.open(page, `/o/analytical-engines/w/${id}`);
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Show inspector' }).click();
  await page.getByRole('button', { name: 'Share links' }).click();
  await expect(dialogOn(page).getByRole('list', { name: 'Owners' })).toHaveText('Ada Lovelace');
  await expect(dialogOn(page).getByRole('button', { name: 'Create share link' })).toBeHidden();
  await expectAccessible(page);
});

test('an administrator lists links, revokes one and turns them off', async ({ page, ada, browser }) => {
  const { id } = await createMap(ada, SPOTS);
  await ada.post(`/api/workspaces/${id}/shares`, { name: 'First link' });
  const { share } = await ada.post(`/api/workspaces/${id}/shares`, { name: 'Second link' });
  await ada.open(page, '/o/analytical-engines/settings/sharing');
  await page.getByRole('button', { name: 'Revoke First link' }).click();
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await expect(page.getByText('First link')).toBeHidden();
  await expectAccessible(page);
  await page.getByLabel('What owners of workspaces can create').selectOption('No links');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Second link' }).getByText('Blocked'),
  ).toBeVisible();
  const visitor = await reader(browser);
  expect((await visitor.goto(share.url))?.status()).toBe(404);
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await page
    .getByLabel('What owners of workspaces can create')
    .selectOption('Links, which other sites can embed');
  await page.getByRole('button', { name: 'Save rules' }).click();
  // The message about the rules that were saved before may still be shown.
  await expect.poll(async () => (await visitor.goto(share.url))?.status()).toBe(200);
});
