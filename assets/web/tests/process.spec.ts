/** Editing processes next to their diagram without losing input. */
import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { visitWorkspace, wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';

const editor = (page: Page) => page.getByRole('textbox', { name: 'Diagram text' });
const drawing = (page: Page) => page.getByRole('img', { name: /^Sequence diagram/ });
const problems = (page: Page) => page.getByRole('status', { name: 'Problems in the text' });

test('a process is written, mapped, renamed and deleted', async ({ page, ada }) => {
  await test.step('a process is written using only the keyboard: an error is reported and fixed, and participants are mapped', async () => {
    const id = await wikipedia(ada);
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
    await expect(page.getByRole('combobox', { name: 'Component for reader', exact: true })).toHaveValue(
      'Reader',
    );
    await expect(page.getByRole('combobox', { name: 'Component for Geo DNS', exact: true })).toHaveValue(
      'Geo DNS',
    );
    const choice = page.getByRole('combobox', { name: 'Component for Nobody', exact: true });
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
    const id = await wikipedia(ada);
    await visitWorkspace(page, id, '/processes');
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
    const id = await wikipedia(ada);
    await visitWorkspace(page, id, '/processes');
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
    const id = await wikipedia(ada);
    await visitWorkspace(page, id, '/processes/save-an-edit');
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
    const id = await wikipedia(ada);
    const path = `/o/analytical-engines/w/${id}/processes/first-thumbnail`;
    await visitWorkspace(page, id, '/processes/first-thumbnail');
    await page.getByRole('button', { name: 'Select component for Media store on map' }).press('Enter');
    await expect(page.getByText('Click the component for “Media store”')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.waitForURL(`**${path}`);
    await page.getByRole('button', { name: 'Select component for Media store on map' }).press('Enter');
    await page.getByRole('combobox', { name: 'Component for Media store', exact: true }).fill('Object ca');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${path}`);
    await expect(page.getByRole('combobox', { name: 'Component for Media store', exact: true })).toHaveValue(
      'Object cache',
    );
  });
});

test('the process screen maps, searches, draws and checks', async ({ page, ada }) => {
  await test.step('a participant with the name of a component is mapped while typing, unless the user unmaps it', async () => {
    const id = await wikipedia(ada);
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
    const id = await wikipedia(ada);
    const text = 'sequenceDiagram\nA->>B: one\ncreate participant C\nA->>B: two';
    await ada.post(`/api/workspaces/${id}/processes`, { id: 'odd', name: 'Odd', mermaid: text });
    await visitWorkspace(page, id, '/processes/odd');
    const { process: odd } = await ada.get(`/api/workspaces/${id}/processes/odd`);
    await expect(problems(page)).toContainText(`Line ${odd.diagnostics[0].line}`);
    await expect(problems(page)).toContainText(odd.diagnostics[0].message);
  });

  await test.step('the list can be searched by name and text, and marks unmapped participants', async () => {
    const id = await wikipedia(ada);
    await ada.delete(`/api/workspaces/${id}/components/thumbor`);
    await visitWorkspace(page, id, '/processes');
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

  await test.step('the process screen is accessible in both themes', async () => {
    // The process of the step before has an unmapped participant.
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('else');
    await expect(problems(page)).toContainText('only allowed inside a block that starts with “alt”');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
  });

  await test.step('the diagram fits its pane, and is enlarged and reduced by buttons and keys', async () => {
    const id = await wikipedia(ada);
    await visitWorkspace(page, id, '/processes/save-an-edit');
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
    const id = await wikipedia(ada);
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
    await visitWorkspace(page, id, '/processes/planted-0');
    for (const [at, word] of ['First', 'Second', 'Third'].entries()) {
      await visit(page, `${HOME}/${id}/processes/planted-${at}`);
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
