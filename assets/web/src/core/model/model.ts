/** The rows of a workspace with derived indexes, computed once. */
import type { Catalogue, Component, IconType, Process, Relationship, Stakeholder } from '@/api/generated';
import { buildContainment, type Containment } from '../containment/containment';
import type { Rows } from '../sync/rows';
import type { CustomType } from './customTypes';
import { type DriftIndex, NO_DRIFT } from './drift';

export interface Model {
  rows: Rows;
  catalogue: Catalogue;
  customTypes: readonly CustomType[];
  /** The outgoing and incoming relationships of each component. */
  outgoing: Index<Relationship>;
  incoming: Index<Relationship>;
  containment: Containment;
  /** By component. */
  stakeholders: Index<Stakeholder>;
  /** By ID of the person or team. */
  holdings: Index<Stakeholder>;
  /** The processes of each component. */
  processes: Index<Process>;
  drift: DriftIndex;
}

type Index<T> = ReadonlyMap<string, readonly T[]>;

/** The role of owners. */
export const OWNER = 'owner';

const NO_TYPES: readonly CustomType[] = [];

let last: Model | undefined;

/** Builds the model of the rows, memoized. */
export function buildModel(
  rows: Rows,
  catalogue: Catalogue,
  customTypes = NO_TYPES,
  drift: DriftIndex = NO_DRIFT,
): Model {
  const isSame =
    last?.rows === rows &&
    last.catalogue === catalogue &&
    last.customTypes === customTypes &&
    last.drift === drift;
  if (last && isSame) return last;
  last = {
    rows,
    catalogue,
    customTypes,
    drift,
    ...relationsOf(rows.relationship),
    ...holdersOf(rows.stakeholder),
    processes: processesOf(rows.process),
  };
  return last;
}

const relationsOf = memoizeByObject((relationships: ReadonlyMap<string, Relationship>) => {
  const outgoing = new Map<string, Relationship[]>();
  const incoming = new Map<string, Relationship[]>();
  for (const relationship of relationships.values()) {
    push(outgoing, relationship.sourceId, relationship);
    push(incoming, relationship.targetId, relationship);
  }
  return { outgoing, incoming, containment: buildContainment(relationships.values()) };
});

const holdersOf = memoizeByObject((links: ReadonlyMap<string, Stakeholder>) => {
  const stakeholders = new Map<string, Stakeholder[]>();
  const holdings = new Map<string, Stakeholder[]>();
  const saved = new Set([...links.values()].filter(({ revision }) => revision > 0).map(identityKey));
  for (const link of links.values()) {
    // Unsaved stakeholders have no ID. The event stream may deliver the saved stakeholder before the response arrives.
    if (link.revision === 0 && saved.has(identityKey(link))) continue;
    push(stakeholders, link.componentId, link);
    push(holdings, holderOf(link).id, link);
  }
  return { stakeholders, holdings };
});

function identityKey({ componentId, personId, teamId, linkType }: Stakeholder): string {
  return JSON.stringify([componentId, personId, teamId, linkType]);
}

const processesOf = memoizeByObject((processes: ReadonlyMap<string, Process>) => {
  const byComponent = new Map<string, Process[]>();
  for (const process of processes.values()) {
    for (const id of new Set(Object.values(process.participants))) push(byComponent, id, process);
  }
  return byComponent;
});

/** A person or team. */
export interface Holder {
  kind: 'person' | 'team';
  id: string;
  name: string;
}

/** The person or team of a stakeholder. */
export function holderOf({ person, team, personId, teamId }: Stakeholder): Holder {
  if (teamId) return { kind: 'team', id: teamId, name: team?.name ?? teamId };
  return { kind: 'person', id: personId ?? '', name: person?.name ?? personId ?? '' };
}

/** The owner of a component: the first stakeholder with the owner role. */
export function ownerOf(model: Model, componentId: string): Holder | undefined {
  return ownersOf(model, componentId)[0];
}

export function ownersOf(model: Pick<Model, 'stakeholders'>, componentId: string): Holder[] {
  const links = model.stakeholders.get(componentId) ?? [];
  return links.filter(({ linkType }) => linkType === OWNER).map(holderOf);
}

/** The team of a component: its owner if that is a team, otherwise the first team with any role. */
export function teamOf(model: Model, componentId: string): Holder | undefined {
  const teams = model.stakeholders.get(componentId)?.filter((stakeholder) => stakeholder.teamId) ?? [];
  const link = teams.find((stakeholder) => stakeholder.linkType === OWNER) ?? teams[0];
  return link && holderOf(link);
}

/** Components without an owner. Components of type person need none. */
export function unowned(model: Model): Component[] {
  return [...model.rows.component.values()].filter((component) => isUnowned(model, component));
}

export function isUnowned(model: Model, { id, typeId }: Pick<Component, 'id' | 'typeId'>): boolean {
  return needsOwner({ typeId }) && !ownerOf(model, id);
}

export function needsOwner({ typeId }: Pick<Component, 'typeId'>): boolean {
  return typeId !== PERSON_TYPE;
}

/** The component type of people on the map. */
const PERSON_TYPE = 'person';

/** The components that a component is related to in either direction, excluding itself. */
export function neighborsOf(model: Model, id: string): Set<string> {
  const found = new Set<string>();
  for (const relationship of model.outgoing.get(id) ?? []) found.add(relationship.targetId);
  for (const relationship of model.incoming.get(id) ?? []) found.add(relationship.sourceId);
  found.delete(id);
  return found;
}

/** The entry of a catalog list, or a placeholder for an unknown ID. */
export function catalogueEntry<T extends { id: string; name: string; color: string }>(
  list: readonly T[],
  id: string,
): Pick<T, 'id' | 'name' | 'color'> & Partial<IconType> {
  return list.find((entry) => entry.id === id) ?? { id, name: id, color: NEUTRAL_COLOR };
}

/** The color of entries without one. */
export const NEUTRAL_COLOR = '#7a828c';

function push<T>(index: Map<string, T[]>, key: string, value: T): void {
  const list = index.get(key);
  if (list) list.push(value);
  else index.set(key, [value]);
}

/** Memoizes the result for the same argument object. */
function memoizeByObject<In extends object, Out>(work: (input: In) => Out): (input: In) => Out {
  const results = new WeakMap<In, Out>();
  return (input) => {
    const known = results.get(input);
    if (known !== undefined) return known;
    const result = work(input);
    results.set(input, result);
    return result;
  };
}
