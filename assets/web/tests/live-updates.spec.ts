import type { Page } from '@playwright/test';
import { expectNamesOfLabels } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { createSharedShop, newWindow, openSidePanel } from './support/workspaces.ts';

const at = (id: string, rest = '') => `/o/analytical-engines/w/${id}${rest}`;

test('two users see each other, their changes and their access live', async ({ page, browser, ada }) => {
  const { id, grace } = await createSharedShop(ada);
  const other = await newWindow(browser);
  await ada.open(page, at(id));
  await grace.open(other, at(id, '/history'));
  const faces = (window: Page, name: string) =>
    window.getByRole('button', { name: `1 other person here: ${name}` });

  await test.step('presence shows who is in the workspace and where', async () => {
    await expect(faces(page, 'Grace Hopper')).toBeVisible();
    await expect(faces(other, 'Ada Lovelace')).toBeVisible();
    await expectNamesOfLabels(page);
    await faces(page, 'Grace Hopper').click();
    await page.getByRole('menuitem', { name: 'Grace Hopper in history' }).click();
    await page.waitForURL('**/history');
  });

  await test.step('two users see each other’s changes live without losing input', async () => {
    await expect(page.getByRole('button', { name: /^Saved/ })).toBeVisible();
    await expect(other.getByRole('button', { name: /^Saved/ })).toBeVisible();
    const field = page.getByLabel('Version name');
    await field.fill('Half a na');
    await grace.patch(`/api/workspaces/${id}/components/web`, { name: 'Window' });
    for (const window of [page, other]) {
      await expect(window.getByText('Grace Hopper changed name of component “Window”')).toBeVisible();
    }
    await field.pressSequentially('me');
    await expect(field).toHaveValue('Half a name');
    await ada.patch(`/api/workspaces/${id}`, { name: 'Department store' });
    for (const window of [page, other]) {
      await expect(window.getByRole('heading', { name: 'Department store', level: 1 })).toBeVisible();
    }
  });

  await test.step('an item restored by another user’s undo keeps its position in the list', async () => {
    for (const name of ['Order', 'Pay', 'Ship']) {
      await ada.post(`/api/workspaces/${id}/processes`, { name, mermaid: 'sequenceDiagram\nA->>B: x' });
    }
    await visit(other, at(id, '/processes'));
    await visit(page, at(id));
    const lists = [
      (await openSidePanel(page)).getByRole('list', { name: 'Processes' }),
      other.getByRole('navigation', { name: 'Processes' }),
    ];
    for (const list of lists) await expect(list.getByRole('listitem')).toHaveText([/Order/, /Pay/, /Ship/]);
    await grace.delete(`/api/workspaces/${id}/processes/pay`);
    for (const list of lists) await expect(list.getByRole('listitem')).toHaveText([/Order/, /Ship/]);
    const [{ changeSetId }] = (await grace.get(`/api/workspaces/${id}/history?limit=1`)).changes;
    await grace.post(`/api/workspaces/${id}/undo`, { changeSetId });
    for (const list of lists) await expect(list.getByRole('listitem')).toHaveText([/Order/, /Pay/, /Ship/]);
  });

  await test.step('presence ends when a window is closed', async () => {
    await expect(faces(other, 'Ada Lovelace')).toBeVisible();
    await page.close();
    await expect(faces(other, 'Ada Lovelace')).toBeHidden();
  });

  await test.step('a user who becomes a viewer sees it immediately', async () => {
    await visit(other, at(id, '/history'));
    await expect(other.getByLabel('Version name')).toBeVisible();
    const me = await grace.get('/api/me');
    await ada.patch(`/api/workspaces/${id}/members/${me.id}`, { role: 'viewer' });
    await expect(other.getByLabel('Version name')).toBeHidden();
    await ada.patch(`/api/workspaces/${id}`, { visibility: 'private' });
    await ada.delete(`/api/workspaces/${id}/members/${me.id}`);
    await expect(other.getByRole('heading', { name: 'Workspace not found' })).toBeVisible();
  });
});

test('one window of a browser follows the server for all, and another takes over', async ({
  page,
  context,
  ada,
}) => {
  const { id } = await createSharedShop(ada);
  const streams: string[] = [];
  const second = await context.newPage();
  for (const [name, window] of [
    ['first', page],
    ['second', second],
  ] as const) {
    window.on('request', (request) => request.url().includes('/events?') && streams.push(name));
  }
  await ada.open(page, at(id, '/history'));
  await expect(page.getByRole('button', { name: /^Saved/ })).toBeVisible();
  await second.goto(`${ada.url}${at(id, '/history')}`);
  await expect(second.getByRole('button', { name: /^Saved/ })).toBeVisible();
  await ada.patch(`/api/workspaces/${id}`, { name: 'Heard by both' });
  await expect(page.getByRole('heading', { name: 'Heard by both' })).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Heard by both' })).toBeVisible();
  expect(streams).toEqual(['first']);
  await page.close();
  await expect.poll(() => streams).toEqual(['first', 'second']);
  await ada.patch(`/api/workspaces/${id}`, { name: 'Heard by the one that is left' });
  await expect(second.getByRole('heading', { name: 'Heard by the one that is left' })).toBeVisible();
});
