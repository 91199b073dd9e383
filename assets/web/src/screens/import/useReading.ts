/** Reads files of other tools on the server, which stores nothing. */
import { useEffect, useState } from 'react';
import { ApiError, errorText, toSentence } from '@/api/errors';
import { type ConvertedFiles, convertFiles } from '@/api/generated';
import { formatCount } from '@/core/text';
import { nameOf, toSourceFile } from './sourceFiles';

interface ReadingState {
  read: ConvertedFiles | null;
  failure: string;
}

const NOTHING: ReadingState = { read: null, failure: '' };

/** An empty format means that the server recognizes it. */
export function useReading(files: readonly File[], format: string): ReadingState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const stop = new AbortController();
    setState(NOTHING);
    Promise.all(files.map(toSourceFile))
      .then((sources) =>
        convertFiles({ files: sources, ...(format ? { format } : {}) }, { signal: stop.signal, timeout: 0 }),
      )
      .then((read) => setState({ read, failure: '' }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setState({ read: null, failure: failureText(error, files) });
      });
    return () => stop.abort();
  }, [files, format]);
  return state;
}

/** The server names the file and the line, unless the problem is the format of all files. */
function failureText(error: unknown, files: readonly File[]): string {
  if (!(error instanceof ApiError) || error.body.field !== 'files' || !error.problem) return errorText(error);
  const [first] = files;
  const what = files.length === 1 && first ? nameOf(first) : formatCount(files.length, 'file');
  return `Could not read ${what}. ${toSentence(error.problem)}`;
}
