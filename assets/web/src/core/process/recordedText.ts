/** Writes a recording as the text of a process. */
import type { Component, Relationship } from '@/api/generated';
import { CONTAINS } from '../containment/containment';
import { MAX_NAME_CHARS } from '../limits';
import { truncate } from '../text';
import type { RecordedStep, Recording } from './recording';

/** The parts of the map that the text contains. */
export interface RecordedMap {
  components: ReadonlyMap<string, Pick<Component, 'id' | 'name'>>;
  relationships: ReadonlyMap<string, Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId' | 'label'>>;
  relationName: (typeId: string) => string;
}

export interface RecordedProcess {
  mermaid: string;
  /** The component of each participant. */
  participants: Record<string, string>;
}

/** The text and the mapping of a recording. Each component is one participant, in the order of first use. */
export function recordedProcess({ steps }: Pick<Recording, 'steps'>, map: RecordedMap): RecordedProcess {
  const aliases = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of steps.flatMap(({ source, target }) => [source, target])) {
    if (!aliases.has(id)) aliases.set(id, freeAlias(nameOf(map, id), taken));
  }
  const defaultText = defaultTexts(map);
  const participants = [...aliases].map(
    ([id, alias]) => `    participant ${alias} as "${escaped(nameOf(map, id))}"`,
  );
  const messages = steps.map((step) => {
    const arrow = step.isReply ? '-->>' : '->>';
    const text = singleLine(step.text) || defaultText(step);
    return `    ${aliases.get(step.source)}${arrow}${aliases.get(step.target)}: ${escaped(text)}`;
  });
  return {
    mermaid: `${['sequenceDiagram', ...participants, ...messages].join('\n')}\n`,
    // Components that were deleted during the recording remain as unmapped participants.
    participants: Object.fromEntries(
      [...aliases].filter(([id]) => map.components.has(id)).map(([id, alias]) => [alias, id]),
    ),
  };
}

/** Returns the text of a step without a typed text: the label or the type of its relationship. */
export function defaultTexts({
  relationships,
  relationName,
}: Omit<RecordedMap, 'components'>): (step: Omit<RecordedStep, 'text'>) => string {
  const between = new Map<string, string>();
  for (const { sourceId, targetId, typeId, label } of relationships.values()) {
    if (typeId === CONTAINS) continue;
    const key = JSON.stringify([sourceId, targetId]);
    const text = singleLine(label ?? '');
    // A label says more than a type.
    if (text || !between.has(key)) between.set(key, text || relationName(typeId));
  }
  return ({ source, target, isReply }) => {
    if (isReply) return 'Response';
    const text = between.get(JSON.stringify([source, target]));
    if (text) return truncate(text, MAX_NAME_CHARS);
    return source === target ? 'Internal step' : 'Call';
  };
}

function nameOf({ components }: Pick<RecordedMap, 'components'>, id: string): string {
  return singleLine(components.get(id)?.name ?? id) || 'Component';
}

function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const MAX_ALIAS_CHARS = 30;

/** Words that Mermaid reads as statements or parts of them. Upper and lower case are equal. */
const RESERVED = new Set(
  `acctitle accdescr activate actor alt and as autonumber box break create critical deactivate destroy details else
  end left link links loop note nowrap off opt option over par par_over participant properties rect right
  sequencediagram style title wrap`.split(/\s+/),
);

/** An unused alias of letters, digits and underscores, derived from a name. */
function freeAlias(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .slice(0, MAX_ALIAS_CHARS)
    .replace(/_+$/, '');
  const stem = plain === '' ? 'component' : plain;
  let alias = RESERVED.has(stem) ? `${stem}_1` : stem;
  for (let number = 2; taken.has(alias); number++) alias = `${stem}_${number}`;
  taken.add(alias);
  return alias;
}

/**
 * Replaces all characters by numeric entities that are special in Mermaid or in HTML, and the characters that Mermaid
 * uses internally for entities.
 */
function escaped(text: string): string {
  const plain = text.replace(
    /[^\p{L}\p{N}\p{M}\p{S}\p{P}\p{Cf}\p{Co} ]|[#;%"<>&\\{}@|`~^$=+*[\]¶°ﬂ]/gu,
    entity,
  );
  // Mermaid removes a leading “wrap:”, and takes “style …:#35;” for a style, whose semicolon it removes.
  return /^:?(?:no)?wrap|:\S*#/i.test(plain) ? plain.replaceAll(':', '#58;') : plain;
}

function entity(character: string): string {
  return `#${character.codePointAt(0)};`;
}
