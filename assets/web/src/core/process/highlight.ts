/** What a step lights on the map: who sends, who gets, and the relationship between them. */
import type { Component, Process, ProcessStep, Relationship } from '@/api/generated';
import { CONTAINS } from '../containment/containment';

export type Message = Pick<ProcessStep, 'source' | 'target' | 'text'>;

/** The map as far as a process needs it. */
export interface ProcessMap {
  participants: Process['participants'];
  components: ReadonlyMap<string, Pick<Component, 'id' | 'name'>>;
  relationships: ReadonlyMap<string, Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId'>>;
}

/** Where a message is on the map. */
export interface MessageLocation {
  /** Ids of components; none where the participant is no component. */
  source: string | undefined;
  target: string | undefined;
  /** The relationship that carries it, in whichever direction it points. */
  relationship: string | undefined;
  /** Whether that only says what is part of what: the map draws boxes for it, no line. */
  isPart: boolean;
}

/** Says for each message where it is on the map. */
export function messageLocator({
  participants,
  components,
  relationships,
}: ProcessMap): (message: Message) => MessageLocation {
  const between = new Map<string, string>();
  for (const { id, sourceId, targetId, typeId } of relationships.values()) {
    const pair = JSON.stringify([sourceId, targetId]);
    // A part of something is not what it talks to, unless nothing else is known.
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

export interface ProcessHighlight {
  components: Map<string, 'current' | 'visited'>;
  relationships: Map<string, 'current' | 'visited'>;
  lines: { from: string; to: string; label: string }[];
}

/** What is lit when `current` is shown and `before` were. */
export function highlightSteps(
  locate: (message: Message) => MessageLocation,
  before: readonly Message[],
  current: Message,
): ProcessHighlight {
  const light: ProcessHighlight = { components: new Map(), relationships: new Map(), lines: [] };
  const put = (message: Message, tone: 'current' | 'visited') => {
    const { source, target, relationship } = locate(message);
    for (const id of [source, target]) if (id) light.components.set(id, tone);
    if (relationship) light.relationships.set(relationship, tone);
  };
  for (const message of before) put(message, 'visited');
  put(current, 'current');
  const { source, target, relationship, isPart } = locate(current);
  if (source && target && (!relationship || isPart))
    light.lines.push({ from: source, to: target, label: current.text });
  return light;
}
