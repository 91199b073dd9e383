import { describe, expect, it } from 'vitest';
import type { DriftFinding } from '@/api/generated';
import { driftIndex, NO_DRIFT } from '../model/drift';
import { legendEntries } from '../model/lens';
import { shop } from '../model/testing';
import { NO_FILTERS } from '../model/viewOptions';
import { componentFilter } from './filter';

const finding = (some: Partial<DriftFinding>): DriftFinding => ({
  finding: 'onlyOnMap',
  kind: 'component',
  id: 'web',
  name: 'Web',
  ...some,
});

describe('drift', () => {
  it('marks rows that were in a source as gone, and others as only on the map', () => {
    const index = driftIndex([finding({ missingSince: 5 }), finding({ id: 'db' })], true);
    expect([...index.components]).toEqual([
      ['web', 'gone'],
      ['db', 'onlyOnMap'],
    ]);
  });
  it('shows the most urgent state of a row, and nothing for rows that are not on the map', () => {
    const differs = finding({ finding: 'differs' });
    const index = driftIndex(
      [differs, finding({ missingSince: 5 }), differs, finding({ finding: 'onlyInCode', id: null })],
      true,
    );
    expect([...index.components]).toEqual([['web', 'gone']]);
  });
  it('keeps components and relationships apart', () => {
    const index = driftIndex([finding({ kind: 'relationship', id: 'web>db' })], true);
    expect(index.components.size).toBe(0);
    expect(index.relationships.get('web>db')).toBe('onlyOnMap');
  });
  it('colors and filters components', () => {
    const drift = driftIndex([finding({ missingSince: 5 })], true);
    const model = { ...shop, drift };
    const [first] = legendEntries('drift', model);
    expect(first?.label).toBe('In step with code');
    expect(legendEntries('drift', model).find(({ key }) => key === 'gone')?.count).toBe(1);
    const filters = { ...NO_FILTERS, drift: new Set(['gone']) };
    const passes = componentFilter(filters, model);
    expect([...shop.rows.component.values()].filter(passes).map(({ id }) => id)).toEqual(['web']);
  });
  it('is the same for all components without sources', () => {
    expect(legendEntries('drift', { ...shop, drift: NO_DRIFT }).map(({ label }) => label)).toEqual([
      'No sources',
    ]);
  });
});
