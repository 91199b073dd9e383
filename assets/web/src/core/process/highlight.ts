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

export interface ProcessHighlight {
  components: Map<string, 'current' | 'visited'>;
  relationships: Map<string, 'current' | 'visited'>;
  lines: { from: string; to: string; label: string }[];
}

/** The highlights at step `current`, after the steps in `before`. */
export function highlightSteps(
  locate: (message: Message) => MessageLocation,
  before: readonly Message[],
  current: Message,
): ProcessHighlight {
  const highlight: ProcessHighlight = { components: new Map(), relationships: new Map(), lines: [] };
  const put = (message: Message, tone: 'current' | 'visited') => {
    const { source, target, relationship } = locate(message);
    for (const id of [source, target]) if (id) highlight.components.set(id, tone);
    if (relationship) highlight.relationships.set(relationship, tone);
  };
  for (const message of before) put(message, 'visited');
  put(current, 'current');
  const { source, target, relationship, isPart } = locate(current);
  if (source && target && (!relationship || isPart))
    highlight.lines.push({ from: source, to: target, label: current.text });
  return highlight;
}
