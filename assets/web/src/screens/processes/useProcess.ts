/** State of a process on screen: the draft, the server's parse result and Mermaid's. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ProcessReading, readHistory, readProcess } from '@/api/generated';
import type { Complaint } from '@/core/process/complaint';
import type { Reading } from '@/core/process/reading';
import { refusal } from '@/core/process/source';
import { usePlan } from '@/plan/store';
import { type Colours, colours } from '@/ui/DiagramColours';
import { type Drawing, draw, isComplaint, read } from '@/ui/DiagramDraw';
import { attend, useDraft } from './drafts';

/** The draft of a process, updated with the server's changes. */
export function useAttendedDraft(workspaceId: string, processId: string) {
  const draft = useDraft(workspaceId, processId);
  useEffect(() => {
    attend(processId);
    return usePlan.subscribe((now, before) => {
      if (now.told !== before.told || now.queue !== before.queue || now.rows !== before.rows)
        attend(processId);
    });
  }, [processId]);
  return draft;
}

/** The server's parse result of the saved process, read again for each revision. */
export function useProcessReading(processId: string): ProcessReading | undefined {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const revision = usePlan((plan) => plan.told?.process.get(processId)?.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['process', workspaceId, processId, revision],
    queryFn: () => readProcess(workspaceId, processId).then(({ process }) => process),
    enabled: revision > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => (before?.id === processId ? before : undefined),
  });
  return data;
}

/** Who last changed a process. */
export function useLastAuthor(processId: string, isWanted: boolean): string {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const revision = usePlan((plan) => plan.told?.process.get(processId)?.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['process-author', workspaceId, processId, revision],
    queryFn: () => readHistory(workspaceId, { entity: 'process', entityId: processId, limit: 1 }),
    enabled: isWanted,
  });
  return data?.changes[0]?.actor?.displayName ?? 'someone else';
}

export interface Live {
  /** The parse result of the last valid text. */
  reading: Reading | undefined;
  /** Errors of the current text. */
  complaint: Complaint | undefined;
  /** The last text that could be rendered. */
  drawing: Drawing | undefined;
}

/** Pause in typing before the text is parsed, in milliseconds. */
const PAUSE = 200;

/** Parses and renders the text while it is typed. The last valid result stays until there is a better one. */
export function useLive(text: string): Live {
  const look = useColours();
  const [live, setLive] = useState<Live>({
    reading: undefined,
    complaint: undefined,
    drawing: undefined,
  });
  useEffect(() => {
    let isOver = false;
    const update = (next: Partial<Live>) => !isOver && setLive((before) => ({ ...before, ...next }));
    const timer = setTimeout(async () => {
      const message = refusal(text);
      if (message) return update({ complaint: { line: 1, column: 1, message } });
      try {
        const found = await read(text);
        if (isComplaint(found)) return update({ complaint: found });
        update({ reading: found, complaint: undefined });
        update({ drawing: await draw(text, look) });
      } catch (error) {
        update({ complaint: { line: 1, column: 1, message: failureOf(error) } });
      }
    }, PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, look]);
  return live;
}

function failureOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return `Could not render the diagram: ${said}`;
}

/** The colors of diagrams, updated when the theme changes. */
function useColours(): Colours {
  const [look, setLook] = useState(colours);
  useEffect(() => {
    const change = () => setLook(colours());
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
