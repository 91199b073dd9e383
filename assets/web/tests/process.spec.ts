/** Editing processes next to their diagram without losing input. */
import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { goTo } from './support/navigation.ts';

const HOME = '/o/analytical-engines/w';
let count = 0;

/** Creates a workspace with the sample. Returns its ID. */
async function sample(ada: Actor): Promise<string> {
  const id = `process-${process.pid}-${++count}`;
  await ada.post('/api/workspaces', { id, name: 'Encyclopedia', sample: true });
  return id;
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Diagram text' });
const drawing = (page: Page) => page.getByRole('img', { name: /^Sequence diagram/ });
const problems = (page: Page) => page.getByRole('status', { name: 'Problems in the text' });

test('a process is written, mapped, renamed and deleted', async ({ page, ada }) => {
  await test.step('a process is written using only the keyboard: an error is reported and fixed, and participants are mapped', async () => {
    const id = await sample(ada);
    await ada.open(page, `${HOME}/${id}/processes`);
    const create = page.getByRole('button', { name: 'New process' }).first();
    await create.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Process name').fill('Answer a question');
    await page.keyboard.press('Enter');
    await expect(drawing(page)).toBeVisible();
    await expect(page).toHaveURL(/\/processes\/answer-a-question$/);
    await editor(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(
      'sequenceDiagram\nreader->>Geo DNS: Where?\nloop until found\nGeo DNS->>Nobody: x',
    );
    await expect(problems(page)).toContainText('Line 3');
    await expect(problems(page)).toContainText('“end”');
    // The last valid diagram is still shown, marked as outdated.
    await expect(drawing(page)).toBeVisible();
    await expect(page.getByText('Showing the last valid version')).toBeVisible();

    await problems(page).getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect(editor(page)).toBeFocused();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\nend');
    await expect(problems(page)).toBeEmpty();
    await expect(drawing(page).getByText('until found')).toBeVisible();

    const rows = page.getByRole('row');
    await expect(rows.filter({ hasText: 'Nobody' })).toContainText('Not mapped');
    // Participants with the name of a component are mapped automatically.
    await expect(rows.filter({ hasText: 'Geo DNS' })).toContainText('Mapped by name');
    await expect(page.getByRole('combobox', { name: 'Component for reader' })).toHaveValue('Reader');
    await expect(page.getByRole('combobox', { name: 'Component for Geo DNS' })).toHaveValue('Geo DNS');
    const choice = page.getByRole('combobox', { name: 'Component for Nobody' });
    await choice.focus();
    await page.keyboard.type('Core data');
    await page.keyboard.press('Enter');
    await expect(choice).toHaveValue('Core databases');
    await expect(page.getByText('All participants are mapped to components.')).toBeVisible();
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}/processes/answer-a-question`)).process)
      .toMatchObject({
        name: 'Answer a question',
        unresolved: [],
        diagnostics: [],
        participants: { reader: 'reader', 'Geo DNS': 'geo-dns', Nobody: 'core-databases' },
      });
  });

  await test.step('the URL of a new process follows its name', async () => {
    const id = await sample(ada);
    await goTo(page, `${HOME}/${id}/processes`);
    await page.getByRole('button', { name: 'New process' }).first().click();
    await page.getByLabel('Process name').fill('New process');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/processes\/new-process$/);
    await expect(drawing(page)).toBeVisible();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Buy two seats');
    // The focus moves on as usual.
    await page.keyboard.press('Tab');
    await expect(page).toHaveURL(/\/processes\/buy-two-seats$/);
    await expect(page.getByRole('button', { name: 'Play on map' })).toBeFocused();
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('%% my remark');
    const ids = async () =>
      (await ada.get(`/api/workspaces/${id}/processes`)).processes.map(
        (process: { id: string }) => process.id,
      );
    await expect.poll(ids).toContain('buy-two-seats');
    expect(await ids()).not.toContain('new-process');
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}/processes/buy-two-seats`)).process.mermaid)
      .toContain('my remark');
    await page.getByRole('button', { name: 'Play on map' }).click();
    await expect(page).toHaveURL(/process=buy-two-seats/);
    await expect(page.getByRole('region', { name: 'Playback of Buy two seats' })).toBeVisible();
    // After it was left, links to it may exist.
    await page.goBack();
    await name.fill('Buy three seats');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}/processes/buy-two-seats`)).process.name)
      .toBe('Buy three seats');
    await expect(page).toHaveURL(/\/processes\/buy-two-seats$/);
  });

  await test.step('renaming a new process can be undone', async () => {
    const id = await sample(ada);
    await goTo(page, `${HOME}/${id}/processes`);
    await page.getByRole('button', { name: 'New process' }).first().click();
    await page.getByLabel('Process name').fill('First');
    await page.keyboard.press('Enter');
    await expect(drawing(page)).toBeVisible();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Second');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/processes\/second$/);
    await expect(page.getByRole('button', { name: /^Saved/ })).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page).toHaveURL(/\/processes\/first$/);
    await expect(name).toHaveValue('First');
  });

  await test.step('undo restores a deleted process at its position in the list', async () => {
    const id = await sample(ada);
    await goTo(page, `${HOME}/${id}/processes/save-an-edit`);
    await page.getByRole('button', { name: 'Delete process' }).click();
    const link = page.getByRole('link', { name: 'An editor saves an edit' });
    await expect(link).toBeHidden();
    const list = page.getByRole('navigation', { name: 'Processes' }).getByRole('link');
    await page.getByRole('dialog', { name: 'Note' }).getByRole('button', { name: 'Undo' }).click();
    await expect(link).toBeVisible();
    const { processes } = await ada.get(`/api/workspaces/${id}/processes`);
    expect(processes.at(-1).id).not.toBe('save-an-edit');
    await expect(list).toHaveText(processes.map(({ name }: { name: string }) => new RegExp(name)));
  });

  await test.step('a component is selected on the map, and Escape cancels the selection', async () => {
    const id = await sample(ada);
    const path = `/o/analytical-engines/w/${id}/processes/first-thumbnail`;
    await goTo(page, path);
    await page.getByRole('button', { name: 'Select component for Media store on map' }).press('Enter');
    await expect(page.getByText('Click the component for “Media store”')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.waitForURL(`**${path}`);
    await page.getByRole('button', { name: 'Select component for Media store on map' }).press('Enter');
    await page.getByRole('combobox', { name: 'Component for Media store' }).fill('Object ca');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${path}`);
    await expect(page.getByRole('combobox', { name: 'Component for Media store' })).toHaveValue(
      'Object cache',
    );
  });
});

test('text of a process that cannot be saved is kept', async ({ page, ada }) => {
  await test.step('a text that is not a sequence diagram is kept unsaved, with the reason', async () => {
    const id = await sample(ada);
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
    const id = await sample(ada);
    const path = `/api/workspaces/${id}/processes/first-thumbnail`;
    await goTo(page, `${HOME}/${id}/processes/first-thumbnail`);
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
    const id = await sample(ada);
    await goTo(page, `${HOME}/${id}/processes/first-thumbnail`);
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
    const [id, other] = [await sample(ada), await sample(ada)];
    await goTo(page, `${HOME}/${id}/processes/first-thumbnail`);
    await editor(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('%% just typed\n');
    await page.evaluate(
      (path) => history.pushState(null, '', path),
      `${HOME}/${other}/processes/first-thumbnail`,
    );
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
  await test.step('signing out with unsaved text asks for confirmation, and the text is restored after sign-in', async () => {
    const id = await sample(ada);
    await ada.open(page, `${HOME}/${id}/processes/first-thumbnail`);
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const type = async (text: string) => {
      await editor(page).focus();
      await page.keyboard.press('Control+Home');
      await page.keyboard.insertText(text);
    };
    await page.route('**/api/workspaces/*/operations', (route) => route.abort());
    await type('%% just typed\n');
    await signOut();
    const sheet = page.getByRole('dialog', { name: 'Sign out with 1 unsaved change?' });
    await sheet.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.unroute('**/api/workspaces/*/operations');
    await ada.open(page, `${HOME}/${id}/processes/first-thumbnail`);
    const saved = async () =>
      (await ada.get(`/api/workspaces/${id}/processes/first-thumbnail`)).process.mermaid;
    await expect.poll(saved).toContain('%% just typed');
    await expect(editor(page)).toContainText('%% just typed');
    // Text that the server accepts needs no confirmation; rejected text does.
    await type('%% and more\n');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('no diagram');
    await signOut();
    await expect(sheet).toBeVisible();
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await editor(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('sequenceDiagram\nA->>B: the last word');
    await signOut();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(await saved()).toContain('the last word');
  });

  await test.step('unsaved text is not visible to other users of the browser', async () => {
    const id = await sample(ada);
    const grace = await ada.invite(`grace-${id}`, 'Grace Hopper', 'org:admin');
    const path = `${HOME}/${id}/processes/first-thumbnail`;
    await goTo(page, path);
    await editor(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('no diagram, and nobody’s business');
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const sheet = page.getByRole('dialog', { name: 'Sign out with 1 unsaved change?' });
    await sheet.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

    await grace.open(page, path);
    await expect(editor(page)).toContainText('sequenceDiagram');
    await expect(page.getByText('nobody’s business')).toHaveCount(0);

    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await goTo(page, path);
    await expect(editor(page)).toContainText('nobody’s business');
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the process screen is accessible, ${colorScheme}`, async ({ page, ada }) => {
    const id = await sample(ada);
    await ada.delete(`/api/workspaces/${id}/components/thumbor`);
    await page.emulateMedia({ colorScheme });
    await ada.open(page, `${HOME}/${id}/processes/first-thumbnail`);
    await expect(drawing(page)).toBeVisible();
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('else');
    await expect(problems(page)).toContainText('only allowed inside a block that starts with “alt”');
    await expectNoViolations(page);
  });
}

test('the process screen maps, searches, draws and checks', async ({ page, ada }) => {
  await test.step('a participant with the name of a component is mapped while typing, unless the user unmaps it', async () => {
    const id = await sample(ada);
    const saved = async () => (await ada.get(`/api/workspaces/${id}/processes/first-thumbnail`)).process;
    const before = await saved();
    await ada.open(page, `${HOME}/${id}/processes/first-thumbnail`);
    const row = page.getByRole('row').filter({ hasText: 'geo dns' });
    const type = async (text: string) => {
      await editor(page).focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText(text);
    };
    await type('\n    participant G as "geo  dns"');
    await expect(row).toContainText('Mapped by name');
    await expect
      .poll(async () => (await saved()).participants)
      .toEqual({ ...before.participants, G: 'geo-dns' });
    await row.getByRole('button', { name: /^Clear/ }).click();
    await expect(row).toContainText('Not mapped');
    await type('\n    G->>G: Ask');
    await expect(drawing(page).getByText('Ask')).toBeVisible();
    await expect.poll(async () => (await saved()).mermaid).toContain('Ask');
    await expect(row).toContainText('Not mapped');
    await page.reload();
    await type('\n    G->>G: Ask again');
    await expect.poll(async () => (await saved()).mermaid).toContain('Ask again');
    await expect(row).toContainText('Not mapped');
    expect((await saved()).participants).toEqual(before.participants);
    // It is still offered.
    await row.getByRole('button', { name: 'Map to “Geo DNS”' }).click();
    await expect.poll(async () => (await saved()).participants.G).toBe('geo-dns');
  });

  await test.step('errors that the server finds in a saved text are shown', async () => {
    const id = await sample(ada);
    const text = 'sequenceDiagram\nA->>B: one\ncreate participant C\nA->>B: two';
    await ada.post(`/api/workspaces/${id}/processes`, { id: 'odd', name: 'Odd', mermaid: text });
    await goTo(page, `${HOME}/${id}/processes/odd`);
    const { process: odd } = await ada.get(`/api/workspaces/${id}/processes/odd`);
    await expect(problems(page)).toContainText(`Line ${odd.diagnostics[0].line}`);
    await expect(problems(page)).toContainText(odd.diagnostics[0].message);
  });

  await test.step('the list can be searched by name and text, and marks unmapped participants', async () => {
    const id = await sample(ada);
    await ada.delete(`/api/workspaces/${id}/components/thumbor`);
    await goTo(page, `${HOME}/${id}/processes`);
    const list = page.getByRole('navigation', { name: 'Processes' });
    await expect(list.getByRole('link', { name: 'A reader requests a new image' })).toContainText(
      '1 not mapped',
    );
    await list.getByRole('searchbox').fill('scale sharpen');
    await expect(list.getByRole('link')).toHaveCount(1);
    await list.getByRole('link').click();
    await expect(page.getByRole('row').filter({ hasText: 'Thumbnail renderer' })).toContainText(
      'was deleted',
    );
    await expect(drawing(page).locator('rect.unmapped')).toHaveAttribute('name', 'thumbor');
  });

  await test.step('the diagram fits its pane, and is enlarged and reduced by buttons and keys', async () => {
    const id = await sample(ada);
    await goTo(page, `${HOME}/${id}/processes/save-an-edit`);
    await expect(drawing(page)).toBeVisible();
    const pane = page.getByRole('region', { name: 'Diagram', exact: true });
    const scrolls = () => pane.evaluate((element) => element.scrollWidth > element.clientWidth);
    const width = async () => (await drawing(page).boundingBox())?.width ?? 0;
    expect(await scrolls()).toBe(false);
    const fitted = await width();
    for (let click = 0; click < 4; click++)
      await page.getByRole('button', { name: 'Zoom in diagram' }).click();
    await expect.poll(width).toBeGreaterThan(fitted * 2);
    expect(await scrolls()).toBe(true);
    await page.getByRole('button', { name: 'Fit diagram' }).click();
    await expect.poll(width).toBe(fitted);
    await pane.focus();
    await page.keyboard.press('-');
    await expect.poll(width).toBeLessThan(fitted);
    await page.keyboard.press('0');
    await expect.poll(width).toBe(fitted);
    expect(await scrolls()).toBe(false);
  });

  await test.step('a diagram text cannot style the page or the drawing', async () => {
    const id = await sample(ada);
    const css =
      ':host, :root, body, text { position: fixed; inset: 0; z-index: 9999; fill: rgb(1, 2, 3) !important }';
    const config = { themeCSS: css, fontFamily: 'Planted', altFontFamily: 'Planted', securityLevel: 'loose' };
    const texts = [
      `%%{init: ${JSON.stringify(config)}}%%\nsequenceDiagram\nReader->>Wiki: First`,
      `---\nconfig:\n  themeCSS: "${css}"\n  fontFamily: Planted\n---\nsequenceDiagram\nReader->>Wiki: Second`,
      `%%{wrap}%%\n%%{initialize: ${JSON.stringify({ config })}}%%\nsequenceDiagram\nReader->>Wiki: Third`,
    ];
    for (const [at, mermaid] of texts.entries()) {
      await ada.post(`/api/workspaces/${id}/processes`, { id: `planted-${at}`, name: 'Planted', mermaid });
    }
    await goTo(page, `${HOME}/${id}/processes/planted-0`);
    for (const [at, word] of ['First', 'Second', 'Third'].entries()) {
      await page.goto(`${new URL(page.url()).origin}${HOME}/${id}/processes/planted-${at}`);
      await expect(drawing(page).getByText(word)).toBeVisible();
      const seen = await drawing(page).evaluate((svg) => {
        const root = svg.getRootNode() as ShadowRoot;
        const rules = [root, document].flatMap((scope) =>
          [...scope.adoptedStyleSheets, ...scope.styleSheets].flatMap((sheet) =>
            [...sheet.cssRules].map(({ cssText }) => cssText),
          ),
        );
        const text = svg.querySelector('text') as SVGTextElement;
        return {
          planted: rules.filter((rule) => /planted|rgb\(1, 2, 3\)/i.test(rule)),
          fill: getComputedStyle(text).fill,
          font: getComputedStyle(text).fontFamily,
          positions: [root.host, document.body, document.documentElement].map(
            (element) => getComputedStyle(element).position,
          ),
          overlaid: [...document.querySelectorAll('body > *')].filter(
            (element) => getComputedStyle(element).zIndex === '9999',
          ).length,
        };
      });
      expect(seen.planted).toEqual([]);
      expect(seen.fill).not.toBe('rgb(1, 2, 3)');
      expect(seen.font).not.toContain('Planted');
      expect(seen.positions).not.toContain('fixed');
      expect(seen.overlaid).toBe(0);
    }
  });
});
