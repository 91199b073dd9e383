/** Reads files of other tools on the server, which stores nothing. */
import { useEffect, useState } from 'react';
import { errorText } from '@/api/errors';
import { type ReadFiles, readFiles } from '@/api/sync';
import { toSourceFile } from './sourceFiles';

interface ReadingState {
  read: ReadFiles | null;
  failure: string;
}

export function useReading(files: readonly File[]): ReadingState {
  const [state, setState] = useState<ReadingState>({ read: null, failure: '' });
  useEffect(() => {
    const stop = new AbortController();
    setState({ read: null, failure: '' });
    Promise.all(files.map(toSourceFile))
      .then((sources) => readFiles({ files: sources }, { signal: stop.signal, timeout: 0 }))
      .then((read) => setState({ read, failure: '' }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setState({ read: null, failure: errorText(error) });
      });
    return () => stop.abort();
  }, [files]);
  return state;
}
