/** State of a process on screen: the draft, and the parse results of the server and of Mermaid. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getHistory, getProcess, type ProcessReading } from '@/api/generated';
import type { ParsedProcess } from '@/core/process/parsedText';
import { processTextProblem } from '@/core/process/source';
import type { MermaidError } from '@/core/process/syntaxErrors';
import { type DiagramColors, diagramColors } from '@/ui/diagramColors';
import { type Drawing, drawDiagram, isMermaidError, parseProcessText } from '@/ui/mermaid';
import { useWorkspace } from '@/workspace/store';
import { syncDraft, useDraft } from './drafts';

/** The draft of a process, updated with the server's changes. */
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

/** The server's parse result of the saved process, reloaded for each revision. */
export function useProcessReading(processId: string): ProcessReading | undefined {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const revision = useWorkspace((state) => state.serverRows?.process.get(processId)?.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['process', workspaceId, processId, revision],
    queryFn: () => getProcess(workspaceId, processId).then(({ process }) => process),
    enabled: revision > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => (before?.id === processId ? before : undefined),
  });
  return data;
}

/** The author of the last change to a process. */
export function useLastAuthor(processId: string, isWanted: boolean): string {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const revision = useWorkspace((state) => state.serverRows?.process.get(processId)?.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['process-author', workspaceId, processId, revision],
    queryFn: () => getHistory(workspaceId, { entity: 'process', entityId: processId, limit: 1 }),
    enabled: isWanted,
  });
  return data?.changes[0]?.actor?.displayName ?? 'someone else';
}

export interface ParsedText {
  /** The parse result of the last valid text. */
  reading: ParsedProcess | undefined;
  /** The text of `reading`. */
  parsed: string | undefined;
  /** Errors of the current text. */
  syntaxError: MermaidError | undefined;
  /** The last text that was rendered successfully. */
  drawing: Drawing | undefined;
}

/** Delay after the last keystroke before the text is parsed, in milliseconds. */
const PARSE_DELAY_MS = 200;

/** Parses and renders the text while the user types. Keeps the last valid result until there is a new one. */
export function useParsedText(text: string): ParsedText {
  const look = useDiagramColors();
  const [live, setLive] = useState<ParsedText>({
    reading: undefined,
    parsed: undefined,
    syntaxError: undefined,
    drawing: undefined,
  });
  useEffect(() => {
    let isOver = false;
    const update = (next: Partial<ParsedText>) => !isOver && setLive((before) => ({ ...before, ...next }));
    const timer = setTimeout(async () => {
      const message = processTextProblem(text);
      if (message) return update({ syntaxError: { line: 1, column: 1, message } });
      try {
        const found = await parseProcessText(text);
        if (isMermaidError(found)) return update({ syntaxError: found });
        update({ reading: found, parsed: text, syntaxError: undefined });
        update({ drawing: await drawDiagram(text, look) });
      } catch (error) {
        update({ syntaxError: { line: 1, column: 1, message: failureOf(error) } });
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
  const message = error instanceof Error ? error.message : String(error);
  return `Could not render the diagram: ${message}`;
}

/** The colors of diagrams, updated when the theme changes. */
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
