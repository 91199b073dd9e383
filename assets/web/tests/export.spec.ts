/** Exported files can be read by other programs. */
import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import Papa from 'papaparse';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';

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
      text.replace(/ style="/g, ' data-style="'),
      'application/xml',
    );
    return parsed.querySelector('parsererror')?.textContent ?? parsed.documentElement.nodeName;
  }, xml);
}

test('the map is exported as SVG, PNG and Mermaid', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.patch(`/api/workspaces/${id}/components/reader`, { name: 'Reader <b>&"\' ]]>' });
  await ada.open(page, `${HOME}/${id}`);
  const svg = await exported(page, 'Export map as SVG');
  expect(svg.name).toBe('Encyclopedia-all-of-it.svg');
  expect(await rootOf(page, svg.content.toString())).toBe('svg');
  expect(svg.content.toString()).toContain('Reader &lt;b&gt;');
  const marks = [...svg.content.toString().matchAll(/data-lifecycle="(\w+)"/g)].map(([, state]) => state);
  expect(marks).toContain('building');
  // Most components are live, which has no mark.
  expect(marks).not.toContain('live');
  const png = await exported(page, 'Export map as PNG');
  expect([...png.content.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join('')).toBe('PNG');
  // The width and height are at the start of a PNG.
  expect(png.content.readUInt32BE(16)).toBeGreaterThan(1000);
  const mmd = await exported(page, /map as Mermaid/);
  expect(mmd.content.toString()).toMatch(/^flowchart LR\n/);
  expect(mmd.content.toString()).toContain('subgraph');
});

test('an export started before the catalog has loaded contains all components', async ({ page, ada }) => {
  const id = await sample(ada);
  let answer = () => {};
  const requested = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/schema', async (route) => {
    await requested;
    await route.continue();
  });
  await ada.open(page, `${HOME}/${id}`);
  await page.getByRole('button', { name: 'Export' }).click();
  const file = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export map as SVG' }).click();
  answer();
  const svg = await readFile(await (await file).path());
  expect(svg.toString()).toContain('>MediaWiki</text>');
});

test('components and relationships are exported as CSV, and the workspace as JSON', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.patch(`/api/workspaces/${id}/components/reader`, { name: '=HYPERLINK("x")' });
  await ada.open(page, `${HOME}/${id}/table`);
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

test('exports of the selection need a selection, and the menu is accessible', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.open(page, `${HOME}/${id}/processes`);
  await page.getByRole('button', { name: 'Export' }).press('Enter');
  const item = page.getByRole('menuitem', { name: 'Export selection as SVG' });
  await expect(item).toHaveAttribute('aria-disabled', 'true');
  expect((await new AxeBuilder({ page }).include('[role=menu]').analyze()).violations).toEqual([]);
});

test('the diagram of a process is exported as shown', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.open(page, `${HOME}/${id}/processes/read-an-article`);
  const save = page.getByRole('button', { name: 'Export diagram as SVG' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(file.suggestedFilename()).toBe('A-reader-opens-an-article.svg');
  const svg = await readFile(await file.path(), 'utf8');
  expect(await rootOf(page, svg.replace(/<style>[\s\S]*?<\/style>/, ''))).toBe('svg');
  expect(svg).toContain('Resolve en.wikipedia.org');
  expect(svg).toContain('<style>');
});
