/** Reads files of other tools on the server, which stores nothing. */
import { useEffect, useState } from 'react';
import { ApiError, errorText, toSentence } from '@/api/errors';
import { type ConvertedFiles, convertFiles, type ReadingOptions } from '@/api/generated';
import { formatCount } from '@/core/text';
import { nameOf, toSourceFile } from './sourceFiles';

interface ReadingState {
  read: ConvertedFiles | null;
  failure: string;
  /** The format of the files when they were last read. Empty before. */
  format: string;
}

/** An empty format means that the server recognizes it. */
export function useReading(
  files: readonly File[],
  format: string,
  options: ReadingOptions | undefined,
): ReadingState {
  const [state, setState] = useState<ReadingState>({ read: null, failure: '', format: '' });
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, read: null, failure: '' }));
    Promise.all(files.map(toSourceFile))
      .then((sources) =>
        convertFiles(
          { files: sources, ...(format ? { format } : {}), ...(options ? { options } : {}) },
          { signal: stop.signal, timeout: 0 },
        ),
      )
      .then((read) => {
        if (!stop.signal.aborted) setState({ read, failure: '', format: read.format });
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        setState((before) => ({ ...before, read: null, failure: failureText(error, files) }));
      });
    return () => stop.abort();
  }, [files, format, options]);
  return state;
}

/** The server names the file and the line, unless the problem is the format of all files. */
function failureText(error: unknown, files: readonly File[]): string {
  if (!(error instanceof ApiError) || error.body.field !== 'files' || !error.problem) return errorText(error);
  const { problem } = error;
  const [first] = files;
  if (files.length !== 1 || !first) {
    // The names of the files keep their spelling.
    return `Could not read ${formatCount(files.length, 'file')}: ${problem}`;
  }
  const name = nameOf(first);
  const own = problem.startsWith(`${name}:`) ? problem.slice(name.length + 1) : problem;
  const [, line = '', text = ''] = /^(?:(\d+):)?\s*(.*)$/s.exec(own) ?? [];
  return `Could not read ${name}${line && `, line ${line}`}. ${toSentence(text)}`;
}
