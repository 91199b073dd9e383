/** The state of recording: picking components by pointer and keyboard, and the highlights of the recorded steps. */
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { matchesShortcut } from '@/actions/shortcuts';
import { highlightAll, messageLocator } from '@/core/process/highlight';
import {
  defaultTexts,
  type RecordedMap,
  type RecordedProcess,
  recordedProcess,
} from '@/core/process/recordedText';
import {
  addReply,
  callerOf,
  NO_RECORDING,
  pickComponent,
  type RecordedStep,
  type Recording,
  startElsewhere,
  undoStep,
  updateStep,
} from '@/core/process/recording';
import type { Direction } from '@/core/scene/hitTest';
import { useCatalogue } from '@/data/queries';
import { startPicking } from '@/map/state/picking';
import { closeRecording, loadRecording, setRecording, useRecording } from '@/map/state/recording';
import { focusComponent, selectNeighbor, targetComponent } from '@/map/state/selection';
import { setSelection, useView } from '@/map/state/view';
import { useWorkspace } from '@/workspace/store';

export interface RecorderState {
  recording: Recording;
  /** The component that the current one can reply to. */
  caller: string | null;
  nameOf: (componentId: string) => string;
  /** The text of a step for which none is typed. */
  defaultText: (step: RecordedStep) => string;
  /**
   * Whether the text of a step that was just added is typed next. Not if it was added by touch, because the on-screen
   * keyboard would cover the map.
   */
  takesText: () => boolean;
  /** The process as recorded so far. */
  result: () => RecordedProcess;
  update: (index: number, fields: Partial<Pick<RecordedStep, 'text' | 'isReply'>>) => void;
  undo: () => void;
  reply: () => void;
  startElsewhere: () => void;
  /** Moves the focus to the current component. */
  focusMap: () => void;
  /** Ends recording; asks first if there are steps. */
  cancel: () => void;
  discard: () => void;
}

const NO_ROWS = new Map<string, never>();

/** `confirmDiscard` asks whether to discard the recorded steps. */
export function useRecorder(confirmDiscard: () => void): RecorderState {
  const recording = useRecording((state) => state.recording);
  const components = useWorkspace((state) => state.rows?.component) ?? NO_ROWS;
  const relationships = useWorkspace((state) => state.rows?.relationship) ?? NO_ROWS;
  const { data: catalogue } = useCatalogue();
  const isTextNext = useRef(false);
  const confirm = useRef(confirmDiscard);
  confirm.current = confirmDiscard;
  const map = useMemo((): RecordedMap => {
    const names = new Map(catalogue?.relationTypes.map(({ id, name }) => [id, name]));
    return { components, relationships, relationName: (typeId) => names.get(typeId) ?? typeId };
  }, [components, relationships, catalogue]);

  const takesText = useCallback(() => {
    const isNext = isTextNext.current;
    isTextNext.current = false;
    return isNext;
  }, []);
  const defaultText = useMemo(() => defaultTexts(map), [map]);

  const recorder = useMemo((): RecorderState => {
    const focusMap = () => {
      // The component receives the focus in the next frame. Keys until then are not part of a message.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      focusComponent(useRecording.getState().recording.from);
    };
    /** Applies a change and moves the cursor to the component that sends the next message. */
    const apply = (next: Recording) => {
      setRecording(next);
      if (next.from !== null) setSelection([next.from]);
    };
    const discard = () => {
      setRecording(NO_RECORDING);
      closeRecording();
      focusComponent(null);
    };
    return {
      recording,
      caller: callerOf(recording),
      nameOf: (id) => components.get(id)?.name ?? id,
      defaultText,
      takesText,
      result: () => recordedProcess(recording, map),
      update: (index, fields) => setRecording(updateStep(recording, index, fields)),
      undo: () => {
        apply(undoStep(recording));
        focusMap();
      },
      reply: () => {
        const next = addReply(recording);
        if (next === recording || next.from === null) return;
        isTextNext.current = !matchMedia('(pointer: coarse)').matches;
        apply(next);
        useView.getState().camera?.reveal(next.from);
      },
      startElsewhere: () => {
        apply(startElsewhere(recording));
        focusMap();
      },
      focusMap,
      cancel: () => {
        if (recording.steps.length > 0) confirm.current();
        else discard();
      },
      discard,
    };
  }, [recording, map, components, defaultText, takesText]);

  useEffect(() => {
    loadRecording();
    setSelection([]);
    focusComponent(null);
    return () => setSelection([]);
  }, []);
  useEffect(() => {
    const pick = (id: string, byTouch: boolean) => {
      isTextNext.current = !byTouch;
      setRecording(pickComponent(useRecording.getState().recording, id));
      setSelection([id]);
    };
    const stopPicking = startPicking(pick);
    const onKeyDown = (event: KeyboardEvent) => {
      if (!handleKey(event, recorder, pick)) return;
      // These keys have other actions on the map.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      stopPicking();
      window.removeEventListener('keydown', onKeyDown, { capture: true });
    };
  }, [recorder]);
  useStepHighlights(recorder, map);
  return recorder;
}

/** Shows all steps on the map, numbered, until recording ends. */
function useStepHighlights(
  { recording, defaultText }: RecorderState,
  { components, relationships }: RecordedMap,
) {
  const locate = useMemo(() => {
    // Participants are the components themselves.
    const participants = Object.fromEntries([...components.keys()].map((id) => [id, id]));
    return messageLocator({ participants, components, relationships });
  }, [components, relationships]);
  useEffect(() => {
    const messages = recording.steps.map((step, index) => ({
      ...step,
      text: step.text.trim() || defaultText(step),
      number: index + 1,
    }));
    const highlight = highlightAll(locate, messages);
    if (recording.from !== null) highlight.components.set(recording.from, 'current');
    useView.setState({ highlight: { ...highlight, dimOthers: false } });
  }, [recording, defaultText, locate]);
  useEffect(() => () => useView.setState({ highlight: null }), []);
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const OTHER_KEY_TARGETS = `input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"],
  [role="menu"], [role="listbox"]`;

/** Handles a key. Returns whether it was handled. */
function handleKey(
  event: KeyboardEvent,
  recorder: RecorderState,
  pick: (id: string, byTouch: boolean) => void,
): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (event.isComposing || target?.closest(OTHER_KEY_TARGETS)) return false;
  if (matchesShortcut('Mod+Z', event)) {
    recorder.undo();
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  const direction = ARROWS[event.key];
  if (direction) {
    selectNeighbor(direction);
    return true;
  }
  if (event.key === 'Enter' || event.key === ' ') {
    if (target?.closest('button, a, summary')) return false;
    const id = target?.getAttribute('data-component') ?? targetComponent();
    if (id === null || event.repeat) return id !== null;
    pick(id, false);
    return true;
  }
  switch (event.key.toLowerCase()) {
    case 'backspace':
    case 'delete':
      if (!event.repeat) recorder.undo();
      return true;
    case 'r':
      recorder.reply();
      return true;
    case 's':
      if (recorder.recording.steps.length > 0) recorder.startElsewhere();
      return true;
    case 'escape':
      recorder.cancel();
      return true;
    default:
      return false;
  }
}
