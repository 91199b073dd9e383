/** Notes and frames on the map: by mouse, by keyboard, in the overview and in past states. */
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { runCommand } from './support/keyboard.ts';
import { component, createMap, dragTo, fromMiddle, openMap, placeOf } from './support/map.ts';
import { chooseFromNotesMenu, createNotes, middleOf, note, notesOf } from './support/notes.ts';
import { visit, visitMap } from './support/visit.ts';
import { visitMapOf } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
const WEB = { id: 'web', x: 0, y: 0 };

test('notes are added, formatted and edited with the mouse, the keyboard and the inspector', async ({
  page,
  ada,
}) => {
  await test.step('a note is placed with the mouse, formatted, moved, resized and undone', async () => {
    const id = await openMap(page, ada, [WEB]);
    await chooseFromNotesMenu(page, 'Add note');
    await expect(page.getByText('Click or drag to place the note.')).toBeVisible();
    const at = await fromMiddle(page, -100, 0);
    await page.mouse.click(at.x, at.y);
    await expect(page.getByLabel('Note text')).toBeFocused();
    await page.keyboard.type('# Decision\nUse **one** cluster');
    await page.keyboard.press('Control+Enter');
    const sheet = note(page, 'Note: Decision Use one cluster');
    await expect(sheet).toBeFocused();
    await expect(page.locator('[data-note-kind="note"] strong')).toHaveText('one');
    const before = await middleOf(page, /^Note/);
    await dragTo(page, before, { x: before.x + 120, y: before.y + 60 });
    await expect.poll(() => middleOf(page, /^Note/)).toEqual({ x: before.x + 120, y: before.y + 60 });
    const box = await sheet.boundingBox();
    if (!box) throw new Error('there is no note');
    const corner = { x: box.x + box.width, y: box.y + box.height };
    await dragTo(page, corner, { x: corner.x + 60, y: corner.y + 40 });
    await expect.poll(async () => (await notesOf(ada, id)).length).toBe(1);
    const [saved] = await notesOf(ada, id);
    expect(saved).toMatchObject({
      kind: 'note',
      text: '# Decision\nUse **one** cluster',
      width: 260,
      height: 160,
    });
    for (const step of ['Resize', 'Move', 'Add']) {
      await page.keyboard.press('Control+z');
      await expect(page.getByText(`Undone: ${step} note “Decision”`)).toBeVisible();
    }
    await expect(sheet).toHaveCount(0);
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+Shift+z');
    await expect.poll(async () => (await notesOf(ada, id))[0]?.width).toBe(260);
  });

  await test.step('an empty new note is not created, and Escape cancels placing', async () => {
    const id = await visitMap(page, ada, [WEB]);
    await expect(component(page, 'web')).toBeVisible();
    await page.keyboard.press('t');
    await page.keyboard.press('Escape');
    await expect(page.getByText('Click or drag to place')).toHaveCount(0);
    await chooseFromNotesMenu(page, 'Add note');
    const at = await fromMiddle(page, 100, 100);
    await page.mouse.click(at.x, at.y);
    await expect(page.getByLabel('Note text')).toBeFocused();
    await page.keyboard.type('   ');
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Note text')).toHaveCount(0);
    await expect(note(page, /^Note/)).toHaveCount(0);
    expect(await notesOf(ada, id)).toEqual([]);
  });

  await test.step('a note is added, edited and changed using only the keyboard', async () => {
    const id = await visitMap(page, ada, [WEB]);
    await expect(component(page, 'web')).toBeVisible();
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('t');
    await expect(page.getByText('Click or drag to place the note.')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Note text')).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type('Remember');
    await page.keyboard.press('Escape');
    await expect(note(page, 'Note: Remember')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Note text')).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type(' this');
    await page.keyboard.press('Control+Enter');
    await expect(note(page, 'Note: Remember this')).toBeFocused();
    await expect.poll(async () => (await notesOf(ada, id))[0]?.text).toBe('Remember this');
    const [first] = await notesOf(ada, id);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await expect.poll(async () => (await notesOf(ada, id))[0]).toMatchObject({ x: first.x + 5, width: 215 });
    await page.keyboard.press('[');
    await expect.poll(async () => (await notesOf(ada, id))[0].layer).toBe(-1);
    await runCommand(page, 'note color: green');
    await expect.poll(async () => (await notesOf(ada, id))[0].color).toBe('green');
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(component(page, 'web')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(note(page, 'Note: Remember this')).toBeFocused();
    await page.keyboard.press('Control+d');
    await expect(note(page, 'Note: Remember this')).toHaveCount(2);
    await page.keyboard.press('Delete');
    await expect(note(page, 'Note: Remember this')).toHaveCount(1);
  });

  await test.step('the inspector changes text, color, layer and size', async () => {
    const id = await visitMap(page, ada, [WEB]);
    await createNotes(
      ada,
      id,
      { id: 'n', text: 'Old', x: 300, y: 0 },
      { id: 'm', text: 'Over', x: 320, y: 20, layer: 2 },
    );
    await note(page, 'Note: Old').click({ position: { x: 5, y: 60 } });
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByLabel('Text').fill('New');
    await inspector.getByLabel('Text').press('Control+Enter');
    await expect(note(page, 'Note: New')).toBeVisible();
    await inspector.getByRole('radio', { name: 'Blue' }).check({ force: true });
    await inspector.getByRole('button', { name: 'Bring forward' }).click();
    await inspector.getByLabel('Width', { exact: true }).fill('300');
    await inspector.getByLabel('Width', { exact: true }).press('Enter');
    await expect
      .poll(async () => (await notesOf(ada, id))[0])
      .toMatchObject({ text: 'New', color: 'blue', layer: 3, width: 300 });
    await expect(inspector.getByText(/^Created/)).toBeVisible();
    const updated = inspector.locator('dt', { hasText: 'Updated' }).locator('+ dd');
    await expect(updated).toHaveText('just now by you');
    await expect(updated.locator('time')).toHaveAttribute('title', /, \d{4}, \d{1,2}:\d\d/);
  });
});

test('frames, notes and components are selected, moved and aligned together', async ({ page, ada }) => {
  await test.step('a frame moves with what is completely inside it, and alone with Alt', async () => {
    const id = await openMap(page, ada, [WEB, { id: 'outside', x: 600, y: 100 }]);
    await createNotes(
      ada,
      id,
      { id: 'frame', kind: 'frame', text: 'Phase 1', x: -60, y: -60, width: 400, height: 300 },
      { id: 'inner', text: 'Inside', x: 20, y: 120, width: 120, height: 80 },
      { id: 'partly', text: 'Partly', x: 300, y: 120, width: 120, height: 80 },
    );
    await expect(note(page, 'Frame: Phase 1')).toBeVisible();
    const places = async () => ({
      web: await placeOf(page, 'web'),
      outside: await placeOf(page, 'outside'),
      inner: await middleOf(page, 'Note: Inside'),
      partly: await middleOf(page, 'Note: Partly'),
    });
    const before = await places();
    const frame = await note(page, 'Frame: Phase 1').boundingBox();
    if (!frame) throw new Error('there is no frame');
    // The title is above the frame.
    const title = { x: frame.x + 20, y: frame.y - 10 };
    await dragTo(page, title, { x: title.x + 40, y: title.y + 100 });
    const moved = (at: { x: number; y: number }) => ({ x: at.x + 40, y: at.y + 100 });
    await expect.poll(places).toEqual({ ...before, web: moved(before.web), inner: moved(before.inner) });
    await expect.poll(async () => (await notesOf(ada, id))[0].y).toBe(40);
    await page.keyboard.press('Control+z');
    await expect.poll(places).toEqual(before);
    await page.keyboard.down('Alt');
    await dragTo(page, title, { x: title.x + 40, y: title.y + 100 });
    await page.keyboard.up('Alt');
    await expect.poll(async () => (await note(page, 'Frame: Phase 1').boundingBox())?.y).toBe(frame.y + 100);
    expect(await places()).toEqual(before);
  });

  await test.step('a frame is aligned with what is completely inside it', async () => {
    const id = await visitMap(page, ada, [WEB, { id: 'outside', x: 600, y: 100 }]);
    await createNotes(
      ada,
      id,
      { id: 'upper', kind: 'frame', text: 'Upper', x: -60, y: -60, width: 300, height: 180 },
      { id: 'lower', kind: 'frame', text: 'Lower', x: 100, y: 200, width: 300, height: 180 },
      { id: 'inner', text: 'Inside', x: 140, y: 230, width: 120, height: 80 },
    );
    await expect(note(page, 'Frame: Lower')).toBeVisible();
    const places = async () => {
      const { components } = await ada.get(`/api/workspaces/${id}`);
      const notes = await notesOf(ada, id);
      return Object.fromEntries(
        [...components, ...notes].map(({ id, x, y }: { id: string; x: number; y: number }) => [id, [x, y]]),
      );
    };
    const before = await places();
    const title = async (name: string) => {
      const box = await note(page, name).boundingBox();
      if (!box) throw new Error(`${name} is not on the screen`);
      return [box.x + 20, box.y - 10] as const;
    };
    await page.mouse.click(...(await title('Frame: Upper')));
    await page.keyboard.down('Shift');
    await page.mouse.click(...(await title('Frame: Lower')));
    await page.keyboard.up('Shift');
    await page.keyboard.press('Alt+Shift+l');
    await expect.poll(places).toEqual({ ...before, lower: [-60, 200], inner: [-20, 230] });
    await page.keyboard.press('Control+z');
    await expect.poll(places).toEqual(before);
    // What is selected together with its frame goes along too, instead of being aligned with the frame.
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Alt+Shift+l');
    await expect
      .poll(places)
      .toEqual({ ...before, lower: [-60, 200], inner: [-20, 230], outside: [-60, 100] });
  });

  await test.step('components and notes are selected with a frame, moved and aligned together', async () => {
    const id = await visitMap(page, ada, [WEB]);
    await createNotes(ada, id, { id: 'n', text: 'Beside', x: 40, y: 140, width: 200, height: 120 });
    await expect(note(page, 'Note: Beside')).toBeVisible();
    const web = await placeOf(page, 'web');
    await page.keyboard.press('v');
    await dragTo(page, { x: web.x - 60, y: web.y - 40 }, { x: web.x + 300, y: web.y + 300 });
    await expect(page.getByRole('heading', { name: '1 component, 1 note' })).toBeVisible();
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(async () => (await notesOf(ada, id))[0].y).toBe(240);
    await page.keyboard.press('Alt+Shift+l');
    await expect.poll(async () => (await notesOf(ada, id))[0].x).toBe(0);
    const { components } = await ada.get(`/api/workspaces/${id}`);
    expect(components[0]).toMatchObject({ x: 0, y: 100 });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await notesOf(ada, id))[0]).toMatchObject({ x: 40, y: 140 });
  });
});

test('notes fit their sheets, the overview, past states and links', async ({ page, ada }) => {
  await test.step('a map with notes is accessible in both themes', async () => {
    const id = await openMap(page, ada, [WEB]);
    await createNotes(
      ada,
      id,
      { id: 'f', kind: 'frame', text: 'Phase 1', x: -60, y: -60, width: 700, height: 360 },
      ...['yellow', 'orange', 'red', 'pink', 'purple', 'blue', 'green', 'gray'].map((color, at) => ({
        id: color,
        text: `# ${color}\n[link](https://example.org)`,
        x: 220 + (at % 4) * 130,
        y: Math.floor(at / 4) * 130,
        width: 120,
        height: 120,
        color,
      })),
    );
    await expect(note(page, 'Note: gray link')).toBeVisible();
    await note(page, 'Note: gray link').click({ position: { x: 5, y: 110 } });
    await expect(page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Text')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('text that does not fit into a note ends with a mark', async () => {
    const id = await visitMap(page, ada, [WEB]);
    const long = 'A line of text\n'.repeat(12).trim();
    await createNotes(
      ada,
      id,
      { id: 'long', text: long, x: 20, y: 120, width: 200, height: 120 },
      { id: 'short', text: 'Short', x: 260, y: 120, width: 200, height: 120 },
    );
    const sheet = (name: RegExp) => note(page, name).locator('xpath=..').locator('[aria-hidden]').first();
    await expect(sheet(/^Note: A line/)).toHaveAttribute('data-cut', 'true');
    await expect(sheet(/^Note: Short/)).not.toHaveAttribute('data-cut');
    // A higher note shows everything.
    await ada.patch(`/api/workspaces/${id}/notes/long`, { height: 300 });
    await expect(sheet(/^Note: A line/)).not.toHaveAttribute('data-cut');
  });

  await test.step('in the overview, notes are painted and can still be selected', async () => {
    const id = await visitMap(page, ada, [WEB], [], '?at=200,100,0.3');
    await createNotes(ada, id, { id: 'n', text: 'Far away', x: 200, y: 100, width: 400, height: 300 });
    await expect.poll(async () => (await notesOf(ada, id)).length).toBe(1);
    await expect(note(page, /^Note/)).toHaveCount(0);
    const at = await fromMiddle(page, 60, 45);
    await expect(async () => {
      await page.mouse.click(at.x, at.y);
      await expect(page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Text')).toHaveValue(
        'Far away',
        {
          timeout: 500,
        },
      );
    }).toPass();
  });

  await test.step('a past state shows its notes, and a comparison lists the changes', async () => {
    const { id } = await createMap(ada, [WEB]);
    await createNotes(ada, id, { id: 'n', text: 'First', x: 300, y: 0 });
    const { revision } = (await ada.get(`/api/workspaces/${id}`)).workspace;
    await ada.patch(`/api/workspaces/${id}/notes/n`, { text: 'Second' });
    await createNotes(ada, id, { id: 'm', text: 'Later', x: 300, y: 200 });
    await visitMapOf(page, id, `?past=${revision}&at=300,100,1`);
    await expect(note(page, 'Note: First')).toBeVisible();
    await expect(note(page, /Later/)).toHaveCount(0);
    await visit(page, `${HOME}/${id}?since=${revision}&at=300,100,1`);
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect(changes.getByText('1 note added, 1 note changed')).toBeVisible();
    await expect(note(page, 'Note: Second, changed')).toBeVisible();
    await changes.getByRole('button', { name: /Later/ }).click();
    await expect(note(page, 'Note: Later, added')).toHaveAttribute('aria-pressed', 'true');
    await visit(page, `${HOME}/${id}/history`);
    await expect(page.getByText('changed text of note “Second”')).toBeVisible();
    const later = (await ada.get(`/api/workspaces/${id}`)).workspace.revision;
    await ada.delete(`/api/workspaces/${id}/notes/m`);
    await visit(page, `${HOME}/${id}?since=${later}`);
    await expect(changes.getByText('1 note removed')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Later, removed' })).toBeInViewport();
  });

  await test.step('a link to a note selects it, and search results are such links', async () => {
    const { id } = await createMap(ada, [WEB]);
    await createNotes(ada, id, { id: 'n', text: 'Rotate the keys in March', x: 5000, y: 4000 });
    const { results } = await ada.get('/api/search?q=march');
    expect(results[0]).toMatchObject({ kind: 'note', path: `${HOME}/${id}?n=n` });
    await visitMapOf(page, id, '?n=n');
    await expect(note(page, /Rotate the keys/)).toHaveAttribute('aria-pressed', 'true');
    await expect(note(page, /Rotate the keys/)).toBeInViewport();
  });
});
