/** Text of processes that is not saved yet, or cannot be saved. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { visitWorkspace, wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';

const editor = (page: Page) => page.getByRole('textbox', { name: 'Diagram text' });
const problems = (page: Page) => page.getByRole('status', { name: 'Problems in the text' });

test('text of a process that cannot be saved is kept', async ({ page, ada }) => {
  await test.step('a text that is not a sequence diagram is kept unsaved, with the reason', async () => {
    const id = await wikipedia(ada);
    const path = `${HOME}/${id}/processes/first-thumbnail`;
    await ada.open(page, path);
    await editor(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('what I meant to say <script>alert(1)</script>');
    await expect(problems(page)).toContainText('sequenceDiagram');
    await expect(page.getByText('stays in this browser and is not saved')).toBeVisible();
    await page.getByRole('link', { name: 'A reader opens an article' }).click();
    await expect(editor(page)).toContainText('Resolve en.wikipedia.org');
    await page.getByRole('link', { name: 'A reader requests a new image' }).click();
    await expect(editor(page)).toContainText('what I meant to say');
    await page.reload();
    await expect(editor(page)).toContainText('what I meant to say');
    const { process: saved } = await ada.get(`/api/workspaces/${id}/processes/first-thumbnail`);
    expect(saved.mermaid).toContain('Scale and sharpen');
    await page.getByRole('button', { name: 'Revert to saved version' }).click();
    await expect(editor(page)).toContainText('Scale and sharpen');
  });

  await test.step('a conflicting change to the text is reported with its author, and both versions are kept', async () => {
    const id = await wikipedia(ada);
    const path = `/api/workspaces/${id}/processes/first-thumbnail`;
    await visitWorkspace(page, id, '/processes/first-thumbnail');
    await expect(editor(page)).toContainText('sequenceDiagram');
    // Invalid text is not sent.
    await editor(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('mine ');
    await expect(problems(page)).toContainText('sequenceDiagram');
    await ada.patch(path, { mermaid: 'sequenceDiagram\nA->>B: theirs' });
    await expect(page.getByText('Ada Lovelace changed the text in the meantime')).toBeVisible();
    await expect(editor(page)).toContainText('mine sequenceDiagram');
    await page.keyboard.press('Control+Home');
    for (let at = 0; at < 'mine '.length; at++) await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await ada.get(path)).process.mermaid).toContain('Scale and sharpen');
    // Wait until the page shows the saved state; otherwise it asks for confirmation.
    await expect(page.getByRole('button', { name: /^Saved/ })).toBeVisible();
    await ada.patch(path, { mermaid: 'sequenceDiagram\nA->>B: theirs again' });
    await expect(editor(page)).toContainText('theirs again');
  });

  await test.step('the text of a process that someone else deleted can be saved as a new process', async () => {
    const id = await wikipedia(ada);
    await visitWorkspace(page, id, '/processes/first-thumbnail');
    await editor(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('%% my remark\n');
    await ada.delete(`/api/workspaces/${id}/processes/first-thumbnail`);
    await expect(page.getByRole('heading', { name: /was deleted/ })).toBeVisible();
    await page.getByRole('button', { name: 'Save as new process' }).click();
    await expect(editor(page)).toContainText('%% my remark');
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}/processes`)).processes.at(-1).mermaid)
      .toContain('%% my remark');
  });

  await test.step('text typed just before another workspace opens is saved', async () => {
    const [id, other] = [await wikipedia(ada), await wikipedia(ada)];
    await visitWorkspace(page, id, '/processes/first-thumbnail');
    await editor(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('%% just typed\n');
    await visit(page, `${HOME}/${other}/processes/first-thumbnail`);
    await expect(page.getByRole('link', { name: 'Processes' })).toHaveAttribute('href', new RegExp(other));
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}/processes/first-thumbnail`)).process.mermaid)
      .toContain('%% just typed');
    const there = await ada.get(`/api/workspaces/${other}/processes/first-thumbnail`);
    expect(there.process.mermaid).not.toContain('%% just typed');
  });
});

test('unsaved text survives signing out, and other users of the browser do not see it', async ({
  page,
  ada,
}) => {
  test.slow();
  const id = await wikipedia(ada);
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper', 'org:admin');
  const path = `${HOME}/${id}/processes/first-thumbnail`;
  const saved = async () =>
    (await ada.get(`/api/workspaces/${id}/processes/first-thumbnail`)).process.mermaid;
  const sheet = page.getByRole('dialog', { name: 'Sign out with 1 unsaved change?' });
  const signOut = async () => {
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  const replace = async (text: string) => {
    await editor(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  await ada.open(page, path);

  await test.step('signing out with unsaved text asks for confirmation, and the text is restored after sign-in', async () => {
    await page.route('**/api/workspaces/*/operations', (route) => route.abort());
    await editor(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('%% just typed\n');
    await signOut();
    await sheet.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.unroute('**/api/workspaces/*/operations');
    await ada.open(page, path);
    await expect.poll(saved).toContain('%% just typed');
    await expect(editor(page)).toContainText('%% just typed');
  });

  await test.step('rejected text needs a confirmation, and is not visible to other users of the browser', async () => {
    await replace('no diagram, and nobody’s business');
    await signOut();
    await expect(sheet).toBeVisible();
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await expect(editor(page)).toContainText('nobody’s business');
    await signOut();
    await sheet.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await grace.open(page, path);
    await expect(editor(page)).toContainText('sequenceDiagram');
    await expect(page.getByText('nobody’s business')).toHaveCount(0);
    await signOut();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await ada.open(page, path);
    await expect(editor(page)).toContainText('nobody’s business');
  });

  await test.step('text that the server accepts needs no confirmation', async () => {
    await replace('sequenceDiagram\nA->>B: the last word');
    await signOut();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(await saved()).toContain('the last word');
  });
});
