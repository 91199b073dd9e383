/** Selectors of views as predicates. The server has the same rules; `cases.json` is tested in both. */
import type { Component, Stakeholder } from '@/api/generated';
import { withDescendants } from '../containment/containment';
import { type CustomType, customTypeOf } from '../model/customTypes';
import { isUnowned, type Model, ownersOf } from '../model/model';
import { technologiesOf } from '../model/technology';
import { matchesTerms, searchTerms } from '../search/fuzzy';
import { searchEntries } from '../search/search';
import type { Selector } from '../sync/viewRows';
import { componentsAround } from './around';
import { type Memberships, NO_MEMBERSHIPS } from './memberships';

type Test = (component: Component) => boolean;

/**
 * Returns the predicate of a selector. Empty lists and texts, and a selector without keys, match nothing: the server
 * refuses them, but a rule that is being edited may contain them.
 */
export function selectorFilter(
  selector: Selector,
  model: Model,
  memberships: Memberships = NO_MEMBERSHIPS,
): Test {
  const tests = [
    ...fieldTests(selector, model),
    ...stakeholderTests(selector, model, memberships),
    ...reachTests(selector, model),
  ];
  if (tests.length === 0) return () => false;
  return (component) => tests.every((test) => test(component));
}

/** Returns the predicate of several selectors, of which any may match. */
export function anySelector(
  selectors: readonly Selector[],
  model: Model,
  memberships: Memberships = NO_MEMBERSHIPS,
): Test {
  const tests = selectors.map((selector) => selectorFilter(selector, model, memberships));
  return (component) => tests.some((test) => test(component));
}

/** The conditions on fields of the component. */
function fieldTests(
  { types, kinds, lifecycle, tags, technology, properties }: Selector,
  model: Model,
): Test[] {
  const tests: Test[] = [];
  if (types) tests.push(isIn(types, ({ typeId }) => typeId));
  if (kinds) {
    const { customTypes } = sharedTypes(model);
    tests.push(isIn(kinds, (component) => customTypeOf(customTypes, component)?.kind?.id));
  }
  if (lifecycle) tests.push(isIn(lifecycle, lifecycleOf));
  if (tags) tests.push(hasKeyword(tags, (component) => component.tags ?? []));
  if (technology) {
    const stored = (component: Component) =>
      component.technology?.length ? component.technology : technologiesOf(component);
    tests.push(hasKeyword(technology, stored));
  }
  if (properties) {
    const wanted = Object.entries(properties);
    const isEqual = (of: Component['properties'], [key, value]: (typeof wanted)[number]) =>
      Object.hasOwn(of, key) && of[key] === value;
    tests.push((component) => wanted.length > 0 && wanted.every((one) => isEqual(component.properties, one)));
  }
  return tests;
}

function lifecycleOf({ properties: { lifecycle } }: Component): string {
  return typeof lifecycle === 'string' ? lifecycle : '';
}

/** The conditions on the people and teams of the component. */
function stakeholderTests(
  { owners, teams, roles }: Selector,
  model: Model,
  memberships: Memberships,
): Test[] {
  const tests: Test[] = [];
  if (owners) {
    const wanted = new Set(owners);
    tests.push(
      (component) =>
        (wanted.has('') && isUnowned(model, component)) ||
        ownersOf(model, component.id).some(({ id }) => wanted.has(id)),
    );
  }
  if (teams || roles) {
    const inTeam = teams ? teamTest(new Set(teams), memberships) : () => true;
    const wanted = roles && new Set(roles);
    const matches = (link: Stakeholder) => (!wanted || wanted.has(link.linkType)) && inTeam(link);
    tests.push(({ id }) => model.stakeholders.get(id)?.some(matches) ?? false);
  }
  return tests;
}

/** Whether a stakeholder is one of the teams, or a member of one. */
function teamTest(teams: ReadonlySet<string>, memberships: Memberships): (link: Stakeholder) => boolean {
  return ({ teamId, personId }) => {
    if (teamId) return teams.has(teamId);
    const own = memberships.get(personId ?? '');
    return own !== undefined && [...own].some((team) => teams.has(team));
  };
}

/** The conditions on the component's place in the model, and on its texts. */
function reachTests({ ids, within, around, text }: Selector, model: Model): Test[] {
  const tests: Test[] = [];
  if (ids) tests.push(isIn(ids, ({ id }) => id));
  if (within) {
    const inside = withDescendants(model.containment, within);
    tests.push(({ id }) => inside.has(id));
  }
  if (around) {
    const near = componentsAround(model, around);
    tests.push(({ id }) => near.has(id));
  }
  if (text !== undefined) {
    const terms = searchTerms(text);
    const entries = searchEntries(sharedTypes(model));
    tests.push(({ id }) => matchesTerms(terms, entries.get(id) ?? { title: '' }));
  }
  return tests;
}

function isIn(wanted: readonly string[], keyOf: (component: Component) => string | undefined): Test {
  const set = new Set<string | undefined>(wanted);
  return (component) => set.has(keyOf(component));
}

function hasKeyword(
  wanted: readonly string[],
  keywordsOf: (component: Component) => readonly string[],
): Test {
  const set = new Set(wanted.map((keyword) => keyword.toLowerCase()));
  return (component) => keywordsOf(component).some((keyword) => set.has(keyword.toLowerCase()));
}

const shared = new WeakMap<Model, Model>();

/** The model without the types of this browser: a view shows the same components to everyone. */
function sharedTypes(model: Model): Model {
  const known = shared.get(model);
  if (known) return known;
  const isShared = ({ kind }: CustomType) => kind !== undefined;
  const customTypes = model.customTypes.every(isShared)
    ? model.customTypes
    : model.customTypes.filter(isShared);
  const without = customTypes === model.customTypes ? model : { ...model, customTypes };
  shared.set(model, without);
  return without;
}
