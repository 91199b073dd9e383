import { describe, expect, it } from 'vitest';
import { buildModel } from '../model/model';
import { catalogue, sample } from '../model/testing';
import { type Filters, NO_FILTERS } from '../model/viewOptions';
import { selectorsOf } from './selectorsOf';

const model = buildModel(
  sample({
    components: [
      { id: 'web', properties: { lifecycle: 'live' } },
      { id: 'db', typeId: 'database' },
      { id: 'api' },
    ],
    stakeholders: [
      { componentId: 'web', teamId: 'red', linkType: 'owner' },
      { componentId: 'api', teamId: 'red', linkType: 'expert' },
    ],
  }),
  catalogue,
);
const filters = (some: Partial<Filters>) => selectorsOf({ ...NO_FILTERS, ...some }, model);

describe('the rules for filters', () => {
  it('name types, lifecycles and texts', () => {
    expect(filters({ typeIds: new Set(['database']) })).toEqual([{ types: ['database'] }]);
    expect(filters({ typeIds: new Set(['service']), lifecycles: new Set(['live']) })).toEqual([
      { types: ['service'], lifecycle: ['live'] },
    ]);
    expect(filters({ lifecycles: new Set(['']) })).toEqual([{ lifecycle: [''] }]);
    expect(filters({ text: ' web ' })).toEqual([{ text: 'web' }]);
    expect(filters({})).toEqual([]);
  });

  it('list the components if they would select others', () => {
    // The filter matches people and teams with any role.
    expect(filters({ holders: new Set(['red']) })).toEqual([{ ids: ['web', 'api'] }]);
  });
});
