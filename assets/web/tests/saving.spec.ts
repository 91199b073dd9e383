/** Unsaved edits: stored in the browser, saved later in order, rejected, or in conflict with those of others. */
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoViolations } from './support/accessibility.ts';
import { Actor, PASSWORD } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { Server } from './support/server.ts';
import { countStored, queueOwner, storeUnsaved } from './support/unsavedEdits.ts';
import { visit } from './support/visit.ts';
import { createShop } from './support/workspaces.ts';

const at = (id: string) => `/o/analytical-engines/w/${id}/history`;
const state = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function rename(ada: Actor, id: string, name: string) {
  const { components } = await ada.get(`/api/workspaces/${id}`);
  const [{ revision, name: was }] = components;
  const operation = {
    op: 'update',
    kind: 'component',
    id: 'web',
    fields: { name },
    before: { name: was },
    base: revision,
  };
  return { label: `Rename to ${name}`, operation };
}

const adding = (id: string, name: string) => ({
  label: `Add ${name}`,
  operation: { op: 'create', kind: 'component', id, fields: { typeId: 'service', name } },
});

const names = async (ada: Actor, id: string) =>
  (await ada.get(`/api/workspaces/${id}`)).components.map(({ name }: { name: string }) => name);

test('unsaved edits of a window are saved by the next one, and rejected ones are explained', async ({
  page,
  ada,
}) => {
  const [id, taken, rejected] = [await createShop(ada), await createShop(ada), await createShop(ada)];
  const sheet = page.getByRole('dialog', { name: 'Unsaved changes' });
  await ada.open(page);

  await test.step('edits are saved in order', async () => {
    await storeUnsaved(page, await queueOwner(ada, id), [
      adding('api', 'First'),
      adding('db', 'Second'),
      await rename(ada, id, 'Window'),
    ]);
    await expect.poll(() => names(ada, id)).toEqual(['Window', 'First', 'Second']);
    await expect.poll(() => countStored(page)).toBe(0);
  });

  await test.step('a new component whose ID is taken gets another ID', async () => {
    await visit(page, at(taken));
    await storeUnsaved(page, await queueOwner(ada, taken), [adding('web', 'Another web')]);
    await state(page, /^1 needs attention/).click();
    await page.getByRole('button', { name: 'Add as web-2' }).click();
    await expect.poll(() => names(ada, taken)).toEqual(['Web', 'Another web']);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });

  await test.step('a rejected edit shows the reason and can be discarded or retried', async () => {
    await visit(page, at(rejected));
    const fields = { typeId: 'nonsense', name: 'Bad' };
    await storeUnsaved(page, await queueOwner(ada, rejected), [
      { label: 'x', operation: { op: 'create', kind: 'component', id: 'bad', fields } },
    ]);
    await state(page, /^1 needs attention/).click();
    await expect(sheet).toContainText('Add component “Bad”');
    await expect(sheet).toContainText('nonsense');
    await sheet.getByRole('button', { name: 'Try again' }).click();
    await expect(sheet.getByRole('button', { name: 'Discard' })).toBeVisible();
    await sheet.getByRole('button', { name: 'Discard' }).click();
    await expect(state(page, /^Saved/)).toBeVisible();
  });
});

test('while the server is down, edits are stored and listed, and then saved in order', async ({ page }) => {
  const server = await Server.start();
  const ada = await Actor.first(server.url, server.setUpLink);
  const id = await createShop(ada);
  const first = await rename(ada, id, 'Window');
  const place = await queueOwner(ada, id);
  await ada.open(page, at(id));
  await expect(state(page, /^Saved/)).toBeVisible();
  // The screen itself is loaded, too, which would fail without the server.
  await page.getByLabel('Version name').waitFor();
  await server.stop();
  await expect(state(page, /^Offline/)).toBeVisible();
  await storeUnsaved(page, place, [first, adding('api', 'First')]);
  await expect(state(page, /^Offline – 2 changes saved locally/)).toBeVisible();
  await storeUnsaved(page, place, [adding('db', 'Second')]);
  await state(page, /^Offline – 3 changes saved locally/).click();
  const sheet = page.getByRole('dialog', { name: 'Unsaved changes' });
  await expect(sheet.getByRole('listitem')).toHaveText([
    /Change name of component “Web”/,
    /Add component “First”/,
    /Second/,
  ]);
  await expect.poll(() => countStored(page)).toBe(3);
  const restarted = await server.restart();
  await expect(state(page, /^Saved/)).toBeVisible();
  expect(await names(ada, id)).toEqual(['Window', 'First', 'Second']);
  await expect.poll(() => countStored(page)).toBe(0);
  await restarted.end();
});

test('conflicting changes are shown side by side, and the user keeps their version or merges both', async ({
  page,
  ada,
}) => {
  const id = await createShop(ada);
  const mine = await rename(ada, id, 'My name for it');
  await ada.patch(`/api/workspaces/${id}/components/web`, {
    name: 'Another name',
    description: 'by somebody',
  });
  const merged = await createShop(ada);
  const long = await rename(ada, merged, 'Mine, and so long a name that it is worth to be merged by hand');
  await ada.patch(`/api/workspaces/${merged}/components/web`, { name: 'Theirs' });
  const sheet = page.getByRole('dialog', { name: 'Unsaved changes' });
  const dialog = page.getByRole('dialog', { name: 'Conflicting change' });

  await test.step('the conflict is kept after a reload, and the user keeps their version', async () => {
    await ada.open(page, at(id));
    await storeUnsaved(page, await queueOwner(ada, id), [mine, adding('api', 'Goes its own way')]);
    await expect(state(page, /^1 needs attention/)).toBeVisible();
    await expect.poll(() => names(ada, id)).toEqual(['Another name', 'Goes its own way']);
    await page.reload();
    await state(page, /^1 needs attention/).click();
    await expect(page.getByText('Changed by Ada Lovelace in the meantime.')).toBeVisible();
    await page.getByRole('button', { name: 'Resolve…' }).click();
    await expect(dialog.getByRole('region', { name: 'name' })).toContainText('My name for it');
    await expect(dialog.getByRole('region', { name: 'name' })).toContainText('Another name');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect(state(page, /^Saved/)).toBeVisible();
    const { components } = await ada.get(`/api/workspaces/${id}`);
    expect(components[0]).toMatchObject({ name: 'My name for it', description: 'by somebody' });
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });

  await test.step('both are merged in accessible dialogs', async () => {
    await visit(page, at(merged));
    await storeUnsaved(page, await queueOwner(ada, merged), [long]);
    await state(page, /^1 needs attention/).click();
    await expect(sheet).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resolve…' }).press('Enter');
    await dialog.getByRole('button', { name: 'Merge manually' }).press('Enter');
    await dialog.getByLabel('Merged text').fill('Mine and theirs');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save merged text' }).press('Enter');
    await expect.poll(() => names(ada, merged)).toEqual(['Mine and theirs']);
  });
});

test('unsaved edits are kept when a session expires or ends, until the user signs in again', async ({
  page,
  ada,
}) => {
  const id = await createShop(ada);
  const mine = await rename(ada, id, 'Kept through the night');
  await ada.open(page, at(id));
  await expect(state(page, /^Saved/)).toBeVisible();

  await test.step('an expired session keeps unsaved edits and input', async () => {
    const field = page.getByLabel('Version name');
    await field.fill('Half a na');
    await ada.delete('/api/me/sessions');
    await storeUnsaved(page, await queueOwner(ada, id), [mine]);
    const dialog = page.getByRole('dialog', { name: 'Session expired' });
    await expect(dialog).toBeVisible();
    await expect(field).toHaveValue('Half a na');
    await expectNoViolations(page, '[role="dialog"]');
    await dialog.getByLabel(/^Password for/).fill('wrong');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toBeVisible();
    await dialog.getByLabel(/^Password for/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(field).toHaveValue('Half a na');
    await expect.poll(() => names(ada, id)).toEqual(['Kept through the night']);
    await expect(state(page, /^Saved/)).toBeVisible();
  });

  await test.step('signing out asks for confirmation, and the edits are sent after sign-in', async () => {
    await page.route('**/api/workspaces/*/operations', (route) => route.abort());
    await storeUnsaved(page, await queueOwner(ada, id), [adding('api', 'First')]);
    await expect(state(page, /1 change saved locally/)).toBeVisible();
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    const sheet = page.getByRole('dialog', { name: 'Sign out with 1 unsaved change?' });
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await expect(state(page, /1 change saved locally/)).toBeVisible();
    await signOut();
    await sheet.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.unroute('**/api/workspaces/*/operations');
    expect(await names(ada, id)).toEqual(['Kept through the night']);
    await ada.open(page, at(id));
    await expect.poll(() => names(ada, id)).toEqual(['Kept through the night', 'First']);
  });
});
