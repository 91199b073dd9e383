import { describe, expect, it } from 'vitest';
import type { SyncField, SyncReport, SyncRow } from '@/api/generated';
import {
  type ConflictChoices,
  chosenSide,
  commonSide,
  decide,
  decideAll,
  NO_DECISIONS,
  resolutionsOf,
  withoutConflicts,
} from './conflicts';
import { changesAnything, chosenParts, NO_CHOICES, reportOfNew } from './selection';

const field = (name: string, taken: SyncField['taken']): SyncField => ({
  field: name,
  base: 'a',
  source: 'b',
  map: 'c',
  taken,
});
const [NAME, TEXT] = [field('name', 'source'), field('description', 'map')];
const PAY: SyncRow = {
  kind: 'component',
  key: 'pay',
  id: 'pay',
  name: 'Pay',
  file: 'compose.yaml',
  line: 1,
  fields: [NAME, TEXT],
};
const READING = { components: [] };
const report = (some: Partial<SyncReport>): SyncReport => ({
  ...reportOfNew(READING, { id: 'compose.yaml', kind: 'compose' }),
  conflicts: [PAY],
  ...some,
});
const sides = (choices: ConflictChoices) => [NAME, TEXT].map((one) => chosenSide(PAY, one, choices));

describe('what counts', () => {
  it('depends on the field by default', () => {
    expect(sides(NO_DECISIONS)).toEqual(['source', 'map']);
    expect(commonSide([PAY], NO_DECISIONS)).toBeNull();
  });
  it('is chosen for a field, for all, and then for a field again', () => {
    expect(sides(decide(NO_DECISIONS, PAY, NAME, 'map'))).toEqual(['map', 'map']);
    const all = decideAll('source');
    expect(sides(all)).toEqual(['source', 'source']);
    expect(commonSide([PAY], all)).toBe('source');
    expect(sides(decide(all, PAY, TEXT, 'ask'))).toEqual(['source', 'ask']);
  });
});

describe('the request', () => {
  it('contains nothing without a choice', () => {
    expect(chosenParts(READING, report({}), NO_CHOICES)).toEqual({});
  });
  it('contains the choices for single fields, and what counts otherwise', () => {
    const conflicts = decide(decideAll('map'), PAY, NAME, 'source');
    expect(chosenParts(READING, report({}), { ...NO_CHOICES, conflicts })).toEqual({
      otherwise: 'map',
      resolutions: [{ kind: 'component', key: 'pay', field: 'name', take: 'source' }],
    });
  });
  it('contains no choices for conflicts of an earlier preview', () => {
    const conflicts = decide(NO_DECISIONS, PAY, NAME, 'source');
    expect(resolutionsOf(report({ conflicts: [{ ...PAY, fields: [TEXT] }] }), conflicts)).toEqual([]);
  });
});

describe('a preview with conflicts', () => {
  it('can be imported unless all of them are left open', () => {
    expect(changesAnything(READING, report({}), NO_CHOICES)).toBe(true);
    const open = { ...NO_CHOICES, conflicts: decideAll('ask') };
    expect(changesAnything(READING, report({}), open)).toBe(false);
    const excluded = { ...NO_CHOICES, excluded: new Set(['component pay']) };
    expect(changesAnything(READING, report({}), excluded)).toBe(false);
  });
  it('lists a field once: as a conflict, not as a change', () => {
    const tags = field('tags', 'source');
    expect(withoutConflicts(report({ changed: [{ ...PAY, fields: [NAME] }] }))).toEqual([]);
    const both = report({ changed: [{ ...PAY, fields: [tags, NAME] }] });
    expect(withoutConflicts(both).map(({ fields }) => fields)).toEqual([[tags]]);
  });
});
