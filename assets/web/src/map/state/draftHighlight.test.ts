import { describe, expect, it } from 'vitest';
import { change } from '@/core/drafts/testing';
import { sample } from '@/core/model/testing';
import { draftHighlight } from './draftHighlight';

const rows = sample({
  components: [{ id: 'web' }, { id: 'api' }, { id: 'pay' }],
  relationships: [['web', 'calls', 'api']],
});

const highlight = (...changes: ReturnType<typeof change>[]) => draftHighlight({ changes }, rows);

describe('a draft on its map', () => {
  it('highlights what it adds, changes and moves, and its conflicts', () => {
    const { components, relationships } = highlight(
      change({ id: 'web', change: 'moved' }),
      change({ id: 'api', conflict: 'fields' }),
      change({ id: 'pay', change: 'added' }),
      change({ kind: 'relationship', id: 'r0' }),
    );
    expect([...components]).toEqual([
      ['web', 'moved'],
      ['api', 'conflicting'],
      ['pay', 'added'],
    ]);
    expect([...relationships]).toEqual([['r0', 'changed']]);
  });

  it('draws what it removes', () => {
    const { removed, lines } = highlight(
      change({ id: 'old', name: 'Old', change: 'removed', row: { x: 40, y: 20 } }),
      change({
        kind: 'relationship',
        id: 'r9',
        change: 'removed',
        row: { sourceId: 'web', targetId: 'pay', typeId: 'calls', label: '' },
      }),
      change({
        kind: 'relationship',
        id: 'r8',
        change: 'removed',
        row: { sourceId: 'web', targetId: 'old' },
      }),
    );
    expect(removed).toMatchObject([{ kind: 'component', id: 'old', name: 'Old', x: 40, y: 20 }]);
    expect(lines).toEqual([{ from: 'web', to: 'pay', label: 'calls', tone: 'removed' }]);
  });

  it('highlights components whose owners or links change', () => {
    const owner = change({ kind: 'stakeholder', id: '3', draftRowId: '8', row: { componentId: 'web' } });
    expect(highlight(owner).components.get('web')).toBe('changed');
    expect(highlight(change({ change: 'added' }), owner).components.get('web')).toBe('added');
    expect(highlight({ ...owner, conflict: 'fields' }).components.get('web')).toBe('conflicting');
  });
});
