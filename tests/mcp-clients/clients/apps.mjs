// A host with MCP Apps: shows the page of the tools in Chromium, under the strictest policy, and uses it like a person.
// With $PLANROOM_PICTURES, it writes pictures of the page to this folder.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Apps } from '../apps/browser.mjs';
import { token, url } from '../support/client.mjs';

const EXTENSION = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const HOSTILE = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const WORKSPACE = 'wikipedia';

const client = new Client({ name: 'test-host', version: '1' }, { capabilities: { extensions: EXTENSION } });
const headers = { authorization: `Bearer ${token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
assert.ok(client.getServerCapabilities().extensions['io.modelcontextprotocol/ui']);

const call = (name, args) => client.callTool({ name, arguments: args });

/** A write that must succeed. */
async function write(name, args) {
  const result = await call(name, args);
  assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
}

await write('create_workspace', { id: WORKSPACE, name: 'Wikipedia', sample: true });
const { tools } = await client.listTools();
const uri = tools.find(({ name }) => name === 'get_workspace')._meta.ui.resourceUri;
const { contents } = await client.readResource({ uri });
const html = contents[0].text;

let failing = '';
const apps = await Apps.open(async ({ name, arguments: args }) =>
  name === failing ? { isError: true, content: [{ type: 'text', text: `no ${HOSTILE} (code: busy). What to do: wait.` }] } : call(name, args),
);

/** Shows the result of a tool call. */
async function show(name, args, options = {}) {
  const tool = tools.find((one) => one.name === name);
  const shown = await apps.show(html, { ...options, context: { ...options.context, toolInfo: { tool } } });
  const result = await call(name, args);
  assert.ok(!result.isError, JSON.stringify(result));
  await shown.tab.evaluate(
    async ([args, result]) => {
      await window.bridge.sendToolInput({ arguments: args });
      await window.bridge.sendToolResult(result);
    },
    [args, result],
  );
  return shown;
}

const card = (frame, id) => frame.locator(`[role="button"][data-id="${id}"]`);
const drawn = (frame) => frame.locator('.drawing svg').waitFor();
const logged = async (tab, kind) =>
  (await tab.evaluate(() => window.log)).filter(([one]) => one === kind).map(([, params]) => params);
async function picture(tab, name) {
  if (!process.env.PLANROOM_PICTURES) return;
  await tab.screenshot({ animations: 'disabled', path: join(process.env.PLANROOM_PICTURES, `${name}.png`) });
}
async function teardown(tab) {
  assert.deepEqual(await tab.evaluate(() => window.bridge.teardownResource({})), {});
  await tab.close();
}
const text = (locator) => locator.textContent();
async function eventually(check) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await check();
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

// The whole map: drawn, moved, zoomed, a component selected, dark, full screen.
{
  const { tab, frame } = await show('get_workspace', { workspaceId: WORKSPACE });
  await drawn(frame);
  assert.equal(await text(frame.locator('h1')), 'Wikipedia');
  assert.match(await text(frame.getByRole('status').first()), /^36 components, \d+ relationships$/);
  assert.ok((await logged(tab, 'size')).at(-1).height > 300);
  await picture(tab, 'map-light');
  const box = () => frame.locator('.drawing svg').getAttribute('viewBox');
  const first = await box();
  await frame.getByRole('button', { name: 'Zoom in' }).click();
  assert.notEqual(await box(), first);
  await frame.getByRole('button', { name: 'Show all' }).click();
  assert.equal(await box(), first);
  await frame.locator('.stage').focus();
  await tab.keyboard.press('+');
  await tab.keyboard.press('ArrowLeft');
  assert.notEqual(await box(), first);
  await tab.keyboard.press('0');
  assert.equal(await box(), first);
  // The wheel zooms while the map has the focus.
  await tab.mouse.move(400, 200);
  await tab.mouse.wheel(0, -200);
  await eventually(async () => assert.notEqual(await box(), first));
  await tab.keyboard.press('0');
  const [x, y] = [500, 120];
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x + 60, y + 20, { steps: 4 });
  await tab.mouse.up();
  assert.notEqual(await box(), first, 'dragged');
  assert.equal(await frame.locator('.details').isVisible(), false, 'a drag selects nothing');
  await tab.keyboard.press('0');

  await card(frame, 'mediawiki').click();
  await frame.locator('.details').getByText('Open in Planroom').waitFor();
  assert.equal(await text(frame.locator('.details h2')), 'MediaWiki');
  assert.match(await text(frame.locator('.details')), /ToParsoid/);
  const [{ content }] = await logged(tab, 'model-context');
  assert.match(content[0].text, /selected the component "mediawiki", named "MediaWiki", on the map of workspace "wikipedia"/);
  await picture(tab, 'details-light');
  await frame.locator('.details').getByText('Open in Planroom').click();
  await eventually(async () => {
    const [{ url: address }] = await logged(tab, 'open-link');
    assert.equal(address, `${url}/o/acme/w/${WORKSPACE}?c=mediawiki`);
  });
  await frame.locator('.details').getByRole('button', { name: /^Parsoid/ }).click();
  await eventually(async () => assert.equal(await text(frame.locator('.details h2')), 'Parsoid'));

  const paper = () => frame.locator('.drawing svg').locator('path[class^=f]').first().evaluate((one) => getComputedStyle(one).fill);
  const light = await paper();
  const dark = { '--color-background-primary': '#262624', '--color-text-primary': '#faf9f5', '--color-border-primary': '#4a4945' };
  await tab.evaluate((variables) => window.bridge.sendHostContextChange({ theme: 'dark', styles: { variables } }), dark);
  await tab.evaluate(() => document.body.style.setProperty('--page', '#262624'));
  await eventually(async () => assert.notEqual(await paper(), light));
  const color = await frame.locator('.viewer').evaluate((one) => getComputedStyle(one).color);
  assert.equal(color, 'rgb(250, 249, 245)', 'the color of the host');
  assert.equal(await text(frame.locator('.details h2')), 'Parsoid', 'the selection stays');
  await picture(tab, 'details-dark');
  // The page is transparent, and axe does not see the background of the host through it.
  await frame.locator('body').evaluate(() => document.documentElement.style.setProperty('background', '#262624'));
  assert.deepEqual(await apps.accessibility(tab), []);
  await frame.locator('body').evaluate(() => document.documentElement.style.removeProperty('background'));
  await tab.keyboard.press('Escape');
  await frame.locator('.details').waitFor({ state: 'hidden' });
  await picture(tab, 'map-dark');
  await frame.getByRole('button', { name: 'Full screen' }).click();
  await frame.getByRole('button', { name: 'Exit full screen' }).waitFor();
  assert.deepEqual(await logged(tab, 'display-mode'), ['fullscreen']);
  await picture(tab, 'fullscreen-dark');
  await teardown(tab);
}

// A process, step by step.
{
  const { tab, frame } = await show('get_process', { workspaceId: WORKSPACE, processId: 'read-an-article' });
  await drawn(frame);
  assert.equal(await text(frame.locator('h1')), 'A reader opens an article');
  await frame.getByRole('button', { name: 'Next step' }).click();
  assert.match(await text(frame.locator('.step')), /^Reader → Geo DNSResolve en.wikipedia.org$/);
  assert.equal(await text(frame.locator('.message-text')), '1');
  assert.equal(await frame.locator('.on[role="button"]').count(), 2, 'both ends are highlighted');
  await picture(tab, 'process-light');
  await frame.getByRole('button', { name: 'Previous step' }).click();
  assert.equal(await frame.locator('.message-text').count(), 0);
  await frame.getByRole('button', { name: 'Play' }).click();
  await frame.getByRole('button', { name: 'Pause' }).click();
  assert.match(await text(frame.locator('.position')), /^1 \/ \d+$/);
  await teardown(tab);
}

// Paths and dependents: an arranged part of the map, with the relationships in question highlighted.
{
  const { tab, frame } = await show('find_paths', { workspaceId: WORKSPACE, from: 'reader', to: 'core-databases' });
  await drawn(frame);
  assert.equal(await text(frame.locator('h1')), 'Paths from Reader to Core databases');
  const on = () => frame.locator('.on[data-from]').count();
  assert.ok((await on()) > 0);
  await picture(tab, 'paths-light');
  await frame.getByRole('combobox').selectOption('1');
  assert.ok((await on()) > 0);
  await teardown(tab);
}
{
  const { tab, frame } = await show('trace_dependencies', { workspaceId: WORKSPACE, componentId: 'parsoid' });
  await drawn(frame);
  assert.equal(await text(frame.locator('h1')), 'Dependents of Parsoid');
  assert.equal(await card(frame, 'kafka').count(), 0, 'only what was reached');
  await picture(tab, 'dependents-light');
  await teardown(tab);
}

// On a phone, by keyboard, with fonts from data: URLs allowed.
{
  const { tab, frame } = await show('draw_map', { workspaceId: WORKSPACE, around: ['mediawiki'] }, { width: 320, fonts: ' data:' });
  await drawn(frame);
  await picture(tab, 'phone-light');
  await frame.locator('.stage').focus();
  await tab.keyboard.press('Enter');
  await tab.keyboard.press('ArrowRight');
  await tab.keyboard.press('Enter');
  await frame.locator('.details dl, .details .connections').first().waitFor();
  await picture(tab, 'phone-details-light');
  const width = await frame.locator('body').evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `${width} pixels wide`);
  assert.deepEqual(await apps.accessibility(tab), []);
  await tab.keyboard.press('Escape');
  await frame.locator('.details').waitFor({ state: 'hidden' });
  await teardown(tab);
}

// Calls that were cancelled or failed, a drawing that fails at first, and hosts that can do nothing else.
{
  const { tab, frame } = await apps.show(html);
  await tab.evaluate(() => window.bridge.sendToolCancelled({ reason: 'the user stopped it' }));
  await frame.getByText('The call was cancelled: the user stopped it.').waitFor();
  await picture(tab, 'cancelled-light');
  await teardown(tab);
}
{
  const { tab, frame } = await apps.show(html);
  const failed = await call('get_workspace', { workspaceId: 'nowhere' });
  await tab.evaluate(async (result) => {
    await window.bridge.sendToolInput({ arguments: { workspaceId: 'nowhere' } });
    await window.bridge.sendToolResult(result);
  }, failed);
  await frame.getByText('workspace not found').waitFor();
  assert.equal(await frame.getByText('What to do').count(), 0, 'that is for models');
  await teardown(tab);
}
{
  failing = 'draw_map';
  const { tab, frame } = await show('get_workspace', { workspaceId: WORKSPACE }, { capabilities: { serverTools: {} }, context: { availableDisplayModes: [] } });
  await frame.getByText(`no ${HOSTILE}.`).waitFor();
  failing = '';
  await frame.getByRole('button', { name: 'Try again' }).click();
  await drawn(frame);
  assert.equal(await frame.getByRole('button', { name: 'Full screen' }).count(), 0);
  await card(frame, 'mediawiki').click();
  await frame.locator('.details .connections').first().waitFor();
  assert.deepEqual(await logged(tab, 'model-context'), []);
  assert.equal(await frame.getByText('Open in Planroom').count(), 0);
  await teardown(tab);
}

// Names are text.
{
  const components = [{ id: 'evil', typeId: 'service', name: HOSTILE, description: HOSTILE }, { id: 'b', typeId: 'service', name: 'B' }];
  await write('create_workspace', { id: 'evil', name: HOSTILE });
  await write('upsert_components', { workspaceId: 'evil', components });
  await write('upsert_relationships', { workspaceId: 'evil', relationships: [{ sourceId: 'evil', targetId: 'b', typeId: 'calls', label: HOSTILE }] });
  const mermaid = `sequenceDiagram\n  participant evil as ${HOSTILE}\n  evil->>b: ${HOSTILE}`;
  await write('save_process', { workspaceId: 'evil', processId: 'story', name: HOSTILE, mermaid });
  for (const [name, args] of [['get_workspace', {}], ['get_process', { processId: 'story' }]]) {
    const { tab, frame } = await show(name, { workspaceId: 'evil', ...args });
    await drawn(frame);
    assert.equal(await text(frame.locator('h1')), HOSTILE);
    await card(frame, 'evil').click();
    await eventually(async () => assert.equal(await text(frame.locator('.details .description')), HOSTILE));
    if (name === 'get_process') await frame.getByRole('button', { name: 'Next step' }).click();
    assert.equal(await frame.locator('img').count(), 0);
    assert.equal(await frame.locator('body').evaluate(() => window.hacked), undefined);
    await teardown(tab);
  }
}

assert.deepEqual(apps.problems, []);
await apps.close();
await client.close();
