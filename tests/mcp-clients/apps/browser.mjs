// Opens apps in Chromium as a host does: the page of the host and the sandbox have different origins, and the sandbox has the
// content security policy of the extension for pages that ask for no exceptions.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const WEB = join(HERE, '../../../assets/web');
/** Packages of the web client's tests. */
const fromWeb = createRequire(join(WEB, 'package.json'));

/** `fonts` is added to the sources of fonts; by the letter of the extension, there are no others. */
const policy = (fonts) =>
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  `media-src 'self' data:; font-src 'self'${fonts}; connect-src 'none'; frame-src 'self'; object-src 'none'; base-uri 'self'`;

async function serve(html, headers = {}) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  }).listen(0);
  await once(server, 'listening');
  return server;
}

async function hostScript() {
  const { build } = await import(pathToFileURL(fromWeb.resolve('vite')).href);
  const input = join(HERE, 'host.entry.js');
  const { output } = await build({
    root: HERE,
    configFile: false,
    logLevel: 'error',
    build: { write: false, rollupOptions: { input, output: { format: 'iife' } } },
  });
  return output[0].code.replaceAll('</script', '<\\/script');
}

export class Apps {
  /** What went wrong in pages: exceptions, and violations of the policy. */
  problems = [];
  #servers = [];
  #browser;
  #fromServer;
  #host;
  #sandboxes = new Map();

  /** `fromServer` calls a tool. */
  static async open(fromServer) {
    const apps = new Apps();
    apps.#fromServer = fromServer;
    const { browser } = await import(pathToFileURL(join(WEB, 'tests/support/browser.ts')).href);
    apps.#browser = await fromWeb('@playwright/test').chromium.launch(await browser());
    const style = 'margin:0;background:var(--page, #ffffff)';
    const page = `<!doctype html><html lang="en"><title>host</title><body style="${style}"><script>${await hostScript()}</script>`;
    apps.#host = await apps.#serve(page);
    const sandbox = readFileSync(join(HERE, 'sandbox.html'), 'utf8');
    for (const fonts of ['', ' data:']) {
      apps.#sandboxes.set(fonts, await apps.#serve(sandbox, { 'content-security-policy': policy(fonts) }));
    }
    return apps;
  }

  /** Shows a page in a new tab. Returns the tab and the frame of the page. */
  async show(html, { width = 760, context: told = {}, fonts = '', capabilities } = {}) {
    const viewport = { width: Math.max(width, 320), height: 700 };
    const context = await this.#browser.newContext({ viewport, reducedMotion: 'reduce' });
    const tab = await context.newPage();
    tab.on('pageerror', (error) => this.problems.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && this.problems.push(message.text()));
    await tab.exposeFunction('fromServer', async (text) => JSON.stringify(await this.#fromServer(JSON.parse(text))));
    await tab.goto(`http://127.0.0.1:${this.#host}/`);
    await tab.evaluate((given) => window.start(given), {
      html,
      width,
      context: { theme: 'light', availableDisplayModes: ['inline', 'fullscreen'], displayMode: 'inline', ...told },
      capabilities: capabilities ?? { serverTools: {}, updateModelContext: { text: {} }, openLinks: {} },
      sandbox: `http://localhost:${this.#sandboxes.get(fonts)}/`,
    });
    return { tab, frame: tab.frameLocator('iframe').frameLocator('iframe') };
  }

  /** Violations of accessibility rules in the page. */
  async accessibility(tab) {
    const { AxeBuilder } = fromWeb('@axe-core/playwright');
    const { violations } = await new AxeBuilder({ page: tab }).include(['iframe', 'iframe', 'main']).analyze();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
  }

  async close() {
    await this.#browser.close();
    for (const server of this.#servers) server.close();
  }

  async #serve(html, headers) {
    const server = await serve(html, headers);
    this.#servers.push(server);
    return server.address().port;
  }
}
