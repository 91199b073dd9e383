import { describe, expect, it } from 'vitest';
import { initials } from '@/core/words';
import { find } from '../find/find';
import { ranked } from '../find/fuzzy';
import { withRow } from '../sync/rows';
import { COLOURS, holderColours } from './colours';
import { joined, parseCustomTypes } from './customTypes';
import { facetsOf, matches, toggled } from './filter';
import { legendOf, lensOf } from './lens';
import { NO_FILTERS } from './look';
import { modelOf, neighboursOf, ownerOf, partsOf, teamOf, unowned, wholesOf } from './model';
import { relationshipId, whyNotRelated } from './relate';
import { catalogue, sample } from './sample';
import { problemOfAddress, problemOfName, problemOfProperties, problemOfText } from './valid';

const shop = modelOf(
  sample({
    components: [
      { id: 'web', name: 'Web shop', properties: { lifecycle: 'live' } },
      { id: 'pay', name: 'Payments', description: 'Takes the money' },
      { id: 'db', name: 'Café ledger', typeId: 'database' },
    ],
    relationships: [
      ['web', 'calls', 'pay'],
      ['pay', 'contains', 'db'],
      ['web', 'calls', 'web'],
    ],
    stakeholders: [
      { componentId: 'web', personId: 'ada', linkType: 'owner' },
      { componentId: 'web', teamId: 'core', linkType: 'support' },
      { componentId: 'pay', teamId: 'core', linkType: 'owner' },
    ],
    processes: [{ id: 'buy', participants: { W: 'web', P: 'pay', X: 'pay' } }],
  }),
  catalogue,
);
const component = (id: string) => {
  const row = shop.rows.component.get(id);
  if (!row) throw new Error(id);
  return row;
};

describe('the model', () => {
  it('knows who is beside, inside and behind what', () => {
    expect(neighboursOf(shop, 'web')).toEqual(new Set(['pay']));
    expect(neighboursOf(shop, 'pay')).toEqual(new Set(['db', 'web']));
    expect(partsOf(shop, 'pay')).toEqual(new Set(['db']));
    expect(wholesOf(shop, 'db')).toEqual(['pay']);
    expect(ownerOf(shop, 'web')?.name).toBe('Name of ada');
    expect(teamOf(shop, 'web')?.id).toBe('core');
    expect(unowned(shop).map(({ id }) => id)).toEqual(['db']);
    expect(shop.processes.get('pay')).toHaveLength(1);
  });

  it('answers the same object for the same rows, and indexes anew only what has changed', () => {
    expect(modelOf(shop.rows, catalogue, shop.customTypes)).toBe(shop);
    const moved = modelOf(withRow(shop.rows, 'component', { ...component('web'), x: 7 }), catalogue);
    expect(moved.outgoing).toBe(shop.outgoing);
    expect(moved.stakeholders).toBe(shop.stakeholders);
  });

  it('shows a stakeholder once while the server has told of it and not answered yet', () => {
    const link = shop.stakeholders.get('web')?.[0];
    if (!link) throw new Error('no link');
    const waiting = { ...link, id: 'new-1' as unknown as number, revision: 0 };
    const model = modelOf(withRow(shop.rows, 'stakeholder', waiting), catalogue);
    expect(model.stakeholders.get('web')).toHaveLength(2);
  });

  it('comes to an end where things contain each other, however they do', () => {
    for (let round = 0; round < 200; round++) {
      const size = 2 + (round % 7);
      const ids = Array.from({ length: size }, (_, at) => `c${at}`);
      const pick = random(round);
      const relationships = Array.from(
        { length: size * 2 },
        () => [pick(ids), 'contains', pick(ids)] as const,
      );
      const model = modelOf(sample({ components: ids.map((id) => ({ id })), relationships }), catalogue);
      for (const id of ids) {
        expect(partsOf(model, id).has(id)).toBe(false);
        const wholes = wholesOf(model, id);
        expect(new Set(wholes).size).toBe(wholes.length);
        // What contains a component is what has it among its parts.
        for (const whole of wholes) expect(partsOf(model, whole).has(id)).toBe(true);
      }
    }
  });
});

describe('lenses', () => {
  it('count every component once, whatever the lens', () => {
    for (const lens of ['type', 'lifecycle', 'owner', 'team', 'nobody'] as const) {
      const legend = legendOf(lens, shop);
      expect(legend.reduce((sum, { count }) => sum + count, 0)).toBe(3);
      expect(new Set(legend.map(({ key }) => key)).size).toBe(legend.length);
      for (const one of shop.rows.component.values()) {
        expect(legend.some(({ key }) => key === lensOf(lens, shop)(one).key)).toBe(true);
      }
    }
  });

  it('name what they show, and put those without any last', () => {
    expect(legendOf('owner', shop).at(-1)).toMatchObject({ key: '', label: 'No owner', count: 1 });
    expect(lensOf('lifecycle', shop)(component('web')).label).toBe('Live');
    expect(initials('Ada Lovelace')).toBe('AL');
    expect(initials('<script>')).toBe('SC');
    expect(initials('…')).toBe('?');
  });

  it('give holders colours that stay, and differ as long as there are enough', () => {
    const people = (count: number) =>
      modelOf(
        sample({
          components: [{ id: 'web' }],
          stakeholders: Array.from({ length: count }, (_, at) => ({
            componentId: 'web',
            personId: `p${at}`,
            linkType: 'owner',
          })),
        }),
        catalogue,
      );
    expect(new Set(holderColours(people(COLOURS.length)).values()).size).toBe(COLOURS.length);
    expect(holderColours(people(40)).size).toBe(40);
    expect(holderColours(people(5))).toEqual(holderColours(people(5)));
  });

  it('use colours that are 3:1 on both grounds', () => {
    for (const colour of COLOURS) {
      expect(contrast(colour, '#fffdf8')).toBeGreaterThanOrEqual(3);
      expect(contrast(colour, '#142d49')).toBeGreaterThanOrEqual(3);
    }
  });

  it('show a custom type in the place of the catalogue’s, where its name is the kind', () => {
    const worker = { name: 'Worker', typeId: 'service', color: '#112233', icon: 'cpu' };
    const rows = sample({
      components: [
        { id: 'a', properties: { kind: 'Worker' } },
        { id: 'b', typeId: 'database', properties: { kind: 'Worker' } },
      ],
    });
    const legend = legendOf('type', modelOf(rows, catalogue, [worker]));
    expect(legend.map(({ label }) => label).sort()).toEqual(['Database', 'Worker']);
    expect(parseCustomTypes(JSON.stringify([worker]))).toEqual([worker]);
    expect(joined([worker], [{ ...worker, color: '#445566' }])).toHaveLength(1);
    expect(() => parseCustomTypes('{}')).toThrow(/array/);
    expect(() => parseCustomTypes('[{"name":"x","typeId":"service","color":"red"}]')).toThrow(/Entry 1/);
  });
});

describe('filters', () => {
  const shown = (filters: Partial<typeof NO_FILTERS>) =>
    [...shop.rows.component.values()]
      .filter(matches({ ...NO_FILTERS, ...filters }, shop))
      .map(({ id }) => id);

  it('let all through that fit every kind of choice', () => {
    expect(shown({})).toEqual(['web', 'pay', 'db']);
    expect(shown({ typeIds: new Set(['database']) })).toEqual(['db']);
    expect(shown({ lifecycles: new Set(['']) })).toEqual(['pay', 'db']);
    expect(shown({ holders: new Set(['core']) })).toEqual(['web', 'pay']);
    expect(shown({ holders: new Set(['']) })).toEqual(['db']);
    expect(shown({ holders: new Set(['core']), lifecycles: new Set(['live']) })).toEqual(['web']);
    expect(shown({ text: 'money' })).toEqual(['pay']);
  });

  it('come and go with the same press', () => {
    const once = toggled(NO_FILTERS, 'typeIds', 'service');
    expect(once.typeIds.has('service')).toBe(true);
    expect(toggled(once, 'typeIds', 'service').typeIds.size).toBe(0);
    expect(facetsOf(shop).relationTypeIds.map(({ key, count }) => [key, count])).toEqual([
      ['calls', 2],
      ['contains', 1],
    ]);
  });
});

describe('finding', () => {
  const found = (query: string) => find(shop, query).map(({ id }) => id);

  it('looks at name, id, type, description and people, without regard to accents', () => {
    expect(found('cafe')).toEqual(['db']);
    expect(found('database')).toEqual(['db']);
    expect(found('money')).toEqual(['pay']);
    expect(found('name of core')).toEqual(['web', 'pay']);
    expect(found('pmt')).toEqual(['pay']);
    expect(found('zzz')).toEqual([]);
    expect(found('   ')).toEqual([]);
  });

  it('puts what is typed in full first, and takes any text', () => {
    const titles = ['pay later', 'pay', 'prepay', 'repay'];
    expect(
      ranked(
        titles.map((title) => [title, { title }] as const),
        'pay',
        9,
      ).slice(0, 2),
    ).toEqual(['pay', 'pay later']);
    for (const odd of ['(', '[a-', '\\', '.*', '漢字', '<script>', 'a-b', 'x'.repeat(10_000)])
      expect(found(odd)).toEqual([]);
  });
});

describe('what can be related', () => {
  it('does not let parts and wholes go in circles', () => {
    const contains = (sourceId: string, targetId: string) =>
      whyNotRelated(shop, { sourceId, typeId: 'contains', targetId });
    expect(contains('web', 'pay')).toBeUndefined();
    expect(contains('web', 'web')).toMatch(/itself/);
    expect(contains('web', 'db')).toMatch(/already part of “Payments”/);
    expect(contains('db', 'pay')).toMatch(/can’t contain/);
    expect(relationshipId(shop, 'a', 'calls', 'b')).toBe('a--calls--b');
  });
});

describe('what is typed', () => {
  it('is judged as the server would', () => {
    expect(problemOfName('Web')).toBeUndefined();
    expect(problemOfName('漢'.repeat(200))).toBeUndefined();
    expect(problemOfName('   ')).toMatch(/Enter a name/);
    expect(problemOfName('x'.repeat(10_000))).toMatch(/at most 200 characters, has 10,000/);
    expect(problemOfName('a\tb')).toMatch(/single line/);
    expect(problemOfText('x'.repeat(10_001))).toMatch(/Remove 1/);
    expect(problemOfProperties({ a: 'x'.repeat(70_000) })).toMatch(/64 KiB/);
    expect(problemOfProperties(JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`))).toMatch(/levels/);
    expect(problemOfAddress('https://example.org/a')).toBeUndefined();
    for (const bad of ['', 'example.org', 'javascript:alert(1)', 'https://a b', 'https://u:p@example.org']) {
      expect(problemOfAddress(bad)).toBeTruthy();
    }
  });
});

/** Numbers that look random and are the same each time. */
function random(seed: number): <T>(list: readonly T[]) => T {
  let state = seed * 2654435761 + 1;
  return (list) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return list[state % list.length] as (typeof list)[number];
  };
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
