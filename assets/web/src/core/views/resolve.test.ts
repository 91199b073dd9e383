import { describe, expect, it } from 'vitest';
import { resolveNaively } from '../../../build/viewResolver.ts';
import { allTypes } from '../model/customTypes';
import { buildModel } from '../model/model';
import { sample } from '../model/testing';
import catalog from './cases/catalog.json';
import generated from './cases/generated.json';
import shop from './cases/shop.json';
import { memberContainment, resolveView } from './resolve';
import { type Case, type CaseModel, modelOf, rules, select } from './testing';

/** The contents in the form of the cases. */
function resolved(
  model: CaseModel,
  { definition }: Case,
): Required<Pick<Case, 'components' | 'relationships' | 'stubs' | 'implied'>> {
  const made = modelOf(model, catalog);
  const found = resolveView(rules(definition), made.model, made.memberships);
  return {
    components: found.componentIds,
    relationships: found.relationshipIds,
    stubs: Object.fromEntries(found.stubs.map((stub) => [stub.componentId, stub.relationshipIds])),
    implied: Object.fromEntries(
      found.implied.map((one) => [one.relationshipId, [one.sourceId, one.targetId]]),
    ),
  };
}

const expected = ({ components, relationships, stubs, implied = {} }: Case) => ({
  components,
  relationships,
  stubs,
  implied,
});

describe('a view', () => {
  const cases = shop.cases as unknown as Case[];

  it('has more than 80 cases with different titles', () => {
    expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
    expect(cases.length).toBeGreaterThan(80);
  });

  it.each(cases.map((one) => [one.title, one] as const))('%s', (_, one) => {
    expect(resolved(shop.model, one)).toEqual(expected(one));
    // The cases are written by hand; the implementation that computes the generated ones has the same rules.
    const naive = resolveNaively(one.definition as never, shop.model as never, catalog as never);
    expect({ implied: {}, ...naive }).toEqual(expected(one));
  });

  it('agrees with the generated cases', () => {
    const groups = generated as unknown as { model: CaseModel; cases: Case[] }[];
    expect(groups.reduce((sum, group) => sum + group.cases.length, 0)).toBeGreaterThan(400);
    for (const { model, cases } of groups)
      for (const one of cases)
        expect(resolved(model, one), JSON.stringify(one.definition)).toEqual(expected(one));
  });

  it('ignores types of components that only this browser has', () => {
    const rows = sample({
      components: [{ id: 'one', properties: { kind: 'Own type' } }, { id: 'two' }],
    });
    const own = { name: 'Own type', typeId: 'service', color: '#000000', icon: 'server' };
    const model = buildModel(rows, catalog as never, allTypes([], [own]));
    expect(resolveView(select({ text: 'own' }), model).componentIds).toEqual([]);
    expect(resolveView(select({ text: 'service' }), model).componentIds).toEqual(['one', 'two']);
    expect(resolveView(select({ kinds: ['Own type'] }), model).componentIds).toEqual([]);
  });

  it('accepts relationships to components that are gone, as in unsaved edits', () => {
    const rows = sample({ components: [{ id: 'one' }], relationships: [['one', 'calls', 'gone']] });
    const model = buildModel(rows, catalog as never);
    const around = { of: ['one'], depth: 2 };
    expect(resolveView({ ...select({ around }), outside: 'stubs' }, model)).toEqual({
      componentIds: ['one'],
      relationshipIds: [],
      stubs: [],
      implied: [],
    });
  });
});

describe('the containment of members', () => {
  it('skips groups outside of the view', () => {
    const { model } = modelOf(shop.model, catalog);
    const members = new Set(['shop', 'worker', 'orders', 'cache']);
    const { parent, children } = memberContainment(model.containment, members);
    expect([...parent]).toEqual([
      ['worker', 'shop'],
      ['orders', 'shop'],
    ]);
    expect([...children]).toEqual([['shop', ['worker', 'orders']]]);
  });
});

describe('a large map', () => {
  it('is resolved with all kinds of selectors', () => {
    const count = 3_000;
    const id = (at: number) => `c${at % count}`;
    const rows = sample({
      components: Array.from({ length: count }, (_, at) => ({
        id: id(at),
        name: `Größe ${at}`,
        description: 'Takes orders and returns of all shops',
        tags: [`tag-${at % 10}`],
      })),
      relationships: Array.from(
        { length: 17_000 },
        (_, at) => [id(at * 7), 'calls', id(at * 13 + 1)] as const,
      ),
    });
    const model = buildModel(rows, catalog as never);
    const definition = rules({
      include: [
        { tags: ['TAG-1', 'tag-2'] },
        { text: 'grosse orders 7' },
        { text: 'groesse' },
        { text: 'gro returns 3' },
        { around: { of: ['c1', 'c2'], direction: 'both', depth: 10 } },
        { owners: [''], types: ['service'] },
      ],
      exclude: [{ tags: ['tag-9'] }],
      outside: 'stubs',
    });
    expect(resolveView(definition, model).componentIds).toHaveLength(2_700);
  });
});
