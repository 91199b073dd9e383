/** The highlights of a step: sender, receiver and the relationship between them. */
import type { Component, Process, ProcessStep, Relationship } from '@/api/generated';
import { CONTAINS } from '../containment/containment';

export type Message = Pick<ProcessStep, 'source' | 'target' | 'text'>;

/** The parts of a process that are shown on the map. */
export interface ProcessMap {
  participants: Process['participants'];
  components: ReadonlyMap<string, Pick<Component, 'id' | 'name'>>;
  relationships: ReadonlyMap<string, Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId'>>;
}

/** The position of a message on the map. */
export interface MessageLocation {
  /** Component IDs; undefined for unmapped participants. */
  source: string | undefined;
  target: string | undefined;
  /** The relationship that carries the message, in either direction. */
  relationship: string | undefined;
  /** Whether the relationship is containment, which is drawn as nesting instead of a line. */
  isPart: boolean;
}

/** Returns the position of each message on the map. */
export function messageLocator({
  participants,
  components,
  relationships,
}: ProcessMap): (message: Message) => MessageLocation {
  const between = new Map<string, string>();
  for (const { id, sourceId, targetId, typeId } of relationships.values()) {
    const pair = JSON.stringify([sourceId, targetId]);
    // Containment is used only if there is no other relationship.
    if (!between.has(pair) || typeId !== CONTAINS) between.set(pair, id);
  }
  const componentOf = (alias: string) => {
    const id = (participants as Record<string, string>)[alias];
    return id !== undefined && components.has(id) ? id : undefined;
  };
  return (message) => {
    const source = componentOf(message.source);
    const target = componentOf(message.target);
    const relationship =
      source && target
        ? (between.get(JSON.stringify([source, target])) ?? between.get(JSON.stringify([target, source])))
        : undefined;
    const isPart = relationship !== undefined && relationships.get(relationship)?.typeId === CONTAINS;
    return { source, target, relationship, isPart };
  };
}

type Tone = 'current' | 'visited';

/** A message as shown on the map. */
export interface ShownMessage {
  from: string;
  to: string;
  /** The relationship on whose line it is shown. */
  relationship?: string | undefined;
  /** The numbers of the steps. */
  steps: string;
  text: string;
  isReply: boolean;
  tone: Tone;
}

export interface ProcessHighlight {
  components: Map<string, Tone>;
  relationships: Map<string, Tone>;
  lines: { from: string; to: string; label: string; tone?: Tone }[];
  messages: ShownMessage[];
}

/** A message with the number of its step. */
export interface NumberedMessage extends Message {
  number: number;
  isReply: boolean;
}

/** The highlights at step `current`, after the steps in `before`. */
export function highlightSteps(
  locate: (message: Message) => MessageLocation,
  before: readonly Message[],
  current: NumberedMessage,
): ProcessHighlight {
  const highlight = emptyHighlight();
  for (const message of before) put(highlight, locate(message), 'visited');
  const location = locate(current);
  put(highlight, location, 'current');
  const shown = shownMessage(location, current, 'current');
  if (!shown) return highlight;
  highlight.messages.push(shown);
  if (!shown.relationship) highlight.lines.push({ from: shown.from, to: shown.to, label: current.text });
  return highlight;
}

/** The highlights of all steps at once: the text of the last one, and the numbers of all others. */
export function highlightAll(
  locate: (message: Message) => MessageLocation,
  messages: readonly NumberedMessage[],
): ProcessHighlight {
  const highlight = emptyHighlight();
  const onLine = new Map<string, { shown: ShownMessage; numbers: number[] }>();
  for (const [at, message] of messages.entries()) {
    const tone = at === messages.length - 1 ? 'current' : 'visited';
    const location = locate(message);
    put(highlight, location, tone);
    const shown = shownMessage(location, message, tone);
    if (!shown) continue;
    const key = shown.relationship ?? JSON.stringify([shown.from, shown.to].sort());
    onLine.set(key, { shown, numbers: [...(onLine.get(key)?.numbers ?? []), message.number] });
  }
  for (const { shown, numbers } of onLine.values()) {
    const { from, to, relationship, tone, text } = shown;
    highlight.messages.push({ ...shown, steps: numberList(numbers), text: tone === 'current' ? text : '' });
    if (!relationship) highlight.lines.push({ from, to, label: text, tone });
  }
  return highlight;
}

/** For example `1, 4`, or `1, 2, …, 9` if there are many. */
function numberList(numbers: readonly number[]): string {
  const shown = numbers.length > 3 ? [...numbers.slice(0, 2), '…', numbers.at(-1)] : numbers;
  return shown.join(', ');
}

function emptyHighlight(): ProcessHighlight {
  return { components: new Map(), relationships: new Map(), lines: [], messages: [] };
}

function put(highlight: ProcessHighlight, location: MessageLocation, tone: Tone): void {
  const { source, target, relationship } = location;
  for (const id of [source, target]) if (id) highlight.components.set(id, tone);
  if (relationship) highlight.relationships.set(relationship, tone);
}

/** The message on the map; undefined if a participant has no component. Nesting has no line to show it on. */
function shownMessage(
  { source, target, relationship, isPart }: MessageLocation,
  { number, text, isReply }: NumberedMessage,
  tone: Tone,
): ShownMessage | undefined {
  if (!source || !target) return undefined;
  return {
    from: source,
    to: target,
    relationship: isPart ? undefined : relationship,
    steps: String(number),
    text,
    isReply,
    tone,
  };
}
