/** The account: profile, photo, two-factor authentication, password, sessions, tokens, and settings of the browser. */
import { PASSWORD } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { face, MOVING, visibleImages } from './support/imageHost.ts';
import { expectGoodLayout } from './support/layout.ts';
import { nextTotp, totp } from './support/totp.ts';
import { visit } from './support/visit.ts';

test('two-factor authentication can be set up with a phone, is required at sign-in, and can be turned off', async ({
  page,
  ada,
}) => {
  test.slow();
  const kay = await ada.invite('kay', 'Kay McNulty');
  await kay.open(page, '/account/second-factor');
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible();
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  const dialog = dialogOn(page);
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText(/wrong|not right/)).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  const secret =
    (await page
      .getByRole('group', { name: /^Or enter this secret/ })
      .getByRole('code')
      .textContent()) ?? '';
  await expectGoodLayout(page);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText(/^Is not what the app shows now/)).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(totp(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();

  const codes =
    (await page.getByRole('group', { name: 'Recovery codes' }).getByRole('code').textContent()) ?? '';
  const [recoveryCode = '', anotherCode = ''] = codes.split('\n');
  expect(codes.split('\n')).toHaveLength(10);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download codes' }).click();
  expect((await file).suggestedFilename()).toBe('planroom-recovery-codes.txt');
  await expect(page.getByRole('button', { name: 'Done' })).toBeDisabled();
  await page.getByLabel('I have saved the codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Recovery codes remaining')).toBeVisible();

  // Sign-in prompts for the code and then opens the requested page.
  await page.context().clearCookies();
  await page.goto(`${ada.url}/account/second-factor?from=here`);
  await page.getByLabel('Login').fill('kay');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
  await expectGoodLayout(page);
  await page.getByLabel('Authentication code').fill(nextTotp(secret));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/account/second-factor?from=here');

  // A recovery code also works, using only the keyboard.
  await page.context().clearCookies();
  await page.goto(`${ada.url}/account/second-factor`);
  await expect(page.getByLabel('Login')).toBeFocused();
  await page.keyboard.type('kay');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Authentication code')).toBeFocused();
  await page.getByRole('button', { name: 'Use recovery code' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await page.keyboard.type(recoveryCode);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('definition').filter({ hasText: /^9$/ })).toBeVisible();

  await page.getByRole('button', { name: 'Turn off' }).click();
  await dialogOn(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialogOn(page).getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(dialogOn(page).getByText(/^The code is wrong/)).toBeVisible();
  await dialogOn(page).getByLabel('Code').fill(anotherCode);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible();
});

test('a new password signs out all other sessions, and revokes tokens if chosen', async ({
  page,
  browser,
  ada,
}) => {
  const jean = await ada.invite('jean', 'Jean Bartik');
  await jean.post('/api/me/tokens', { name: 'Backup' });
  const other = await (await browser.newContext()).newPage();
  await jean.open(other);
  await jean.open(page, '/account/password');
  const current = page.getByLabel('Current password');
  const next = page.getByLabel('New password', { exact: true });
  await test.step('a short password is rejected without losing the input', async () => {
    await current.fill(PASSWORD);
    await next.fill('short');
    await expect(page.getByText('too short: at least 8 characters')).toBeVisible();
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(next).toBeFocused();
    await expect(current).toHaveValue(PASSWORD);
  });
  await test.step('all other sessions are signed out', async () => {
    await next.fill('a wholly different phrase');
    await page.keyboard.press('Enter');
    await expect(page.getByText('All your other sessions are signed out')).toBeVisible();
    await other.reload();
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
  await test.step('tokens are revoked only if chosen', async () => {
    await visit(page, '/account/tokens');
    await expect(page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')).toHaveCount(1);
    await visit(page, '/account/password');
    await current.fill('a wholly different phrase');
    await next.fill('another different phrase');
    await page.getByLabel('Revoke all personal access tokens').check();
    await expectGoodLayout(page);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('All your other sessions are signed out')).toBeVisible();
    await visit(page, '/account/tokens');
    await expect(page.getByText(/^No tokens yet/)).toBeVisible();
  });
});

test('sessions, connected apps and tokens are on one page, where sessions are ended and tokens are created and revoked', async ({
  page,
  browser,
  ada,
}) => {
  const betty = await ada.invite('betty', 'Betty Holberton');
  const elsewhere = await browser.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' });
  const other = await elsewhere.newPage();
  await betty.open(other);
  await page.clock.install();
  await betty.open(page, '/account/tokens');
  let token = '';
  await test.step('the page has all three, and opens at the tokens', async () => {
    for (const name of ['Sessions', 'Connected apps', 'Tokens'])
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Access', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });
  await test.step('a token is shown once, and listed with relative times that are updated', async () => {
    await page.getByLabel('Token name').fill('<b>Nightly</b> 漢字');
    await page.keyboard.press('Enter');
    token =
      (await page.getByRole('group', { name: 'Token', exact: true }).getByRole('code').textContent()) ?? '';
    await expect(page.getByText('Analytical Engines').first()).toBeVisible();
    await expect(page.getByRole('group', { name: 'Example request' })).toContainText('curl');
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await expect(page.getByText(token)).toBeHidden();
    const row = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
    await expect(row).toContainText('created just now');
    await expect(row).toContainText('never used');
    await page.clock.fastForward('05:00');
    await expect(row).toContainText(/created [56] minutes ago/);
    const created = row.locator('time');
    await expect(created).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/);
    await expect(created).toHaveAttribute('title', /\d{4}/);
    await expectGoodLayout(page);
  });
  await test.step('the token works, and is rejected after it is revoked', async () => {
    const status = async () =>
      (await fetch(`${ada.url}/api/workspaces`, { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'Revoke <b>Nightly</b> 漢字' }).click();
    await dialogOn(page).getByRole('button', { name: 'Revoke token' }).click();
    await expect(page.getByText(/^No tokens yet/)).toBeVisible();
    expect(await status()).toBe(401);
    await page.getByRole('button', { name: 'Show revoked tokens' }).click();
    await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  });
  await test.step('another session is signed out using only the keyboard', async () => {
    const row = page.getByRole('listitem').filter({ hasText: 'Firefox on Windows' });
    await row.getByRole('button').focus();
    await page.keyboard.press('Enter');
    const end = dialogOn(page).getByRole('button', { name: 'Sign out session' });
    await end.focus();
    await page.keyboard.press('Enter');
    await expect(row).toBeHidden();
    await expect(page.getByText('This browser')).toBeVisible();
    await other.reload();
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});

test('users change their profile, and settings that are stored in this browser', async ({ page, ada }) => {
  const grace = await ada.invite('grace-profile', 'Grace Profile');
  await grace.open(page, '/account/organizations');
  await test.step('the pages of organizations and appearance are accessible', async () => {
    for (const [section, name] of [
      ['organizations', 'Organizations'],
      ['appearance', 'Appearance'],
    ]) {
      await visit(page, `/account/${section}`);
      await expect(page).toHaveTitle(`${name} · Account · Planroom`);
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await expectGoodLayout(page);
    }
  });
  await visit(page, '/account/profile');
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Profile' }) });
  const photo = page.getByLabel('Photo URL');
  const { people } = await ada.get('/api/people');
  const { id } = people.find(({ name }: { name: string }) => name === 'Grace Profile');
  const shown = async () => (await ada.get(`/api/people/${id}`)).person.photoUrl;
  await test.step('a new email address needs the password', async () => {
    await panel.getByLabel('Name').fill('Grace Brewster');
    await page.keyboard.press('Enter');
    await expect(panel.getByText('Profile saved.')).toBeVisible();
    await panel.getByLabel('Email').fill('grace@example.org');
    await panel.getByLabel('Current password').fill('not my password at all');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('alert').or(panel.locator('[aria-invalid="true"]')).first()).toBeVisible();
    await expect(panel.getByLabel('Email')).toHaveValue('grace@example.org');
    await panel.getByLabel('Current password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(panel.getByText('Profile saved.')).toBeVisible();
    await expect(panel.getByLabel('Current password')).toBeHidden();
  });
  await test.step('the URL of a photo is set, and others see it', async () => {
    await photo.fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await expect(page.locator('[aria-invalid="true"]')).toHaveAttribute('name', 'avatarUrl');
    await photo.fill('https://photos.invalid/grace.png');
    await page.keyboard.press('Enter');
    await expect.poll(shown).toBe('https://photos.invalid/grace.png');
    await expect(page.getByText('Profile saved.')).toBeVisible();
  });
  await test.step('theme and map navigation are chosen with the keyboard', async () => {
    await visit(page, '/account/appearance');
    await page.getByRole('radio', { name: /^System/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('radio', { name: /^Trackpad/ }).check();
  });
  await test.step('all of it is there after a reload, and the photo is removed', async () => {
    await page.reload();
    await expect(page.getByRole('radio', { name: /^Dark/ })).toBeChecked();
    await expect(page.getByRole('radio', { name: /^Trackpad/ })).toBeChecked();
    expect(
      await page.evaluate(() => [document.documentElement.dataset.theme, localStorage['planroom.wheel']]),
    ).toEqual(['dark', 'pan']);
    await visit(page, '/account/profile');
    await expect(panel.getByLabel('Name')).toHaveValue('Grace Brewster');
    await expect(panel.getByLabel('Email')).toHaveValue('grace@example.org');
    await expect(photo).toHaveValue('https://photos.invalid/grace.png');
    await photo.fill('');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Profile saved.')).toBeVisible();
    await expect.poll(shown).toBe('');
  });
});

test('users upload, replace and remove their photo, also if a provider manages their profile', async ({
  page,
  ada,
}) => {
  test.slow();
  const zoe = await ada.invite('zoe-photo', 'Zoe Photo');
  await zoe.open(page, '/account');
  const section = page.getByRole('region', { name: 'Photo' });
  const button = page.getByRole('button', { name: 'Account: Zoe Photo' });
  const choose = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    const name = /Upload photo|Change photo/;
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      section.getByRole('button', { name }).press('Enter'),
    ]);
    await chooser.setFiles(file);
  };
  const photoUrl = async () => {
    const { people } = await ada.get('/api/people');
    return people.find(({ name }: { name: string }) => name === 'Zoe Photo').photoUrl;
  };
  // Unsuitable files are refused before they are sent.
  const uploads: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') uploads.push(request.url());
  });
  const alert = section.getByRole('alert');
  await choose({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
  await expect(alert).toContainText('Images can have at most 2 MiB.');
  await choose({ name: 'me.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await expect(alert).toHaveText('“me.svg” is not a PNG, JPEG, WebP or GIF image.');
  await choose({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await expect(alert).toHaveText('“broken.png” is damaged or not an image.');
  expect(uploads).toEqual([]);
  await expect(visibleImages(button)).toHaveCount(0);

  await choose({ name: 'me.png', mimeType: 'image/png', buffer: face() });
  await expect(section.getByRole('status')).toHaveText('Photo saved.');
  await expect(alert).toHaveCount(0);
  await expect(visibleImages(button)).toHaveJSProperty('naturalWidth', 96);
  await expect(visibleImages(section)).toHaveCount(1);
  const uploaded = await photoUrl();
  expect(uploaded).toMatch(/^\/api\/users\/\d+\/photo\?v=[0-9a-f]{32}$/);
  await expectGoodLayout(page);
  // The uploaded photo is not a URL to edit, and stays if the rest of the profile changes.
  await expect(page.getByLabel('Photo URL')).toHaveValue('');
  await page.getByLabel('Name', { exact: true }).fill('Zoe Photo ');
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByText('Profile saved.')).toBeVisible();
  expect(await photoUrl()).toBe(uploaded);

  // Another image is pasted, and a third one is dropped.
  const transfer = (bytes: Buffer, type: string, on: string) =>
    page.evaluate(
      ({ data, type, on }) => {
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
        const files = new DataTransfer();
        files.items.add(new File([bytes], 'other.gif', { type }));
        const target = document.querySelector(`[aria-labelledby] img[src^="blob:"]`) ?? document.body;
        target.dispatchEvent(
          on === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: files, bubbles: true })
            : new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }),
        );
      },
      { data: bytes.toString('base64'), type, on },
    );
  await transfer(MOVING, 'image/gif', 'paste');
  await expect.poll(photoUrl).not.toBe(uploaded);
  await expect(visibleImages(button)).toHaveCount(1);
  await expect(section.getByRole('status')).toHaveText('Photo saved.');
  await transfer(face(), 'image/png', 'drop');
  await expect.poll(photoUrl).toBe(uploaded);
  await expect(section.getByRole('status')).toHaveText('Photo saved.');

  // Colleagues see it on the page of the person.
  const { people } = await ada.get('/api/people');
  const { id } = people.find(({ name }: { name: string }) => name === 'Zoe Photo');
  await visit(page, `/o/analytical-engines/people/${id}`);
  await expect(visibleImages(page.getByRole('main'))).not.toHaveCount(0);
  await visit(page, '/account');
  await section.getByRole('button', { name: 'Remove photo' }).press('Enter');
  await expect(section.getByRole('status')).toHaveText('Photo removed.');
  await expect(visibleImages(button)).toHaveCount(0);
  expect(await photoUrl()).toBe('');
  await expect(section.getByRole('button', { name: 'Remove photo' })).toHaveCount(0);

  // A photo of before an identity provider managed the account can only be removed.
  await choose({ name: 'me.png', mimeType: 'image/png', buffer: face() });
  await expect(section.getByRole('status')).toHaveText('Photo saved.');
  // The server has no provider here: only the page shows the account as managed.
  await page.route('**/api/me', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), provider: 'oidc' } });
  });
  await page.reload();
  await expect(section).toContainText(
    'You uploaded this photo before an identity provider managed your account.',
  );
  await expect(visibleImages(section)).toHaveCount(1);
  await expect(section.getByRole('button')).toHaveText(['Remove photo']);
  await expectGoodLayout(page);
  await section.getByRole('button', { name: 'Remove photo' }).press('Enter');
  await expect(section.getByRole('status')).toHaveText('Photo removed.');
  await expect(section.getByRole('button')).toHaveCount(0);
  await expect(visibleImages(page.getByRole('button', { name: 'Account: Zoe Photo' }))).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Managed by an identity provider')).toBeVisible();
  await expect(section).toHaveCount(0);
});
