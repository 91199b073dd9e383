/** Restores a server from a backup while the web client is open. */

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { openMap } from './support/map.ts';
import { Server } from './support/server.ts';
import { countStored } from './support/unsavedEdits.ts';

const state = (page: Page, name: RegExp) => page.getByRole('button', { name });
const nameField = (page: Page) =>
  page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Name', { exact: true });

test('an open map is reloaded after a restore, and an unsent edit is kept for review', async ({ page }) => {
  test.slow();
  const server = await Server.start();
  const ada = await Actor.first(server.url, server.setUpLink);
  const id = await openMap(page, ada, [{ id: 'web', x: 0, y: 0, name: 'Web' }], [], '?c=web');
  await expect(state(page, /^Saved/)).toBeVisible();
  const backup = join(server.dataDir, 'copy.db');
  await server.command('backup', backup);
  await ada.patch(`/api/workspaces/${id}/components/web`, { name: 'Named after the backup' });
  await expect(nameField(page)).toHaveValue('Named after the backup');

  await server.stop();
  await expect(state(page, /^Offline/)).toBeVisible();
  await nameField(page).fill('Not sent');
  await nameField(page).press('Enter');
  await expect(state(page, /^Offline – 1 change saved locally/)).toBeVisible();
  const writes: number[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/operations')) writes.push(answer.status());
  });
  await server.command('restore', backup, '--replace', '--keep-sessions');
  const restarted = await server.restart();

  await expect(state(page, /^1 needs attention/)).toBeVisible();
  await state(page, /^1 needs attention/).click();
  const review = page.getByRole('region', { name: 'Edits made before the server was restored' });
  await expect(review.getByRole('listitem')).toContainText('Change name of component “Web”');
  expect((await ada.get(`/api/workspaces/${id}/components/web`)).component.name).toBe('Web');
  await expect.poll(() => countStored(page)).toBe(1);
  await review.getByRole('button', { name: 'Discard' }).click();
  await expect(state(page, /^Saved/)).toBeVisible();
  await expect(nameField(page)).toHaveValue('Web');
  // The edit was sent at most once, rejected and not repeated.
  expect(writes.filter((status) => status !== 409)).toEqual([]);
  expect(writes.length).toBeLessThanOrEqual(1);

  // The page continues with the restored data.
  await page.keyboard.press('Escape');
  await nameField(page).fill('Named again');
  await nameField(page).press('Enter');
  await expect
    .poll(async () => (await ada.get(`/api/workspaces/${id}/components/web`)).component.name)
    .toBe('Named again');
  await page.close();
  await restarted.end();
});
