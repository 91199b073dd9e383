import { readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import { build, type InlineConfig, type Plugin, type Rollup } from 'vite';

const page = (file: string) => fileURLToPath(new URL(`../src/viewer/${file}`, import.meta.url));
/** Maximum size of the page for MCP hosts in bytes. */
const MAX_PAGE_BYTES = 38_000;

/**
 * Adds the map viewer, which is independent of the web client, to the output:
 *
 * - `viewer.html`, the page for MCP hosts: one file with its script, because hosts load nothing else;
 * - `assets/share-HASH.js`, the script for pages that show a shared map, and its fonts.
 *
 * Both are built on their own, so that they share no files with the web client.
 */
export function viewer(define: Record<string, string>): Plugin {
  return {
    name: 'viewer',
    apply: 'build',
    async generateBundle(_, bundle) {
      const [script] = await built(page('mcp/main.ts'), define);
      if (script?.type !== 'chunk') throw new Error('the page for MCP hosts has no script');
      // The script is a part of the page: nothing in it may end the element.
      const code = script.code.replaceAll('</script', '<\\/script');
      const html = readFileSync(page('mcp/page.html'), 'utf8').replace(
        '<!-- script -->',
        () => `<script type="module">${code}</script>`,
      );
      if (!html.includes(code)) throw new Error('the page for MCP hosts has no place for its script');
      if (html.length > MAX_PAGE_BYTES) throw new Error(`the page for MCP hosts has ${html.length} bytes`);
      this.emitFile({ type: 'asset', fileName: 'viewer.html', source: html });
      for (const file of await built(page('share/main.ts'), define)) {
        // The web client has the same fonts.
        if (file.fileName in bundle) continue;
        const source = file.type === 'chunk' ? file.code : file.source;
        this.emitFile({ type: 'asset', fileName: file.fileName, source });
      }
    },
  };
}

async function built(input: string, define: Record<string, string>): Promise<Rollup.OutputBundle[string][]> {
  const config: InlineConfig = {
    configFile: false,
    logLevel: 'warn',
    define,
    // The script refers to its fonts relative to itself.
    experimental: { renderBuiltUrl: () => ({ relative: true }) },
    build: {
      write: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rollupOptions: { input, output: { entryFileNames: 'assets/share-[hash].js' } },
    },
  };
  const result = (await build(config)) as Rollup.RollupOutput;
  return result.output;
}
