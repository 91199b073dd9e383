/** The source that files belong to. Files that come again are synchronized with the rows that came from them before. */
import type { ListedSource } from '@/api/generated';

/** Maximum length of the id of a source. */
const MAX_ID_CHARS = 200;

/** The file name that names a set of files: the only file, or the folder that contains all of them. */
export function nameOfFiles(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return first;
  const folders = first.split('/').slice(0, -1);
  while (folders.length > 0 && !others.every((name) => name.startsWith(`${folders.join('/')}/`)))
    folders.pop();
  return folders.join('/');
}

/** The id of a new source with these files. */
export function newSourceId(names: readonly string[], format: string): string {
  const id = nameOfFiles(names) || format;
  return id.slice(-MAX_ID_CHARS);
}

/** The known sources that files may belong to: of the same format, with the same name at the end of their ids. */
export function sourcesNamed(
  sources: readonly ListedSource[],
  { id, kind }: Pick<ListedSource, 'id' | 'kind'>,
): ListedSource[] {
  const same = sources.filter((source) => source.kind === kind);
  return same.filter(
    (source) => source.id === id || source.id.endsWith(`:${id}`) || source.id.endsWith(`/${id}`),
  );
}

/** The known source that files probably belong to; none if these are several. */
export function matchingSource(
  sources: readonly ListedSource[],
  names: readonly string[],
  format: string,
): ListedSource | undefined {
  const id = newSourceId(names, format);
  const found = sourcesNamed(sources, { id, kind: format });
  return found.find((source) => source.id === id) ?? (found.length === 1 ? found[0] : undefined);
}

/** The name of a new workspace with these files. */
export function workspaceName(names: readonly string[], read: string | undefined): string {
  if (read?.trim()) return read.trim();
  const name = nameOfFiles(names).split('/').at(-1) ?? '';
  return name.replace(/(\.[a-z]\w{0,9})+$/i, '').slice(0, 200) || 'Imported map';
}

/** Groups by repository, by id. What belongs to none, such as files that were imported by hand, comes last, as ''. */
export function byRepository<T>(
  all: readonly T[],
  repositoryOf: (one: T) => string | null | undefined,
): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const repository = repositoryOf(one) ?? '';
    const group = groups.get(repository);
    if (group) group.push(one);
    else groups.set(repository, [one]);
  }
  return [...groups].sort(([a], [b]) => Number(a === '') - Number(b === '') || a.localeCompare(b));
}
