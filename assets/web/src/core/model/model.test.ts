import { describe, expect, it } from 'vitest';
import { initials } from '@/core/text';
import { ancestorsOf, descendantsOf } from '../containment/containment';
import { withRow } from '../sync/rows';
import { mergeCustomTypes, parseCustomTypes } from './customTypes';
import { COLORS, holderColors } from './holderColors';
import { legendEntries, lensAppearance } from './lens';
import { buildModel, neighborsOf, ownerOf, teamOf, unowned } from './model';
import { relationshipProblem } from './relationships';
import { catalogue, sample, shop } from './testing';
import { nameProblem, propertiesProblem, textProblem, urlProblem } from './validation';

const component = (id: string) => {
  const row = shop.rows.component.get(id);
  if (!row) throw new Error(id);
  return row;
};

describe('the model', () => {
  it('indexes neighbors, containment and stakeholders', () => {
    expect(neighborsOf(shop, 'web')).toEqual(new Set(['pay']));
    expect(neighborsOf(shop, 'pay')).toEqual(new Set(['db', 'web']));
    expect(descendantsOf(shop.containment, 'pay')).toEqual(new Set(['db']));
    expect(ancestorsOf(shop.containment, 'db')).toEqual(['pay']);
    expect(ownerOf(shop, 'web')?.name).toBe('Name of ada');
    expect(teamOf(shop, 'web')?.id).toBe('core');
    expect(unowned(shop).map(({ id }) => id)).toEqual(['db']);
    expect(shop.processes.get('pay')).toHaveLength(1);
  });

  it('is memoized, and rebuilds only indexes of changed rows', () => {
    const model = buildModel(shop.rows, catalogue, shop.customTypes);
    expect(buildModel(shop.rows, catalogue, shop.customTypes)).toBe(model);
    const moved = buildModel(withRow(shop.rows, 'component', { ...component('web'), x: 7 }), catalogue);
    expect(moved.outgoing).toBe(shop.outgoing);
    expect(moved.stakeholders).toBe(shop.stakeholders);
  });

  it('contains a stakeholder once if its event arrives before the response', () => {
    const link = shop.stakeholders.get('web')?.[0];
    if (!link) throw new Error('no link');
    const waiting = { ...link, id: 'new-1' as unknown as number, revision: 0 };
    const model = buildModel(withRow(shop.rows, 'stakeholder', waiting), catalogue);
    expect(model.stakeholders.get('web')).toHaveLength(2);
  });

  it('supports arbitrary containment cycles', () => {
    for (let round = 0; round < 200; round++) {
      const size = 2 + (round % 7);
      const ids = Array.from({ length: size }, (_, at) => `c${at}`);
      const pick = random(round);
      const relationships = Array.from(
        { length: size * 2 },
        () => [pick(ids), 'contains', pick(ids)] as const,
      );
      const model = buildModel(sample({ components: ids.map((id) => ({ id })), relationships }), catalogue);
      for (const id of ids) {
        expect(descendantsOf(model.containment, id).has(id)).toBe(false);
        const containers = ancestorsOf(model.containment, id);
        expect(new Set(containers).size).toBe(containers.length);
        // Containers and descendants are consistent.
        for (const container of containers)
          expect(descendantsOf(model.containment, container).has(id)).toBe(true);
      }
    }
  });
});

describe('lenses', () => {
  it('count each component once', () => {
    for (const lens of ['type', 'lifecycle', 'owner', 'team', 'unowned'] as const) {
      const legend = legendEntries(lens, shop);
      expect(legend.reduce((sum, { count }) => sum + count, 0)).toBe(3);
      expect(new Set(legend.map(({ key }) => key)).size).toBe(legend.length);
      for (const component of shop.rows.component.values()) {
        expect(legend.some(({ key }) => key === lensAppearance(lens, shop)(component).key)).toBe(true);
      }
    }
  });

  it('have labels, and list components without a value last', () => {
    expect(legendEntries('owner', shop).at(-1)).toMatchObject({ key: '', label: 'No owner', count: 1 });
    expect(lensAppearance('lifecycle', shop)(component('web')).label).toBe('Live');
    expect(initials('Ada Lovelace')).toBe('AL');
    expect(initials('<script>')).toBe('SC');
    expect(initials('…')).toBe('?');
  });

  it('give holders stable colors, which are distinct while there are enough', () => {
    const people = (count: number) =>
      buildModel(
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
    expect(new Set(holderColors(people(COLORS.length)).values()).size).toBe(COLORS.length);
    expect(holderColors(people(40)).size).toBe(40);
    expect(holderColors(people(5))).toEqual(holderColors(people(5)));
  });

  it('use colors with a contrast of 3:1 in both themes', () => {
    for (const color of COLORS) {
      expect(contrast(color, '#fffdf8')).toBeGreaterThanOrEqual(3);
      expect(contrast(color, '#142d49')).toBeGreaterThanOrEqual(3);
    }
  });

  it('distinguish types by icon, because their letters may be the same', () => {
    const types = [
      { id: 'desktop-app', name: 'Desktop app', color: '#0891B2', icon: 'monitor', iconName: 'monitor' },
      { id: 'database', name: 'Database', color: '#059669', icon: 'database', iconName: 'database' },
    ];
    const components = types.map(({ id }) => ({ id, typeId: id }));
    const model = buildModel(sample({ components }), { ...catalogue, componentTypes: types });
    const legend = legendEntries('type', model);
    expect(legend.map(({ mark }) => mark)).toEqual(['DA', 'DA']);
    expect(new Set(legend.map(({ icon }) => icon))).toEqual(new Set(['monitor', 'database']));
  });

  it('show a custom type instead of the catalog type', () => {
    const worker = { name: 'Worker', typeId: 'service', color: '#112233', icon: 'cpu' };
    const rows = sample({
      components: [
        { id: 'a', properties: { kind: 'Worker' } },
        { id: 'b', typeId: 'database', properties: { kind: 'Worker' } },
      ],
    });
    const legend = legendEntries('type', buildModel(rows, catalogue, [worker]));
    expect(legend.map(({ label }) => label).sort()).toEqual(['Database', 'Worker']);
    expect(parseCustomTypes(JSON.stringify([worker]))).toEqual([worker]);
    expect(mergeCustomTypes([worker], [{ ...worker, color: '#445566' }])).toHaveLength(1);
    expect(() => parseCustomTypes('{}')).toThrow(/array/);
    expect(() => parseCustomTypes('[{"name":"x","typeId":"service","color":"red"}]')).toThrow(/Entry 1/);
  });
});

describe('validation of relationships', () => {
  it('rejects containment cycles', () => {
    const contains = (sourceId: string, targetId: string) =>
      relationshipProblem(shop, { sourceId, typeId: 'contains', targetId });
    expect(contains('web', 'pay')).toBeUndefined();
    expect(contains('web', 'web')).toMatch(/itself/);
    expect(contains('web', 'db')).toMatch(/already part of “Payments”/);
    expect(contains('db', 'pay')).toMatch(/can’t contain/);
  });
});

describe('validation of text', () => {
  it('matches the rules of the server', () => {
    expect(nameProblem('Web')).toBeUndefined();
    expect(nameProblem('漢'.repeat(200))).toBeUndefined();
    expect(nameProblem('   ')).toMatch(/Enter a name/);
    expect(nameProblem('x'.repeat(10_000))).toMatch(/at most 200 characters, has 10,000/);
    expect(nameProblem('a\tb')).toMatch(/single line/);
    expect(textProblem('x'.repeat(10_001))).toMatch(/Remove 1/);
    expect(propertiesProblem({ a: 'x'.repeat(70_000) })).toMatch(/64 KiB/);
    expect(propertiesProblem(JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`))).toMatch(/levels/);
    expect(urlProblem('https://example.org/a')).toBeUndefined();
    for (const bad of ['', 'example.org', 'javascript:alert(1)', 'https://a b', 'https://u:p@example.org']) {
      expect(urlProblem(bad)).toBeTruthy();
    }
  });
});

/** A seeded pseudorandom number generator. */
function random(seed: number): <T>(list: readonly T[]) => T {
  let state = seed * 2654435761 + 1;
  return (list) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return list[state % list.length] as (typeof list)[number];
  };
}

function contrast(foreground: string, background: string): number {
  const [dark = 0, light = 0] = [luminance(foreground), luminance(background)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
