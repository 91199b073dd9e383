import type { Plugin } from 'vite';

/**
 * Leaves out of mermaid what no process needs: every kind of diagram but the sequence diagram, the layouts of the others,
 * and formulas. Nothing asks for them, for a text that begins another diagram is never handed to mermaid; they would
 * only make the binary larger.
 */
export function onlySequences(): Plugin {
  const EMPTY = '\0no-such-diagram';
  return {
    name: 'only-sequences',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer?.includes('/mermaid/dist/')) return null;
      return isOther(source) ? EMPTY : null;
    },
    load(id) {
      return id === EMPTY ? 'export const diagram = undefined; export default undefined;' : null;
    },
  };
}

/** Whether mermaid loads this file for something other than a sequence diagram. */
function isOther(source: string): boolean {
  if (source === 'katex') return true;
  const file = /\/([^/]+)-[A-Z0-9]{8}\.mjs$/.exec(source)?.[1];
  if (!file || file === 'chunk' || file === 'sequenceDiagram') return false;
  return /diagram|definition/i.test(file) || /^(dagre|elk|swimlanes|cose-bilkent)$/.test(file);
}
