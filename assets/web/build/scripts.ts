import type { Plugin, Rollup } from 'vite';

/**
 * The scripts that most pages load, from the first to the last. Each includes what its modules import. Otherwise, all
 * modules with the same users would be a file: a map would load more than a hundred, which takes longer than running them.
 * Other pages and large libraries have files of their own, which are loaded when they are needed.
 */
const GROUPS = [
  // The sign-in page and the list of workspaces.
  { name: 'index', tags: ['$initial' as const], priority: 4 },
  // What all pages load after sign-in.
  { name: 'actions', test: /src\/(workspace\/outboxes|screens\/commands\/Commands)\.tsx?$/, priority: 3 },
  // What pages outside of a workspace share with the map, so that they do not load the map.
  {
    name: 'shared',
    test: /src\/(core\/model|data|routing|screens\/(directory|inbox)|ui)\/|node_modules\/(@base-ui|lucide-react)\//,
    minShareCount: 2,
    priority: 2,
  },
  // The map and the frame of all pages of a workspace.
  { name: 'workspace', test: 'src/screens/workspace/WorkspaceScreen.tsx', priority: 1 },
];

/** Maximum number of scripts that the map loads. */
const MAX_SCRIPTS = 8;
/** Pages that must not load the map. */
const OTHER_PAGES = ['index', 'Account', 'Administration', 'Directory', 'OrganizationSettings'];

/** Groups modules into few scripts. Fails if a map loads many, or another page loads the map. */
export function scripts(): Plugin {
  return {
    name: 'scripts',
    apply: 'build',
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } } } }),
    generateBundle(_, bundle) {
      const loaded = loadedScripts(bundle, ['index', 'actions', 'workspace']);
      if (loaded.size > MAX_SCRIPTS) throw new Error(`a map loads ${loaded.size} scripts: ${[...loaded]}`);
      for (const page of OTHER_PAGES) {
        if (!loadedScripts(bundle, [page]).has('workspace')) continue;
        throw new Error(`${page} loads the map: add what they share to a group in build/scripts.ts`);
      }
    },
  };
}

/** The names of the scripts that these scripts load at once. */
function loadedScripts(bundle: Rollup.OutputBundle, names: readonly string[]): ReadonlySet<string> {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const loaded = new Set<Rollup.OutputChunk>();
  const load = (chunk: Rollup.OutputChunk | undefined) => {
    if (!chunk || loaded.has(chunk)) return;
    loaded.add(chunk);
    for (const file of chunk.imports) load(chunks.find(({ fileName }) => fileName === file));
  };
  for (const name of names) {
    const chunk = chunks.find((chunk) => chunk.name === name);
    if (!chunk) throw new Error(`there is no script ${name}`);
    load(chunk);
  }
  return new Set([...loaded].map(({ name }) => name));
}
