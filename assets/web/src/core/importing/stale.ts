/** Sources that were not synchronized for a while, and what to do about them. The server decides which ones these are. */
import type { ListedSource } from '@/api/generated';
import { byRepository } from './source';

/** Maximum number of names in a list. */
const MAX_NAMES = 3;

/** The stale sources of a repository. */
export interface StaleGroup {
  /** Id; empty for files that were imported by hand. */
  repository: string;
  /** The names of the sources, as in “a, b, c and 2 more”. */
  names: string;
  /** The last sync of them. */
  last: ListedSource;
}

export function staleGroups(sources: readonly ListedSource[]): StaleGroup[] {
  const stale = sources.filter(({ isStale }) => isStale);
  return byRepository(stale, ({ repository }) => repository).map(([repository, own]) => ({
    repository,
    names: namesOf(own),
    last: own.reduce((last, source) => (source.lastSyncAt > last.lastSyncAt ? source : last)),
  }));
}

/** What to do about stale sources of a repository, before and after the name of the command. */
export function staleAdvice(repository: string | null | undefined): { before: string; after: string } {
  return repository
    ? { before: 'Run ', after: ` in the pipeline of ${repository}, or remove sources that it no longer has.` }
    : { before: 'Import the files again, run ', after: ' for them, or remove the source if it is not used.' };
}

function namesOf(sources: readonly ListedSource[]): string {
  const names = sources.map(({ name, id }) => name || id);
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
