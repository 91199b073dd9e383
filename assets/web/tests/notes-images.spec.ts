/** Images on the map: added, replaced, exported, copied, and offline. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { face, MOVING } from './support/imageHost.ts';
import { component, fromMiddle, openMap } from './support/map.ts';
import { chooseFromNotesMenu, createNotes, note, notesOf } from './support/notes.ts';
import { visitMap } from './support/visit.ts';

const WEB = { id: 'web', x: 0, y: 0 };
const PNG = { name: 'network plan.png', mimeType: 'image/png', buffer: face() };

/** Adds an image with the file chooser. */
async function addImage(page: Page, file = PNG): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    chooseFromNotesMenu(page, 'Add image…'),
  ]);
  await chooser.setFiles(file);
}

test('images are added, replaced, refused, exported and copied, and wait while offline', async ({
  page,
  context,
  ada,
}) => {
  await test.step('images are added with the file chooser and by pasting, and exported', async () => {
    const id = await openMap(page, ada, [WEB]);
    await addImage(page);
    const image = note(page, 'Image: network plan');
    await expect(image).toBeFocused();
    await expect(page.locator('[data-note-kind="image"] img')).toHaveJSProperty('naturalWidth', 96);
    await page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true }));
    }, face().toString('base64'));
    await expect(note(page, /^Image/)).toHaveCount(2);
    await expect.poll(async () => (await notesOf(ada, id)).length).toBe(2);
    const [first, second] = await notesOf(ada, id);
    expect(first.imageId).toBe(second.imageId);
    await createNotes(ada, id, { id: 'n', text: '**Bold** & <b>', x: 400, y: 0, width: 200, height: 100 });
    await expect(note(page, 'Note: Bold & <b>')).toBeVisible();
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export map as SVG' }).click(),
    ]);
    const svg = await readFile(await file.path(), 'utf8');
    expect(svg).toContain('>Bold &amp; &lt;b&gt;</text>');
    // Images of the server have a box instead of the file.
    expect(svg).not.toContain('href');
  });

  await test.step('an image is dropped on the map, replaced, deleted and restored', async () => {
    const id = await visitMap(page, ada, [WEB]);
    await expect(component(page, 'web')).toBeVisible();
    const at = await fromMiddle(page, 0, 150);
    await page.evaluate(
      async ({ data, x, y }) => {
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], 'portrait.png', { type: 'image/png' }));
        for (const type of ['dragover', 'drop']) {
          const init = { dataTransfer: transfer, bubbles: true, cancelable: true, clientX: x, clientY: y };
          document.elementFromPoint(x, y)?.dispatchEvent(new DragEvent(type, init));
        }
      },
      { data: face().toString('base64'), ...at },
    );
    const image = note(page, 'Image: portrait');
    await expect(image).toBeFocused();
    await expect.poll(async () => (await notesOf(ada, id)).length).toBe(1);
    const [first] = await notesOf(ada, id);
    // The center of the view is 400, 200. The image is centered at the pointer, and on the grid.
    expect(Math.abs(first.x + first.width / 2 - 400)).toBeLessThanOrEqual(10);
    expect(Math.abs(first.y + first.height / 2 - 350)).toBeLessThanOrEqual(10);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Replace image…' }).click(),
    ]);
    await chooser.setFiles({ name: 'point.gif', mimeType: 'image/gif', buffer: MOVING });
    await expect.poll(async () => (await notesOf(ada, id))[0].imageId).not.toBe(first.imageId);
    await expect(page.locator('[data-note-kind="image"] img')).toHaveJSProperty('naturalWidth', 1);
    await image.click();
    await page.keyboard.press('Delete');
    await expect(image).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(image).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.locator('[data-note-kind="image"] img')).toHaveJSProperty('naturalWidth', 96);
  });

  await test.step('unsuitable image files are refused before they are uploaded', async () => {
    const id = await visitMap(page, ada, [WEB]);
    const uploads: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/images')) uploads.push(request.url());
    });
    await addImage(page, { ...PNG, buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
    await expect(page.getByText('Images can have at most 2 MiB.')).toBeVisible();
    await addImage(page, { name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await expect(page.getByText('“plan.svg” is not a PNG, JPEG, WebP or GIF image.')).toBeVisible();
    await addImage(page, { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await expect(page.getByText('“broken.png” is damaged or not an image.')).toBeVisible();
    expect(uploads).toEqual([]);
    expect(await notesOf(ada, id)).toEqual([]);
  });

  await test.step('copies of notes and images are pasted in another workspace', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const source = await visitMap(page, ada, [WEB]);
    await createNotes(ada, source, { id: 'n', text: 'Copied', x: 300, y: 0 });
    await addImage(page);
    await expect(note(page, /^Image/)).toBeVisible();
    await expect.poll(async () => (await notesOf(ada, source)).length).toBe(2);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const target = await visitMap(page, ada, []);
    await expect(page.getByRole('heading', { name: 'This map is empty' })).toBeVisible();
    await page.keyboard.press('Control+v');
    await expect(note(page, 'Note: Copied')).toBeVisible();
    await expect(page.locator('[data-note-kind="image"] img')).toHaveJSProperty('naturalWidth', 96);
    await expect(component(page, 'web')).toBeVisible();
    await expect.poll(async () => (await notesOf(ada, target)).length).toBe(2);
  });

  await test.step('a note written offline is saved later; an image has to wait', async () => {
    const id = await visitMap(page, ada, [WEB]);
    await expect(component(page, 'web')).toBeVisible();
    // Load the parts that are loaded on demand.
    await createNotes(ada, id, { id: 'first', text: 'First', x: 300, y: 0 });
    await expect(note(page, 'Note: First')).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('t');
    await expect(page.getByText('Click or drag to place the note.')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Note text')).toBeFocused();
    await page.keyboard.type('Offline');
    await page.keyboard.press('Escape');
    await expect(note(page, 'Note: Offline')).toBeVisible();
    await addImage(page);
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(
      'The image was not added. Add it again when you are online.',
    );
    await context.setOffline(false);
    await expect
      .poll(async () => (await notesOf(ada, id)).map(({ text }: { text: string }) => text), {
        timeout: 20_000,
      })
      .toEqual(['First', 'Offline']);
  });
});
