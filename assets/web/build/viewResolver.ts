/**
 * A third implementation of the rules of views, which is written for being obviously right, not for being fast: it
 * computes the expected results of the test cases that the server and the web client share. It imports nothing of them.
 */

export interface CaseModel {
  kinds: { id: string; name: string; baseType: string }[];
  teams: { id: string; name: string; members: string[] }[];
  people: { id: string; name: string }[];
  components: CaseComponent[];
  relationships: { id: string; sourceId: string; typeId: string; targetId: string }[];
  stakeholders: { componentId: string; personId?: string; teamId?: string; linkType: string }[];
}

export interface CaseComponent {
  id: string;
  typeId: string;
  name: string;
  description?: string;
  tags?: string[];
  technology?: string[];
  properties?: Record<string, unknown>;
}

export interface CaseCatalog {
  componentTypes: { id: string; name: string }[];
  relationTypes: { id: string; directed: boolean; dependsOn: 'target' | 'source' | 'none' }[];
}

export interface CaseSelector {
  ids?: string[];
  types?: string[];
  kinds?: string[];
  lifecycle?: string[];
  tags?: string[];
  technology?: string[];
  within?: string[];
  owners?: string[];
  teams?: string[];
  roles?: string[];
  text?: string;
  properties?: Record<string, string | number | boolean>;
  around?: {
    of: string[];
    direction?: 'up' | 'down' | 'both';
    depth?: number;
    relationTypes?: string[] | null;
  };
}

export interface CaseDefinition {
  include?: CaseSelector[];
  exclude?: CaseSelector[];
  relationTypes?: string[] | null;
  outside?: 'hidden' | 'stubs';
  impliedRelationships?: boolean;
}

export interface CaseResult {
  components: string[];
  relationships: string[];
  /** The components outside, each with its relationships to members. */
  stubs: Record<string, string[]>;
  /** The ends of relationships that are drawn between members that contain them; absent if there are none. */
  implied?: Record<string, [source: string, target: string]>;
}

export function resolveNaively(
  definition: CaseDefinition,
  model: CaseModel,
  catalog: CaseCatalog,
): CaseResult {
  const { include = [], exclude = [], relationTypes = null, outside = 'hidden' } = definition;
  const isAny = (selectors: CaseSelector[], one: CaseComponent) =>
    selectors.some((selector) => isSelected(selector, one, model, catalog));
  const excluded = model.components.filter((one) => isAny(exclude, one)).map(({ id }) => id);
  const components = model.components
    .filter((one) => include.length === 0 || isAny(include, one))
    .map(({ id }) => id)
    .filter((id) => !excluded.includes(id));
  const isShown = ({ typeId }: CaseModel['relationships'][number]) =>
    typeId === 'contains' || relationTypes === null || relationTypes.includes(typeId);
  const shown = model.relationships.filter(isShown);
  const implied = definition.impliedRelationships ? impliedOf(shown, components, model) : {};
  const isImplied = (id: string) => implied[id] !== undefined;
  const stubs: Record<string, string[]> = {};
  for (const { id } of outside === 'stubs' ? model.components : []) {
    if (components.includes(id) || excluded.includes(id)) continue;
    const related = shown.filter(
      (relationship) =>
        !isImplied(relationship.id) &&
        relationship.typeId !== 'contains' &&
        ((relationship.sourceId === id && components.includes(relationship.targetId)) ||
          (relationship.targetId === id && components.includes(relationship.sourceId))),
    );
    if (related.length > 0) stubs[id] = related.map((relationship) => relationship.id);
  }
  const direct = shown.filter(
    ({ sourceId, targetId }) => components.includes(sourceId) && components.includes(targetId),
  );
  // A relationship between these members is already drawn.
  const isNew = ([source, target]: [string, string]) =>
    !direct.some((one) => one.typeId !== 'contains' && one.sourceId === source && one.targetId === target);
  const drawn = Object.entries(implied).filter(([, ends]) => isNew(ends));
  return {
    components,
    relationships: direct.map(({ id }) => id),
    stubs,
    ...(drawn.length > 0 ? { implied: Object.fromEntries(drawn) } : {}),
  };
}

/** The relationships with an end that is not a member but is in one, with these members as their ends. */
function impliedOf(
  relationships: CaseModel['relationships'],
  members: readonly string[],
  model: CaseModel,
): Record<string, [string, string]> {
  const implied: Record<string, [string, string]> = {};
  for (const { id, sourceId, targetId, typeId } of relationships) {
    if (typeId === 'contains' || (members.includes(sourceId) && members.includes(targetId))) continue;
    const [source, target] = [sourceId, targetId].map((end) =>
      [end, ...ancestorsOf(end, model)].find((one) => members.includes(one)),
    );
    if (source === undefined || target === undefined || source === target) continue;
    if (ancestorsOf(source, model).includes(target) || ancestorsOf(target, model).includes(source)) continue;
    implied[id] = [source, target];
  }
  return implied;
}

/** The groups around a component, innermost first. */
function ancestorsOf(id: string, model: CaseModel): string[] {
  const parent = parentOf(id, model);
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent, model)];
}

function isSelected(
  selector: CaseSelector,
  component: CaseComponent,
  model: CaseModel,
  catalog: CaseCatalog,
): boolean {
  const keys = Object.keys(selector) as (keyof CaseSelector)[];
  if (keys.length === 0) return false;
  return keys.every((key) => CONDITIONS[key](selector as Required<CaseSelector>, component, model, catalog));
}

type Condition = (
  selector: Required<CaseSelector>,
  component: CaseComponent,
  model: CaseModel,
  catalog: CaseCatalog,
) => boolean;

const CONDITIONS: Record<keyof CaseSelector, Condition> = {
  ids: ({ ids }, { id }) => ids.includes(id),
  types: ({ types }, { typeId }) => types.includes(typeId),
  kinds: ({ kinds }, component, model) => kinds.includes(kindOf(component, model)?.id ?? '\0'),
  lifecycle: ({ lifecycle }, { properties }) => {
    const state = properties?.lifecycle;
    return lifecycle.includes(typeof state === 'string' ? state : '');
  },
  tags: ({ tags }, component) => haveCommonWord(tags, component.tags ?? []),
  technology: ({ technology }, component) =>
    haveCommonWord(
      technology,
      component.technology?.length ? component.technology : technologiesOf(component),
    ),
  within: ({ within }, { id }, model) => {
    const chain = [id];
    for (let at = parentOf(id, model); at !== undefined; at = parentOf(at, model)) chain.push(at);
    return chain.some((one) => within.includes(one));
  },
  owners: ({ owners }, { id, typeId }, { stakeholders }) => {
    const links = stakeholders.filter((link) => link.componentId === id && link.linkType === 'owner');
    if (links.length === 0) return owners.includes('') && typeId !== 'person';
    return links.some(({ personId, teamId }) => owners.includes(personId ?? teamId ?? '\0'));
  },
  teams: ({ teams, roles }, { id }, model) =>
    model.stakeholders.some((link) => {
      if (link.componentId !== id) return false;
      // Not destructured from a complete selector: it may have no roles.
      if (roles !== undefined && !roles.includes(link.linkType)) return false;
      if (link.teamId !== undefined) return teams.includes(link.teamId);
      const own = model.teams.filter(({ members }) => members.includes(link.personId ?? '\0'));
      return own.some((team) => teams.includes(team.id));
    }),
  roles: ({ roles }, { id }, { stakeholders }) =>
    stakeholders.some(({ componentId, linkType }) => componentId === id && roles.includes(linkType)),
  text: ({ text }, component, model, catalog) => {
    const words = fold(text).split(/\s+/).filter(Boolean);
    return words.length > 0 && words.every((word) => isFound(word, component, model, catalog));
  },
  properties: ({ properties: wanted }, { properties = {} }) => {
    const names = Object.keys(wanted);
    return (
      names.length > 0 &&
      names.every((name) => Object.hasOwn(properties, name) && properties[name] === wanted[name])
    );
  },
  around: ({ around }, { id }, model, catalog) => {
    const { of, direction = 'both', depth = 1, relationTypes = null } = around;
    if (of.includes(id)) return true;
    const isNear = (way: 'up' | 'down') =>
      of.some((from) => model.components.some((one) => one.id === from) && isReached(from, id, way));
    const isReached = (from: string, to: string, way: 'up' | 'down') => {
      let near = [from];
      for (let step = 0; step < depth; step++) {
        near = near.flatMap((at) => [at, ...nextTo(at, way, relationTypes, model, catalog)]);
        near = [...new Set(near)];
      }
      return near.includes(to);
    };
    return (direction !== 'down' && isNear('up')) || (direction !== 'up' && isNear('down'));
  },
};

/** The components that one relationship leads to, upstream or downstream. */
function nextTo(
  at: string,
  way: 'up' | 'down',
  wanted: string[] | null,
  model: CaseModel,
  catalog: CaseCatalog,
): string[] {
  return model.relationships.flatMap(({ sourceId, targetId, typeId }) => {
    const type = catalog.relationTypes.find(({ id }) => id === typeId);
    if (!type || (wanted === null ? type.dependsOn === 'none' : !wanted.includes(typeId))) return [];
    const [dependent, dependency] = type.dependsOn === 'source' ? [targetId, sourceId] : [sourceId, targetId];
    const found: string[] = [];
    if (dependent === at && (way === 'down' || !type.directed)) found.push(dependency);
    if (dependency === at && (way === 'up' || !type.directed)) found.push(dependent);
    return found;
  });
}

function parentOf(id: string, { relationships }: CaseModel): string | undefined {
  return relationships.find(({ typeId, targetId }) => typeId === 'contains' && targetId === id)?.sourceId;
}

function haveCommonWord(some: string[], others: string[]): boolean {
  return some.some((one) => others.some((other) => one.toLowerCase() === other.toLowerCase()));
}

/** The kind that the property `kind` refers to: by ID, by name, or by a former name. */
function kindOf({ properties }: CaseComponent, { kinds }: CaseModel): CaseModel['kinds'][number] | undefined {
  const value = properties?.kind;
  if (typeof value !== 'string') return undefined;
  const named = kinds.find(({ id }) => id === value) ?? kinds.find(({ name }) => name === value);
  if (named || !/^[A-Za-z0-9_ ./-]*[A-Za-z0-9][A-Za-z0-9_ ./-]*$/.test(value)) return named;
  const derived = value
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return kinds.find(({ id }) => id === (derived.length === 1 ? `kind-${derived}` : derived));
}

function technologiesOf({ technology, properties }: CaseComponent): string[] {
  const value = technology?.length ? technology : properties?.technology;
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,;]/) : [];
  return list
    .filter((one) => typeof one === 'string')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, 8);
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whether a word is part of a text of the component, or its letters follow each other in the name. */
function isFound(word: string, component: CaseComponent, model: CaseModel, catalog: CaseCatalog): boolean {
  const type = catalog.componentTypes.find(({ id }) => id === component.typeId)?.name ?? component.typeId;
  const links = model.stakeholders.filter(({ componentId }) => componentId === component.id);
  const names = links.map(
    ({ personId, teamId }) =>
      model.teams.find(({ id }) => id === teamId)?.name ??
      model.people.find(({ id }) => id === personId)?.name ??
      '',
  );
  const texts = [
    component.name,
    component.id,
    kindOf(component, model)?.name ?? type,
    component.description ?? '',
    ...names,
    ...technologiesOf(component),
    ...(component.tags ?? []),
  ];
  return texts.some((text) => fold(text).includes(word)) || isAbbreviation(word, fold(component.name));
}

/**
 * Whether a text contains the letters of a word in order, the first at the start of a word, with few others in between.
 * Each letter is the next such letter of the text, even if a later one would leave smaller gaps.
 */
function isAbbreviation(word: string, text: string): boolean {
  if (word.length < 2) return false;
  let end = 0;
  let skipped = 0;
  for (const [index, letter] of [...word].entries()) {
    const at = text.indexOf(letter, end);
    if (at < 0) return false;
    if (index > 0) skipped += at - end;
    else if (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1] as string)) return false;
    // The second half of a letter outside of the Basic Multilingual Plane counts as skipped.
    end = at + 1;
  }
  return skipped <= 3 * word.length;
}
