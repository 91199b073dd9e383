/** Exported files can be read by other programs. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import Papa from 'papaparse';
import { expectNoViolations } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { component } from './support/map.ts';
import { visit } from './support/visit.ts';
import { selectByKeyboard } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';
let count = 0;

async function sample(ada: Actor): Promise<string> {
  const id = `export-${process.pid}-${++count}`;
  await ada.post('/api/workspaces', { id, name: 'Encyclopedia: all/of it', sample: true });
  return id;
}

/** Selects a menu item. Returns the name and content of the downloaded file. */
async function exported(page: Page, entry: string | RegExp): Promise<{ name: string; content: Buffer }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const item = page.getByRole('menuitem', { name: entry });
  const [file] = await Promise.all([page.waitForEvent('download'), item.click()]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

/** The name of the root element of an XML document, or the parse error. */
function rootOf(page: Page, xml: string): Promise<string> {
  return page.evaluate((text) => {
    // Parse in an empty document, to which the content security policy does not apply.
    const parsed = new DOMParser().parseFromString(
      text.replace(/ style="/g, ' data-style="').replace(/<style>[^<]*<\/style>/g, ''),
      'application/xml',
    );
    return parsed.querySelector('parsererror')?.textContent ?? parsed.documentElement.nodeName;
  }, xml);
}

test('the map and the selection are exported as images and for other tools', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.patch(`/api/workspaces/${id}/components/reader`, { name: 'Reader <b>&"\' ]]>' });
  await ada.open(page, `${HOME}/${id}`);
  await test.step('SVG, PNG, PDF and Mermaid', async () => {
    const svg = await exported(page, 'Export map as SVG');
    expect(svg.name).toBe('Encyclopedia-all-of-it.svg');
    expect(await rootOf(page, svg.content.toString())).toBe('svg');
    expect(svg.content.toString()).toContain('Reader &lt;b&gt;');
    expect(svg.content.toString()).toContain('>MediaWiki</text>');
    const png = await exported(page, 'Export map as PNG');
    expect([...png.content.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join('')).toBe('PNG');
    // The width and height are at the start of a PNG.
    expect(png.content.readUInt32BE(16)).toBeGreaterThan(1000);
    const pdf = await exported(page, 'Export map as PDF');
    expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-');
    const mmd = await exported(page, 'Export map as Mermaid flowchart');
    expect(mmd.content.toString()).toMatch(/^flowchart LR\n/);
    expect(mmd.content.toString()).toContain('subgraph');
  });
  await test.step('draw.io, Structurizr and C4', async () => {
    const drawing = await exported(page, 'Export map as draw.io drawing');
    expect(drawing.name).toBe('Encyclopedia-all-of-it.drawio');
    expect(await rootOf(page, drawing.content.toString())).toBe('mxfile');
    expect(drawing.content.toString()).toContain('planroomId="reader"');
    const dsl = await exported(page, 'Export map as Structurizr DSL');
    expect(dsl.name).toBe('Encyclopedia-all-of-it.dsl');
    expect(dsl.content.toString()).toContain('workspace "Encyclopedia: all/of it"');
    const json = await exported(page, 'Export map as Structurizr JSON');
    expect(JSON.parse(json.content.toString()).model.softwareSystems.length).toBeGreaterThan(0);
    expect((await exported(page, 'Export map as Mermaid C4')).content.toString()).toMatch(/^C4Context\n/);
    expect((await exported(page, 'Export map as PlantUML C4')).content.toString()).toMatch(/^@startuml\n/);
  });
  await test.step('the selection', async () => {
    await component(page, 'mediawiki').click();
    const part = (await exported(page, 'Export selection as SVG')).content.toString();
    expect(part).toContain('>MediaWiki</text>');
    expect(part).not.toContain('>Editor</text>');
  });
});

test('exports contain what is shown: the open view, the theme, and edits that were made just before', async ({
  page,
  ada,
  context,
}) => {
  const id = await sample(ada);
  const url = `/api/workspaces/${id}/views`;
  const definition = { include: [{ ids: ['reader', 'mediawiki'] }] };
  await ada.post(url, { id: 'reading', name: 'Reading only', definition });
  await ada.post(`${url}/personal`, {
    id: 'mine',
    name: 'Mine alone',
    definition: { include: [{ ids: ['reader'] }] },
  });
  await ada.open(page, `${HOME}/${id}/v/reading`);
  await test.step('the open view is exported for other tools', async () => {
    await expect(
      page.getByRole('tab', { name: 'Reading only' }).or(page.getByText('Reading only')).first(),
    ).toBeVisible();
    const drawing = await exported(page, 'Export map as draw.io drawing');
    expect(drawing.name).toBe('Reading-only.drawio');
    const shapes = [...drawing.content.toString().matchAll(/planroomId="([^"]+)" planroomType/g)].map(
      ([, one]) => one,
    );
    expect(shapes.sort()).toEqual(['mediawiki', 'reader']);
    const mermaid = (await exported(page, 'Export map as Mermaid flowchart')).content.toString();
    expect(mermaid).toContain('MediaWiki');
    expect(mermaid).not.toContain('subgraph');
    await visit(page, `${HOME}/${id}/v/~mine`);
    await expect(page).toHaveTitle(/^Mine alone/);
    const c4 = await exported(page, 'Export map as PlantUML C4');
    expect(c4.name).toBe('Mine-alone.puml');
    expect(c4.content.toString()).not.toContain('MediaWiki');
  });
  await test.step('the open view is exported as an image', async () => {
    const view = { id: 'readers', name: 'Readers', definition: { include: [{ ids: ['reader', 'editor'] }] } };
    await ada.post(`/api/workspaces/${id}/views`, view);
    await visit(page, `${HOME}/${id}/v/readers`);
    await expect(page).toHaveTitle(/^Readers/);
    const shown = await exported(page, 'Export map as SVG');
    expect(shown.name).toBe('Readers.svg');
    expect(shown.content.toString()).toContain('>Editor</text>');
    expect(shown.content.toString()).not.toContain('>MediaWiki</text>');
  });
  await test.step('images have the colors of the theme, and a title and a legend if chosen', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit(page, `${HOME}/${id}`);
    await component(page, 'mediawiki').waitFor();
    const plain = (await exported(page, 'Export map as SVG')).content.toString();
    expect(plain).toContain('.paper{fill:#0e2035}');
    expect(plain).not.toContain('>Encyclopedia: all/of it</text>');
    await page.getByRole('button', { name: 'Export' }).press('Enter');
    for (const name of ['Title in images', 'Legend in images']) {
      const item = page.getByRole('menuitemcheckbox', { name });
      await item.press('Enter');
      await expect(item).toBeChecked();
    }
    await page.keyboard.press('Escape');
    await page.reload();
    const full = (await exported(page, 'Export map as SVG')).content.toString();
    expect(full).toContain('>Encyclopedia: all/of it</text>');
    expect(full).toContain('>Identity provider</text>');
  });
  await test.step('edits that were made just before are exported, and the server is needed for some formats', async () => {
    await selectByKeyboard(page, 'Reader');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    // Without Enter: the export commits what is typed.
    await inspector.getByLabel('Name', { exact: true }).fill('Reader of today');
    const svg = await exported(page, 'Export map as SVG');
    expect(svg.content.toString()).toContain('Reader of today');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export map as PNG' }).click();
    const messages = page.getByRole('region', { name: 'Notifications' });
    await expect(messages.getByText(/it cannot be reached/)).toBeVisible();
  });
});

test('the table, processes and the workspace are exported and printed', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.patch(`/api/workspaces/${id}/components/reader`, { name: '=HYPERLINK("x")' });
  await ada.open(page, `${HOME}/${id}/table`);
  await test.step('components and relationships are exported as CSV, and the workspace as JSON', async () => {
    const components = await exported(page, 'Export components as CSV');
    const { data, errors } = Papa.parse<Record<string, string>>(components.content.toString().slice(1), {
      header: true,
      skipEmptyLines: true,
    });
    expect(errors).toEqual([]);
    expect(data).toHaveLength(36);
    expect(data.find((row) => row.Id === 'reader')?.Name).toBe('\'=HYPERLINK("x")');
    const relationships = await exported(page, 'Export relationships as CSV');
    expect(
      Papa.parse(relationships.content.toString(), { header: true, skipEmptyLines: true }).data,
    ).toHaveLength(71);
    const file = await exported(page, /workspace as JSON/);
    const document = JSON.parse(file.content.toString());
    expect(document.format).toBe('planroom/1');
    expect(document.processes).toHaveLength(4);
  });
  await test.step('exports of the selection need a selection, and the menu is accessible', async () => {
    await visit(page, `${HOME}/${id}/processes`);
    await expect(page).toHaveTitle(/^Processes/);
    await page.getByRole('button', { name: 'Export' }).press('Enter');
    const item = page.getByRole('menuitem', { name: 'Export selection as SVG' });
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expectNoViolations(page, '[role=menu]');
    await page.keyboard.press('Escape');
  });
  await test.step('the diagram of a process is exported as shown', async () => {
    await visit(page, `${HOME}/${id}/processes/read-an-article`);
    const save = page.getByRole('button', { name: 'Export diagram as SVG' });
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(file.suggestedFilename()).toBe('A-reader-opens-an-article.svg');
    const svg = await readFile(await file.path(), 'utf8');
    expect(await rootOf(page, svg.replace(/<style>[\s\S]*?<\/style>/, ''))).toBe('svg');
    expect(svg).toContain('Resolve en.wikipedia.org');
    expect(svg).toContain('<style>');
  });
  await test.step('the map is printed on one page', async () => {
    await visit(page, `${HOME}/${id}`);
    await component(page, 'mediawiki').waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect(component(page, 'mediawiki')).toBeInViewport({ ratio: 0.99 });
    await expect(page.getByRole('banner')).toBeHidden();
    await page.emulateMedia({ media: null });
  });
  await test.step('other screens are printed on as many pages as they need', async () => {
    await visit(page, `${HOME}/${id}/processes/save-an-edit`);
    await expect(page.getByText('Participants', { exact: true })).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    const heights = () =>
      page.evaluate(() => ({
        content: Math.max(
          ...[...document.querySelectorAll('main *')].map((part) => part.getBoundingClientRect().bottom),
        ),
        paper: document.documentElement.scrollHeight,
      }));
    // The diagram is drawn later.
    await expect.poll(async () => (await heights()).content).toBeGreaterThan(1_000);
    const { content, paper } = await heights();
    expect(paper).toBeGreaterThanOrEqual(Math.floor(content));
  });
});
