/** Performs a dry run of an import when its input changes, and the import itself on request. */
import { useEffect, useMemo, useState } from 'react';
import { errorText } from '@/api/errors';
import {
  type Bundle,
  getWorkspace,
  type ImportResult,
  importWorkspace,
  type Document as WorkspaceDocument,
} from '@/api/generated';
import type { ImportFile } from '@/core/transfer/file';
import { type ImportSummary, summarizeImport } from '@/core/transfer/preview';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';

/** The target: an existing workspace by ID, or a new one. */
export interface Target {
  over: string;
  name: string;
  id: string;
}

/** Delay after the last keystroke before a dry run. */
const PREVIEW_DELAY_MS = 350;

export function useExportImport(file: ImportFile | null, target: Target) {
  const [preview, setPreview] = useState<ImportSummary | null>(null);
  const [busy, setBusy] = useState<'' | 'trying' | 'importing'>('');
  const [failure, setFailure] = useState('');
  const { over, name, id } = target;
  const request = useMemo(() => file && requestOf(file.document, { over, name, id }), [file, over, name, id]);

  useEffect(() => {
    setPreview(null);
    setFailure('');
    if (!request) return;
    const stop = new AbortController();
    setBusy('trying');
    const timer = setTimeout(() => {
      requestPreview(request, over, stop.signal)
        .then(setPreview, (error: unknown) => {
          if (!stop.signal.aborted) setFailure(errorText(error));
        })
        .finally(() => !stop.signal.aborted && setBusy(''));
    }, PREVIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
      setBusy('');
    };
  }, [request, over]);

  const run = async (): Promise<ImportResult | undefined> => {
    if (!request) return undefined;
    setBusy('importing');
    setFailure('');
    try {
      const imported = await importWorkspace(request.document, request.params, { timeout: 0 });
      void invalidateWorkspaces();
      return imported;
    } catch (error) {
      setFailure(errorText(error));
      return undefined;
    } finally {
      setBusy('');
    }
  };
  return { preview, busy, failure, run };
}

interface ImportRequest {
  document: WorkspaceDocument;
  params: { id?: string; replace?: boolean };
}

function requestOf(document: WorkspaceDocument, { over, name, id }: Target): ImportRequest {
  if (over) return { document, params: { id: over, replace: true } };
  // The user enters the name of a new workspace.
  const own = { ...document.workspace, name: name.trim() };
  delete own.id;
  const named = { ...document, workspace: id.trim() ? { ...own, id: id.trim() } : own };
  return { document: named, params: id.trim() ? { id: id.trim() } : {} };
}

async function requestPreview(
  { document, params }: ImportRequest,
  over: string,
  signal: AbortSignal,
): Promise<ImportSummary> {
  const options = { signal, timeout: 0 };
  const [answer, current] = await Promise.all([
    importWorkspace(document, { ...params, dryRun: true }, options),
    over ? getWorkspace(over, undefined, options) : Promise.resolve<Bundle | undefined>(undefined),
  ]);
  return summarizeImport(answer, document, current);
}
