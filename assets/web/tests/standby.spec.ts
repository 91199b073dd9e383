/** A page whose server is replaced by a standby, which answers only reads, until the server is back. */
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { Server } from './support/server.ts';
import { countStored, queueOwner, storeUnsaved } from './support/unsavedEdits.ts';
import { createShop } from './support/workspaces.ts';

test('a standby shows what it is, keeps edits in the browser, and refuses a sign-in with a reason', async ({
  page,
}) => {
  const server = await Server.start();
  const ada = await Actor.first(server.url, server.setUpLink);
  const id = await createShop(ada);
  const place = await queueOwner(ada, id);
  await ada.open(page, `/o/analytical-engines/w/${id}/history`);
  const state = (name: RegExp) => page.getByRole('button', { name });
  await expect(state(/^Saved/)).toBeVisible();
  // The screen itself is loaded, too, which would fail without the server.
  await page.getByLabel('Version name').waitFor();

  await server.stop();
  const dataDir = await mkdtemp(join(tmpdir(), 'planroom-standby-'));
  await mkdir(join(dataDir, 'keys'));
  await cp(join(server.dataDir, 'planroom.db'), join(dataDir, 'planroom.db'));
  await cp(join(server.dataDir, 'keys'), join(dataDir, 'keys'), { recursive: true });
  const port = Number(new URL(server.url).port);
  const flags = ['--standby', '--primary-url', 'https://plans.example.org'];
  const standby = await Server.start({ dataDir, port, flags });

  // Reads work, and the page says why edits do not.
  const operation = {
    op: 'create',
    kind: 'component',
    id: 'api',
    fields: { typeId: 'service', name: 'First' },
  };
  await storeUnsaved(page, place, [{ label: 'Add First', operation }]);
  await state(/^Read-only standby – 1 change saved locally/).click();
  const sheet = page.getByRole('dialog', { name: 'Unsaved changes' });
  await expect(sheet).toContainText('make changes at https://plans.example.org');
  await expect.poll(() => countStored(page)).toBe(1);

  // A new page needs a session, which a standby does not renew.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Read-only standby server' })).toBeVisible();
  await expect(page.getByText('make changes at https://plans.example.org')).toBeVisible();

  await standby.end();
  const restarted = await server.restart();
  await expect(state(/^Saved/)).toBeVisible();
  await expect.poll(() => countStored(page)).toBe(0);
  const { components } = await ada.get(`/api/workspaces/${id}`);
  expect(components.map(({ name }: { name: string }) => name)).toContain('First');
  await restarted.end();
});
