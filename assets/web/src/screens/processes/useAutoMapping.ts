/** Maps participants that are added or renamed in the editor to components with the same name. */
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type AutoMapping,
  autoMap,
  type NamedParticipant,
  startAutoMapping,
  withUnmapped,
} from '@/core/process/autoMapping';
import { equalNameFinder } from '@/core/process/matchParticipants';
import { isMermaidError, parseProcessText } from '@/ui/mermaid';
import { canEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { draftOf, updateDraft } from './drafts';
import type { ParsedText } from './useProcess';

interface Mapped {
  /** The participants that were mapped automatically. */
  mapped: AutoMapping['mapped'];
  /** Called with the text that the user typed. */
  onTyped: (text: string) => void;
  /** Called when the user unmaps a participant. */
  onUnmapped: (alias: string) => void;
}

export function useAutoMapping(processId: string, { reading, parsed }: ParsedText): Mapped {
  const state = useRef<AutoMapping>(null);
  const [mapped, setMapped] = useState<AutoMapping['mapped']>(new Map());
  const typed = useRef<string>(undefined);
  /** The text before the user typed. */
  const initial = useRef<string>(undefined);
  useEffect(() => {
    if (!reading) return;
    const people = reading.participants;
    const isTyped = typed.current === parsed && canEdit();
    if (!isTyped) {
      // Text by others was mapped by them, or not.
      const { mapped: before, unmapped } = state.current ?? startAutoMapping([]);
      state.current = { ...startAutoMapping(people), mapped: before, unmapped };
      return;
    }
    const update = () => {
      if (state.current) state.current = mapTyped(processId, state.current, people);
      setMapped(state.current?.mapped ?? new Map());
    };
    if (state.current) return update();
    // The user typed before the first text was parsed.
    let isOver = false;
    void parseProcessText(initial.current ?? '').then((found) => {
      state.current ??= startAutoMapping(isMermaidError(found) ? people : found.participants);
      if (!isOver) update();
    });
    return () => {
      isOver = true;
    };
  }, [processId, reading, parsed]);
  const onTyped = useCallback(
    (text: string) => {
      initial.current ??= draftOf(processId)?.mine.mermaid;
      typed.current = text;
    },
    [processId],
  );
  const onUnmapped = useCallback((alias: string) => {
    // Otherwise it is unmapped in the first state, too.
    if (!state.current) return;
    state.current = withUnmapped(state.current, alias);
    setMapped(state.current.mapped);
  }, []);
  return { mapped, onTyped, onUnmapped };
}

/** Maps the added and renamed participants of a typed text. Returns the new state. */
function mapTyped(processId: string, state: AutoMapping, people: readonly NamedParticipant[]): AutoMapping {
  const draft = draftOf(processId);
  const { rows } = useWorkspace.getState();
  if (!draft || !rows) return state;
  const { participants } = draft.mine;
  const next = autoMap(state, people, participants, equalNameFinder(rows.component.values()));
  if (next.changes.size === 0) return next.state;
  const all: Record<string, string | null> = { ...participants, ...Object.fromEntries(next.changes) };
  updateDraft(processId, {
    participants: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  });
  return next.state;
}
