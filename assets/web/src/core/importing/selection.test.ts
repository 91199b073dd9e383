import { describe, expect, it } from 'vitest';
import type { HolderRef, Reading, SyncReport, SyncRow } from '@/api/generated';
import {
  type Choices,
  changesAnything,
  chosenParts,
  leftOut,
  NO_CHOICES,
  reportOfNew,
  unownedAdditions,
} from './selection';

const origin = (key: string) => ({ key, file: 'compose.yaml', line: 1 });
const component = (id: string) => ({
  origin: origin(`services.${id}`),
  id,
  typeId: 'service' as const,
  name: id,
});

const READING: Reading = {
  components: [component('web'), component('pay'), component('db')],
  relationships: [
    { origin: origin('web>pay'), id: 'r1', sourceId: 'web', targetId: 'pay', typeId: 'calls' },
    { origin: origin('pay>db'), id: 'r2', sourceId: 'pay', targetId: 'db', typeId: 'reads' },
  ],
  stakeholders: [{ origin: origin('s'), componentId: 'db', teamId: 'data', linkType: 'owner' }],
};
const NEW = reportOfNew(READING, { id: 'compose.yaml', kind: 'compose' });
const TEAM: HolderRef = { kind: 'team', id: 'shop' };
const ADA: HolderRef = { kind: 'person', id: 'ada' };

const choices = (some: Partial<Choices>): Choices => ({ ...NO_CHOICES, ...some });
const row = (kind: SyncRow['kind'], key: string): SyncRow => ({
  kind,
  key,
  id: key,
  name: key,
  file: 'compose.yaml',
  line: 1,
});

describe('a preview of a new workspace', () => {
  it('lists everything as added, with the names of ends', () => {
    expect(NEW.added.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'component web',
      'component pay',
      'component db',
      'relationship web → pay',
      'relationship pay → db',
    ]);
  });
});

describe('the chosen rows', () => {
  it('are all rows by default', () => {
    expect(chosenParts(READING, NEW, NO_CHOICES)).toEqual({});
  });
  it('are all but the excluded ones and new relationships without their ends', () => {
    const some = choices({ excluded: new Set(['component services.pay']) });
    expect(chosenParts(READING, NEW, some).only).toEqual([
      { kind: 'component', key: 'services.web' },
      { kind: 'component', key: 'services.db' },
    ]);
  });
  it('keep relationships of components that are on the map already', () => {
    const report: SyncReport = {
      ...NEW,
      added: [],
      changed: [{ ...row('component', 'services.pay'), fields: [] }],
    };
    const some = choices({ excluded: new Set(['component services.pay']) });
    expect(leftOut(READING, report, some)).toEqual(new Set(['component services.pay']));
    expect(chosenParts(READING, report, some).only).toHaveLength(4);
  });
  it('contain those that are gone, unless they are excluded', () => {
    const report = { ...NEW, vanished: [row('component', 'services.old'), row('link', 'a link')] };
    const some = choices({ excluded: new Set(['component services.web']) });
    expect(chosenParts(READING, report, some).only).toContainEqual({
      kind: 'component',
      key: 'services.old',
    });
    const without = choices({ excluded: new Set(['component services.old']) });
    expect(chosenParts(READING, report, without).only).toHaveLength(5);
  });
  it('contain rows that were deleted on the map only if they are restored', () => {
    const report = { ...NEW, added: [], deletedOnMap: [row('component', 'services.web')] };
    expect(chosenParts(READING, report, NO_CHOICES).restore).toBeUndefined();
    expect(changesAnything(READING, report, NO_CHOICES)).toBe(false);
    const some = choices({ restored: new Set(['component services.web']) });
    expect(chosenParts(READING, report, some).restore).toEqual(['services.web']);
    expect(changesAnything(READING, report, some)).toBe(true);
  });
});

describe('the owners', () => {
  it('are one for all new components', () => {
    expect(chosenParts(READING, NEW, choices({ owner: TEAM })).owners).toEqual({ '*': TEAM });
  });
  it('can be chosen only for components without an owner in the files', () => {
    expect(unownedAdditions(READING, NEW).map(({ name }) => name)).toEqual(['web', 'pay']);
  });
  it('are listed by component if some differ', () => {
    const some = choices({ owner: TEAM, owners: new Map([['services.pay', ADA]]) });
    expect(chosenParts(READING, NEW, some).owners).toEqual({ '*': TEAM, 'services.pay': ADA });
  });
  it('can be none for single components', () => {
    const some = choices({ owner: TEAM, owners: new Map([['services.pay', null]]) });
    expect(chosenParts(READING, NEW, some).owners).toEqual({ 'services.web': TEAM });
  });
});
