import type { Plugin } from 'vite';

/**
 * Excludes the unused parts of Mermaid to reduce the size of the binary: all diagram types except sequence diagrams,
 * their layouts, and formulas. Other diagram types are never passed to Mermaid.
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

/** Whether Mermaid only uses this file for features other than sequence diagrams. */
function isOther(source: string): boolean {
  if (source === 'katex') return true;
  const file = /\/([^/]+)-[A-Z0-9]{8}\.mjs$/.exec(source)?.[1];
  if (!file || file === 'chunk' || file === 'sequenceDiagram') return false;
  return /diagram|definition/i.test(file) || /^(dagre|elk|swimlanes|cose-bilkent)$/.test(file);
}
