/** Notes of several users: changes live, conflicts, and viewers. */
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';
import { createNotes, middleOf, note, notesOf } from './support/notes.ts';
import { createSharedShop, newWindow } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';

test('notes are shared live, conflicts are resolved, and viewers cannot change them', async ({
  page,
  browser,
  ada,
}) => {
  const { id, grace } = await createSharedShop(ada);
  const other = await newWindow(browser);
  await ada.open(page, `${HOME}/${id}?at=100,50,1`);
  await grace.open(other, `${HOME}/${id}?at=100,50,1`);

  await test.step('two users see each other’s notes live', async () => {
    await expect(component(other, 'web')).toBeVisible();
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('t');
    await expect(page.getByText('Click or drag to place the note.')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Note text')).toBeFocused();
    await page.keyboard.type('From Ada');
    await page.keyboard.press('Escape');
    await expect(note(other, 'Note: From Ada')).toBeVisible();
    // The new note is selected, which others see.
    await expect(other.locator('main').getByText('Ada Lovelace', { exact: true })).toBeVisible();
    await note(other, 'Note: From Ada').dblclick();
    await other.keyboard.press('ControlOrMeta+a');
    await other.keyboard.type('From Grace');
    await other.keyboard.press('Escape');
    await expect(note(page, 'Note: From Grace')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await notesOf(ada, id))[0].updatedBy).toBe((await ada.get('/api/me')).id);
    await page.keyboard.press('Delete');
    await expect(note(other, /^Note/)).toHaveCount(0);
  });

  await test.step('the same text edited by two users is resolved by its author', async () => {
    await createNotes(ada, id, { id: 'n', text: 'Old', x: 300, y: 0 });
    await note(page, 'Note: Old').dblclick();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('By Ada');
    await note(other, 'Note: Old').dblclick();
    await other.keyboard.press('ControlOrMeta+a');
    await other.keyboard.type('By Grace');
    await other.keyboard.press('Control+Enter');
    await expect.poll(async () => (await notesOf(ada, id))[0].text).toBe('By Grace');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: /^1 needs attention/ }).click();
    await page.getByRole('button', { name: 'Resolve…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Conflicting change' });
    await expect(dialog.getByRole('region', { name: 'text' })).toContainText('By Grace');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await notesOf(ada, id))[0].text).toBe('By Ada');
  });

  await test.step('viewers see notes but cannot change them, and text is never HTML', async () => {
    const text = '<img src=x onerror=alert(1)> [link](https://example.org) [bad](javascript:alert(1))';
    await ada.patch(`/api/workspaces/${id}/notes/n`, { text });
    const viewer = await ada.invite(`viewer-${id}`, 'Vera Viewer');
    await viewer.open(page, `${HOME}/${id}?at=300,50,1`);
    const sheet = note(page, /^Note: <img src=x/);
    await expect(sheet).toBeVisible();
    await expect(page.locator('[data-note-kind] img')).toHaveCount(0);
    const links = page.locator('[data-note-kind] a');
    await expect(links).toHaveCount(1);
    await expect(links).toHaveAttribute('href', 'https://example.org');
    await expect(links).toHaveAttribute('rel', /noopener/);
    await expect(page.getByRole('button', { name: 'Notes', exact: true })).toHaveCount(0);
    const at = await middleOf(page, /^Note/);
    await page.mouse.dblclick(at.x, at.y + 40);
    await expect(page.getByLabel('Note text')).toHaveCount(0);
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByRole('link', { name: 'link' })).toBeVisible();
    await page.keyboard.press('Delete');
    await expect(page.getByText('You have view-only access.')).toBeVisible();
    await expect(sheet).toBeVisible();
  });
});
