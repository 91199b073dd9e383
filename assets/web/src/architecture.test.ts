/** Checks the dependencies between the folders in `src`, and that files and folders have no import cycles. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Each folder may import only from itself and from preceding folders. */
const LAYERS = [
  'api',
  'core',
  'viewer',
  'data',
  'routing',
  'ui',
  'workspace',
  'map',
  'actions',
  'screens',
  'app',
];

const ROOT = `${import.meta.dirname}/`;

const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/^\w+\.test\.ts$/.test(file),
);

/** Matches `import … from`, `export … from`, `import()` and worker URLs, including type imports. */
const IMPORT =
  /(?:^import\s|\bfrom\s*|\bimport\(\s*|\bnew URL\(\s*)'((?:@\/|\.{1,2}\/)[^'?]+|\.)(?:\?[^']*)?'/gm;

/** The imported file; undefined for style sheets and packages. */
function resolve(from: string, specifier: string): string | undefined {
  const path = specifier.startsWith('@/')
    ? specifier.slice(2)
    : posix.normalize(posix.join(posix.dirname(from), specifier));
  const found = [path, `${path}.ts`, `${path}.tsx`, posix.join(path, 'index.ts')].find(
    (candidate) => existsSync(ROOT + candidate) && statSync(ROOT + candidate).isFile(),
  );
  if (!found) throw new Error(`${from} imports ${specifier}, which does not exist`);
  return /\.tsx?$/.test(found) ? found : undefined;
}

/**
 * `generated.ts` contains the API types and the functions that send requests through `http.ts`, and `http.ts` uses
 * those types. The generator writes both into one file, so `api` may import types from it.
 */
function isGeneratedType(from: string, statement: string): boolean {
  return from.startsWith('api/') && /^import type .* from '\.\/generated'/.test(statement);
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const imports: Graph = new Map(
  FILES.map((file) => {
    const text = readFileSync(ROOT + file, 'utf8')
      .split('\n')
      .filter((line) => !isGeneratedType(file, line))
      .join('\n');
    const found = [...text.matchAll(IMPORT)].flatMap(([, specifier = '']) => resolve(file, specifier) ?? []);
    return [file, new Set(found)];
  }),
);

/** A cycle in the graph as a path that ends at its start; undefined if there is none. */
function cycle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const found = visit(next);
      if (found) return found;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const found = visit(node);
    if (found) return found;
  }
  return undefined;
}

/**
 * The imports between the direct subfolders of a folder. Files directly in the folder count as a separate subfolder.
 */
function between(folder: string): Graph {
  const part = (file: string) => {
    const [first = '', ...rest] = file.slice(folder.length).split('/');
    return rest.length > 0 ? first : '(files)';
  };
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    if (!file.startsWith(folder)) continue;
    for (const target of targets) {
      if (!target.startsWith(folder) || part(file) === part(target)) continue;
      graph.set(part(file), (graph.get(part(file)) ?? new Set()).add(part(target)));
    }
  }
  return graph;
}

describe('the files of the web client', () => {
  it('are in one of the listed folders, except for the entry point', () => {
    const others = FILES.filter((file) => !LAYERS.includes(file.split('/')[0] ?? ''));
    expect(others.sort()).toEqual(['main.tsx']);
  });

  it('import only from their own folder and preceding folders', () => {
    const layer = (file: string) => LAYERS.indexOf(file.split('/')[0] ?? '');
    const violations = [...imports].flatMap(([file, targets]) =>
      layer(file) < 0
        ? []
        : [...targets]
            .filter((target) => layer(target) > layer(file))
            .map((target) => `${file} imports ${target}`),
    );
    expect(violations).toEqual([]);
  });

  it('are independent of the map viewer, which is a program of its own and imports only from core', () => {
    const isViewer = (file: string) => file.startsWith('viewer/');
    const wrong = [...imports].flatMap(([file, targets]) =>
      [...targets]
        .filter((target) =>
          isViewer(file) ? !isViewer(target) && !target.startsWith('core/') : isViewer(target),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('share modules in tests, unless they replace some of them', () => {
    const replaces = FILES.filter((file) => /\bvi\.(do)?[Mm]ock\(/.test(readFileSync(ROOT + file, 'utf8')));
    expect(replaces.toSorted()).toEqual(FILES.filter((file) => file.endsWith('.mocked.test.ts')).toSorted());
  });

  it('have no import cycles, including dynamic and type imports', () => {
    expect(cycle(imports)).toBeUndefined();
  });

  it('are in subfolders without import cycles', () => {
    const folders = new Set(
      FILES.flatMap((file) =>
        file
          .split('/')
          .slice(0, -1)
          .map((_, at, parts) => `${parts.slice(0, at + 1).join('/')}/`),
      ),
    );
    for (const folder of folders)
      expect({ folder, cycle: cycle(between(folder)) }).toEqual({ folder, cycle: undefined });
  });

  it('are parsed including type imports, dynamic imports, exports and workers, and cycles are detected', () => {
    const seen = (text: string) => [...text.matchAll(IMPORT)].map(([, specifier]) => specifier);
    expect(seen("import type { A } from './a';\nconst b = () => import('@/b/c');")).toEqual(['./a', '@/b/c']);
    expect(seen("export { d } from '../d';\nnew Worker(new URL('./e.ts', import.meta.url))")).toEqual([
      '../d',
      './e.ts',
    ]);
    expect(
      cycle(
        new Map([
          ['a', new Set(['b'])],
          ['b', new Set(['a'])],
        ]),
      ),
    ).toEqual(['a', 'b', 'a']);
  });
});
