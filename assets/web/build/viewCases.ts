/**
 * Generates `src/core/views/cases/generated.json`: random models and definitions of views with their contents, computed by
 * `viewResolver.ts`. The tests of the web client and of the server read it. Run `npm run view-cases` after changing
 * the rules of views.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type CaseCatalog,
  type CaseComponent,
  type CaseDefinition,
  type CaseModel,
  type CaseSelector,
  resolveNaively,
} from './viewResolver.ts';

const CASES = '../src/core/views/cases';

export const VIEW_CASES_FILE = fileURLToPath(new URL(`${CASES}/generated.json`, import.meta.url));

const MODELS = 60;
const CASES_PER_MODEL = 8;
/** The number of these cases that draw implied relationships. */
const IMPLIED_PER_MODEL = 2;

const catalog: CaseCatalog = JSON.parse(
  readFileSync(new URL(`${CASES}/catalog.json`, import.meta.url), 'utf8'),
);

/** Random numbers that are the same in every run (mulberry32). */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  /** Up to `most` different items, at least one. */
  some<T>(of: readonly T[], most: number): T[] {
    const count = 1 + this.below(most);
    return [...new Set(Array.from({ length: count }, () => this.one(of)))];
  }
}

const COMPONENTS = 'abcdefghijklmn'.split('');
const WORDS = [
  'pay',
  'Payments',
  'Ünit',
  'unit',
  'order',
  'Orders',
  'Café',
  '𝒳-ray',
  'ledger',
  'I/O',
  '検索',
  'ﬂow',
  'Ωmega',
  'नमस्ते',
];
const TYPES = ['service', 'database', 'group', 'person', 'topic'];
const RELATIONS = ['calls', 'streams-to', 'related-to', 'monitors', 'contains', 'uses'];
const STATES = ['live', 'building', 'retired'];
const TAGS = ['pci', 'PCI', 'Édge', 'édge', 'edge'];
const TECHNOLOGIES = ['Rust', 'rust', 'gRPC', 'PostgreSQL'];
const PEOPLE = [
  { id: 'ada', name: 'Ada Ünal' },
  { id: 'bob', name: 'Bob Order' },
  { id: 'cyd', name: 'Cyd' },
];
const TEAMS = ['red', 'blue'];
const ROLES = ['owner', 'support', 'auditor'];
const KINDS = [
  { id: 'pay-service', name: 'Pay service', baseType: 'service' },
  { id: 'kind-x', name: 'X', baseType: 'topic' },
];
const VALUES = [1, 2, '1', 'eu', true, false];

function model(random: Random): CaseModel {
  const ids = COMPONENTS.slice(0, 4 + random.below(COMPONENTS.length - 3));
  const components = ids.map((id) => component(random, id));
  const relationships: CaseModel['relationships'] = [];
  const inside = new Set<string>();
  for (let at = 0; at < ids.length * 2; at++) {
    const [source, target] = [random.below(ids.length), random.below(ids.length)];
    const [sourceId, targetId] = [ids[source] as string, ids[target] as string];
    const typeId = random.one(RELATIONS);
    if (typeId === 'contains') {
      // A component is in one group at most. Only earlier ones contain later ones, so there are no cycles.
      if (source >= target || inside.has(targetId)) continue;
      inside.add(targetId);
    }
    relationships.push({ id: `r${at}`, sourceId, typeId, targetId });
  }
  const stakeholders = ids.flatMap((componentId) =>
    Array.from({ length: random.below(3) }, () => ({
      componentId,
      ...(random.chance(50) ? { personId: random.one(PEOPLE).id } : { teamId: random.one(TEAMS) }),
      linkType: random.one(ROLES),
    })),
  );
  return {
    kinds: KINDS.slice(random.below(3)),
    teams: TEAMS.map((id) => ({
      id,
      name: `Team ${id}`,
      members: PEOPLE.map((person) => person.id).filter(() => random.chance(40)),
    })),
    people: PEOPLE,
    components,
    relationships,
    stakeholders,
  };
}

function component(random: Random, id: string): CaseComponent {
  const properties: Record<string, unknown> = {};
  if (random.chance(50)) properties.lifecycle = random.one(STATES);
  if (random.chance(30))
    properties.kind = random.one(['pay-service', 'Pay service', 'PAY SERVICE', 'X', 'x', 'other', 7]);
  if (random.chance(40)) properties.tier = random.one(VALUES);
  if (random.chance(20))
    properties.technology = random.one(['Rust, gRPC', ['PostgreSQL', 3, ' Rust '], ';', 5]);
  return {
    id,
    typeId: random.one(TYPES),
    name: random.some(WORDS, 3).join(' '),
    ...(random.chance(30) ? { description: random.some(WORDS, 4).join(', ') } : {}),
    ...(random.chance(40) ? { tags: random.some(TAGS, 3) } : {}),
    ...(random.chance(40) ? { technology: random.some(TECHNOLOGIES, 3) } : {}),
    properties,
  };
}

const IDS = [...COMPONENTS, 'deleted'];

const SELECTORS: Record<keyof CaseSelector, (random: Random) => CaseSelector> = {
  ids: (random) => ({ ids: random.some(IDS, 6) }),
  types: (random) => ({ types: random.some(TYPES, 3) }),
  kinds: (random) => ({ kinds: random.some(['pay-service', 'kind-x', 'deleted'], 2) }),
  lifecycle: (random) => ({ lifecycle: random.some([...STATES, ''], 3) }),
  tags: (random) => ({ tags: random.some(TAGS, 2) }),
  technology: (random) => ({ technology: random.some(TECHNOLOGIES, 2) }),
  within: (random) => ({ within: random.some(IDS, 3) }),
  owners: (random) => ({ owners: random.some(['ada', 'bob', 'red', 'blue', '', 'deleted'], 3) }),
  teams: (random) => ({ teams: random.some([...TEAMS, 'deleted'], 2) }),
  roles: (random) => ({ roles: random.some([...ROLES, 'deleted'], 2) }),
  text: (random) => ({ text: random.one(TEXTS) }),
  properties: (random) => ({ properties: { tier: random.one(VALUES) } }),
  around: (random) => ({
    around: {
      of: random.some(IDS, 2),
      ...(random.chance(70) ? { direction: random.one(['up', 'down', 'both'] as const) } : {}),
      ...(random.chance(70) ? { depth: 1 + random.below(4) } : {}),
      ...(random.chance(40) ? { relationTypes: random.some(RELATIONS, 3) } : {}),
    },
  }),
};

const TEXTS = [
  'pay',
  'PAYMENTS',
  'ünit',
  'unit order',
  'cafe',
  'pmt',
  'ldr',
  'team red',
  'unal',
  'service',
  'group',
  'rust',
  'édge',
]
  .concat([
    'flow',
    '検',
    'x',
    '𝒳',
    'xr',
    'i/o',
    'ωm',
    'ΩMEGA',
    'postgres',
    'नम',
    'od',
    'zzz',
    'or  un',
    'py od',
  ])
  .concat(COMPONENTS.slice(0, 3));

const KEYS = Object.keys(SELECTORS) as (keyof CaseSelector)[];

function selector(random: Random): CaseSelector {
  const keys = random.some(KEYS, random.chance(60) ? 1 : 3);
  return Object.assign({}, ...keys.map((key) => SELECTORS[key](random)));
}

function selectors(random: Random, most: number): CaseSelector[] {
  return Array.from({ length: random.below(most + 1) }, () => selector(random));
}

function definition(random: Random): CaseDefinition {
  return {
    include: selectors(random, 3),
    ...(random.chance(40) ? { exclude: selectors(random, 2) } : {}),
    ...(random.chance(30) ? { relationTypes: random.some(RELATIONS, 3) } : {}),
    ...(random.chance(60) ? { outside: 'stubs' as const } : {}),
  };
}

/** A view of most components that are in no group, with implied relationships. */
function outermost(random: Random, { components, relationships }: CaseModel): CaseDefinition {
  const inside = new Set(
    relationships.flatMap(({ typeId, targetId }) => (typeId === 'contains' ? [targetId] : [])),
  );
  const ids = components.map(({ id }) => id).filter((id) => random.chance(inside.has(id) ? 20 : 90));
  const include = [{ ids: ids.length > 0 ? ids : ['a'] }];
  return { ...definition(random), include, impliedRelationships: true };
}

/** The content of the file: a model on each line, with its cases. */
export function viewCases(): string {
  const random = new Random(21);
  const groups = Array.from({ length: MODELS }, () => {
    const made = model(random);
    const cases = Array.from({ length: CASES_PER_MODEL }, (_, at) => {
      const rules = at < IMPLIED_PER_MODEL ? outermost(random, made) : definition(random);
      return { definition: rules, ...resolveNaively(rules, made, catalog) };
    });
    return JSON.stringify({ model: made, cases });
  });
  return `[\n${groups.join(',\n')}\n]\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(VIEW_CASES_FILE, viewCases());
