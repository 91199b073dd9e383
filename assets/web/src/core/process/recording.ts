/** A process that is recorded by clicking components: each click adds a message from the previous component. */
import { MAX_NAME_CHARS } from '../limits';

export interface RecordedStep {
  /** Component IDs. */
  source: string;
  target: string;
  /** The message as typed; empty for the default text. */
  text: string;
  isReply: boolean;
}

export interface Recording {
  steps: readonly RecordedStep[];
  /** The component that sends the next message; null if it is not known yet. */
  from: string | null;
}

export const NO_RECORDING: Recording = { steps: [], from: null };

/** Maximum number of recorded steps. */
export const MAX_RECORDED_STEPS = 300;

export function isRecordingFull({ steps }: Recording): boolean {
  return steps.length >= MAX_RECORDED_STEPS;
}

/** Adds a step to a component. The first component is only the sender of the first step. */
export function pickComponent(recording: Recording, componentId: string): Recording {
  if (recording.from === null) return { ...recording, from: componentId };
  return addStep(recording, componentId, false);
}

/** Adds a reply to the component that called the current one. */
export function addReply(recording: Recording): Recording {
  const caller = callerOf(recording);
  return caller === null ? recording : addStep(recording, caller, true);
}

/** Lets the next component be the sender of the next step. */
export function startElsewhere(recording: Recording): Recording {
  return { ...recording, from: null };
}

/** Removes the last step, or the sender that was picked after it. */
export function undoStep({ steps, from }: Recording): Recording {
  const last = steps.at(-1);
  if (!last) return NO_RECORDING;
  if (from !== last.target) return { steps, from: last.target };
  return { steps: steps.slice(0, -1), from: last.source };
}

export function updateStep(
  recording: Recording,
  index: number,
  fields: Partial<Pick<RecordedStep, 'text' | 'isReply'>>,
): Recording {
  const step = recording.steps[index];
  return step ? { ...recording, steps: recording.steps.with(index, { ...step, ...fields }) } : recording;
}

/** The component that the current one can reply to: the sender of the last call that has no reply yet. */
export function callerOf({ steps, from }: Recording): string | null {
  const open: RecordedStep[] = [];
  for (const step of steps) {
    if (step.source === step.target) continue;
    if (!step.isReply) open.push(step);
    else {
      const call = open.findLastIndex((one) => one.source === step.target && one.target === step.source);
      // A reply also ends the calls that were made to produce it.
      if (call >= 0) open.length = call;
    }
  }
  return open.findLast(({ target }) => target === from)?.source ?? null;
}

function addStep(recording: Recording, target: string, isReply: boolean): Recording {
  const { steps, from } = recording;
  if (from === null || isRecordingFull(recording)) return recording;
  return { steps: [...steps, { source: from, target, text: '', isReply }], from: target };
}

/** Parses a stored recording. Invalid parts are ignored. */
export function parseRecording(text: string | null): Recording {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return NO_RECORDING;
  }
  const { steps, from } = (stored ?? {}) as Partial<Record<keyof Recording, unknown>>;
  const valid = Array.isArray(steps) ? steps.slice(0, MAX_RECORDED_STEPS).flatMap(parseStep) : [];
  return { steps: valid, from: typeof from === 'string' ? from : null };
}

function parseStep(stored: unknown): RecordedStep[] {
  const { source, target, text, isReply } = (stored ?? {}) as Partial<Record<keyof RecordedStep, unknown>>;
  if (typeof source !== 'string' || typeof target !== 'string' || typeof text !== 'string') return [];
  return [{ source, target, text: text.slice(0, MAX_NAME_CHARS), isReply: isReply === true }];
}
