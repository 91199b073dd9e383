import { describe, expect, it } from 'vitest';
import catalog from './cases/catalog.json';
import shop from './cases/shop.json';
import { missingIds } from './missing';
import { modelOf } from './testing';

const { model } = modelOf(shop.model, catalog);
const known = { people: new Set(['ada']), teams: new Set(['core']), roles: new Set(['owner']) };

describe('missing IDs', () => {
  it('are listed by key', () => {
    const selector = {
      ids: ['web', 'gone'],
      within: ['shop'],
      around: { of: ['gone', 'lost', 'orders'] },
      kinds: ['payment-service', 'old-kind'],
      owners: ['', 'ada', 'core', 'eve'],
      teams: ['core', 'ada'],
      roles: ['owner', 'auditor'],
      types: ['service'],
    };
    expect([...missingIds(selector, model, known)]).toEqual([
      ['ids', ['gone']],
      ['around', ['gone', 'lost']],
      ['kinds', ['old-kind']],
      ['owners', ['eve']],
      ['teams', ['ada']],
      ['roles', ['auditor']],
    ]);
    expect(missingIds({ text: 'x' }, model, known).size).toBe(0);
  });

  it('are not reported while the people and teams are loading', () => {
    const loading = { people: null, teams: null, roles: null };
    const selector = { owners: ['eve'], teams: ['red'], roles: ['auditor'], ids: ['gone'] };
    expect([...missingIds(selector, model, loading)]).toEqual([['ids', ['gone']]]);
  });
});
