import { describe, expect, it } from 'vitest';
import type { ComponentKind } from '@/api/generated';
import { draftOfKind, draftProblems, fieldKey, newFieldDraft, requestOfDraft } from './kindDraft';

const kind = {
  id: 'worker',
  orgId: 'org',
  name: 'Worker',
  baseType: 'job',
  color: '#112233',
  icon: 'clock',
  fields: [
    { key: 'tier', name: 'Tier', type: 'choice', choices: ['gold', 'silver'] },
    { key: 'since', name: 'Since', type: 'date' },
  ],
  revision: 1,
  createdAt: 1,
  updatedAt: 1,
} as ComponentKind;

describe('the form of a kind', () => {
  it('sends what it was opened with', () => {
    expect(requestOfDraft(draftOfKind(kind))).toEqual({
      name: 'Worker',
      baseType: 'job',
      color: '#112233',
      icon: 'clock',
      logo: '',
      description: '',
      fields: kind.fields,
    });
  });

  it('derives properties of new fields that no other field has', () => {
    const none = new Set<string>();
    expect(fieldKey('Cost center (€)', none)).toBe('cost-center');
    expect(fieldKey('Größe', none)).toBe('gro-e');
    expect(fieldKey('Kind', none)).toBe('kind-2');
    expect(fieldKey('2nd owner', none)).toBe('field-2nd-owner');
    expect(fieldKey('漢字', none)).toBe('field');
    const draft = draftOfKind(kind);
    const fields = [
      { ...newFieldDraft(7), name: 'Tier' },
      ...draft.fields,
      { ...newFieldDraft(8), name: 'TIER' },
    ];
    const keys = requestOfDraft({ ...draft, fields }).fields?.map(({ key }) => key);
    expect(keys).toEqual(['tier-2', 'tier', 'since', 'tier-3']);
  });

  it('names each problem', () => {
    const draft = draftOfKind(kind);
    expect(draftProblems(draft).size).toBe(0);
    const fields = [
      newFieldDraft(0),
      { ...newFieldDraft(1), name: 'A', type: 'choice' as const, choices: ' \n' },
      { ...newFieldDraft(2), name: 'B', type: 'choice' as const, choices: 'x\n x \n' },
      { ...newFieldDraft(3), name: 'x'.repeat(81) },
    ];
    const problems = draftProblems({ ...draft, name: ' ', fields });
    expect([...problems.keys()]).toEqual(['name', '0.name', '1.choices', '2.choices', '3.name']);
    const many = Array.from({ length: 21 }, (_, row) => ({ ...newFieldDraft(row), name: 'F' }));
    expect(draftProblems({ ...draft, fields: many }).get('fields')).toBe('A kind can have 20 fields.');
  });
});
