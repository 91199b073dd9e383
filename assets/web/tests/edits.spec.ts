/** Each edit is one request, one change set and one undo step. */
import type { Page } from '@playwright/test';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { component, openMap } from './support/map.ts';
import { countStored, queueOwner, storeUnsaved } from './support/unsavedEdits.ts';
import { newWindow } from './support/workspaces.ts';

const state = (page: Page, name: RegExp) => page.getByRole('button', { name });
const countOf = async (actor: Actor, id: string) => {
  const { components, relationships } = await actor.get(`/api/workspaces/${id}`);
  return [components.length, relationships.length];
};
const nameOf = async (actor: Actor, id: string, of: string) =>
  (await actor.get(`/api/workspaces/${id}/components/${of}`)).component.name;

/** Records the writes of the page, such as `POST operations`. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    if (request.method() === 'GET' || !/^\/api\/workspaces\/[^/]+\//.test(path)) return;
    const resource = path.split('/').slice(4).join('/');
    if (resource !== 'presence') writes.push(`${request.method()} ${resource}`);
  });
  return writes;
}

async function renameComponent(page: Page, to: string): Promise<void> {
  const field = page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Name', { exact: true });
  await field.fill(to);
  await field.press('Enter');
}

test('pasting 500 components with 1,000 relationships is one request and one undo step', async ({
  page,
  ada,
}) => {
  test.slow();
  const id = await openMap(page, ada, [{ id: 'first', x: 0, y: 0 }]);
  await expect(state(page, /^Saved/)).toBeVisible();
  const writes = writesOf(page);
  const clip = {
    planroom: 1,
    components: Array.from({ length: 500 }, (_, at) => ({
      id: `c${at}`,
      typeId: 'service',
      name: `Part ${at}`,
      x: (at % 25) * 200,
      y: Math.floor(at / 25) * 100,
      properties: {},
    })),
    relationships: Array.from({ length: 1000 }, (_, at) => ({
      id: `r${at}`,
      sourceId: `c${at % 500}`,
      targetId: `c${(at + 1 + Math.floor(at / 500)) % 500}`,
      typeId: 'uses',
      properties: {},
    })),
  };
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, JSON.stringify(clip));
  await expect.poll(() => countOf(ada, id)).toEqual([501, 1000]);
  await expect(state(page, /^Saved/)).toBeVisible();
  await expect.poll(() => writes).toEqual(['POST operations']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => countOf(ada, id)).toEqual([1, 0]);
  await expect.poll(() => writes).toEqual(['POST operations', 'POST undo']);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => countOf(ada, id)).toEqual([501, 1000]);
  const { changes } = await ada.get(`/api/workspaces/${id}/history?limit=2`);
  expect(changes[0].changeSetId).toBe(changes[1].changeSetId);
});

test('edits of a closed window, of before a restore, and of another window are saved, reviewed and undone', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, [{ id: 'web', x: 0, y: 0, name: 'Web' }], [], '?c=web');
  await expect(state(page, /^Saved/)).toBeVisible();
  let isRestored = false;
  await test.step('an unsaved edit of a closed window is saved as one change set', async () => {
    const writes = writesOf(page);
    const create = (kind: string, of: string, fields: object) => ({
      label: 'Paste 2 components',
      operation: { op: 'create', kind, id: of, fields },
    });
    await storeUnsaved(page, await queueOwner(ada, id), [
      create('component', 'api', { typeId: 'service', name: 'Api', x: 300, y: 0 }),
      create('component', 'db', { typeId: 'database', name: 'Db', x: 600, y: 0 }),
      create('relationship', 'api-db', { sourceId: 'api', targetId: 'db', typeId: 'uses' }),
    ]);
    await expect.poll(() => countOf(ada, id)).toEqual([3, 1]);
    await expect.poll(() => writes).toEqual(['POST operations']);
    await expect.poll(() => countStored(page)).toBe(0);
    const { changes } = await ada.get(`/api/workspaces/${id}/history?limit=3`);
    expect(new Set(changes.map((change: { changeSetId: string }) => change.changeSetId)).size).toBe(1);
  });
  await test.step('edits made before a restore are kept, reviewed, and applied or discarded', async () => {
    // Simulate a server that was restored from a backup.
    await page.route('**/api/workspaces/*/operations', (route) =>
      isRestored
        ? route.continue()
        : route.fulfill({
            status: 409,
            json: { error: 'the database was restored since', code: 'other_incarnation' },
          }),
    );
    await renameComponent(page, 'Named before');
    await expect(state(page, /^1 needs attention/)).toBeVisible();
    await expect.poll(() => countStored(page)).toBe(1);
    isRestored = true;
    await page.reload();
    await state(page, /^1 needs attention/).click();
    const review = page.getByRole('region', { name: 'Edits made before the server was restored' });
    await expect(review.getByRole('listitem')).toContainText('Change name of component “Web”');
    expect(await nameOf(ada, id, 'web')).toBe('Web');
    await review.getByRole('button', { name: 'Apply anyway' }).click();
    await expect.poll(() => nameOf(ada, id, 'web')).toBe('Named before');
    await expect(state(page, /^Saved/)).toBeVisible();
    isRestored = false;
    await page.keyboard.press('Escape');
    await renameComponent(page, 'Named again');
    await state(page, /^1 needs attention/).click();
    await review.getByRole('button', { name: 'Discard' }).click();
    await expect(state(page, /^Saved/)).toBeVisible();
    await expect.poll(() => countStored(page)).toBe(0);
    expect(await nameOf(ada, id, 'web')).toBe('Named before');
  });
  await test.step('a window undoes a change of another window from the history', async () => {
    isRestored = true;
    await renameComponent(page, 'Window');
    await expect.poll(() => nameOf(ada, id, 'web')).toBe('Window');
    const other = await newWindow(browser);
    await ada.open(other, `/o/analytical-engines/w/${id}/history`);
    await other.getByRole('button', { name: 'Actions for: changed name of component “Window”' }).click();
    await other.getByRole('menuitem', { name: 'Undo' }).click();
    await expect.poll(() => nameOf(ada, id, 'web')).toBe('Named before');
    await expect(component(page, 'web')).toContainText('Named before');
  });
});
