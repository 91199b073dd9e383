/** What a process screen knows of one process: the draft, what the server reads in it, and what mermaid does. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ProcessReading, readHistory, readProcess } from '@/api/generated';
import type { ParsedProcess } from '@/core/process/parsedText';
import { processTextProblem } from '@/core/process/source';
import type { MermaidError } from '@/core/process/syntaxErrors';
import { type DiagramColors, diagramColors } from '@/ui/diagramColors';
import { type Drawing, drawDiagram, isMermaidError, parseProcessText } from '@/ui/mermaid';
import { useWorkspace } from '@/workspace/store';
import { syncDraft, useDraft } from './drafts';

/** The draft of a process, kept up to date with what the server tells. */
export function useSyncedDraft(workspaceId: string, processId: string) {
  const draft = useDraft(workspaceId, processId);
  useEffect(() => {
    syncDraft(processId);
    return useWorkspace.subscribe((now, before) => {
      if (now.serverRows !== before.serverRows || now.queue !== before.queue || now.rows !== before.rows)
        syncDraft(processId);
    });
  }, [processId]);
  return draft;
}

/** What the server reads in a process as it is saved. A new revision is read anew. */
export function useProcessReading(processId: string): ProcessReading | undefined {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const revision = useWorkspace((state) => state.serverRows?.process.get(processId)?.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['process', workspaceId, processId, revision],
    queryFn: () => readProcess(workspaceId, processId).then(({ process }) => process),
    enabled: revision > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => (before?.id === processId ? before : undefined),
  });
  return data;
}

/** Who wrote a process last. */
export function useLastAuthor(processId: string, isWanted: boolean): string {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const revision = useWorkspace((state) => state.serverRows?.process.get(processId)?.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['process-author', workspaceId, processId, revision],
    queryFn: () => readHistory(workspaceId, { entity: 'process', entityId: processId, limit: 1 }),
    enabled: isWanted,
  });
  return data?.changes[0]?.actor?.displayName ?? 'somebody else';
}

export interface ParsedText {
  /** What the text says; of the last text that could be read. */
  reading: ParsedProcess | undefined;
  /** What is wrong with the text as it is. */
  complaint: MermaidError | undefined;
  /** The last text that could be drawn. */
  drawing: Drawing | undefined;
}

/** Pause in typing after which a text is read, in milliseconds. */
const PARSE_DELAY_MS = 200;

/** Reads and draws a text while it is typed. What could be read last stays as long as nothing better comes. */
export function useParsedText(text: string): ParsedText {
  const look = useDiagramColors();
  const [live, setLive] = useState<ParsedText>({
    reading: undefined,
    complaint: undefined,
    drawing: undefined,
  });
  useEffect(() => {
    let isOver = false;
    const update = (next: Partial<ParsedText>) => !isOver && setLive((before) => ({ ...before, ...next }));
    const timer = setTimeout(async () => {
      const message = processTextProblem(text);
      if (message) return update({ complaint: { line: 1, column: 1, message } });
      try {
        const found = await parseProcessText(text);
        if (isMermaidError(found)) return update({ complaint: found });
        update({ reading: found, complaint: undefined });
        update({ drawing: await drawDiagram(text, look) });
      } catch (error) {
        update({ complaint: { line: 1, column: 1, message: failureOf(error) } });
      }
    }, PARSE_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, look]);
  return live;
}

function failureOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return `The diagram could not be drawn: ${said}`;
}

/** The colours of diagrams; others when the theme changes. */
function useDiagramColors(): DiagramColors {
  const [look, setLook] = useState(diagramColors);
  useEffect(() => {
    const change = () => setLook(diagramColors());
    const theme = new MutationObserver(change);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', change);
    return () => {
      theme.disconnect();
      system.removeEventListener('change', change);
    };
  }, []);
  return look;
}
