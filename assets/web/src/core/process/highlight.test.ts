import { expect, it } from 'vitest';
import { highlightSteps, messageLocator } from './highlight';

const named = (...ids: string[]) => new Map(ids.map((id) => [id, { id, name: id }]));
const locate = messageLocator({
  participants: { W: 'web', P: 'pay', D: 'db', G: 'gone' },
  components: named('web', 'pay', 'db'),
  relationships: new Map(
    [
      { id: 'part', sourceId: 'web', targetId: 'pay', typeId: 'contains' },
      { id: 'calls', sourceId: 'web', targetId: 'pay', typeId: 'depends' },
      { id: 'inside', sourceId: 'db', targetId: 'web', typeId: 'contains' },
    ].map((component) => [component.id, component]),
  ),
});
const message = (source: string, target: string) => ({ source, target, text: `${source} to ${target}` });

it('finds the relationship in either direction, preferring types other than containment', () => {
  expect(locate(message('W', 'P')).relationship).toBe('calls');
  expect(locate(message('P', 'W')).relationship).toBe('calls');
});

it('highlights current over visited components', () => {
  const highlight = highlightSteps(locate, [message('W', 'P')], message('P', 'D'));
  expect(Object.fromEntries(highlight.components)).toEqual({ web: 'visited', pay: 'current', db: 'current' });
  expect(Object.fromEntries(highlight.relationships)).toEqual({ calls: 'visited' });
  expect(highlight.lines).toEqual([{ from: 'pay', to: 'db', label: 'P to D' }]);
});

it('supports unmapped participants and deleted components', () => {
  expect(locate(message('W', 'X'))).toEqual({
    source: 'web',
    target: undefined,
    relationship: undefined,
    isPart: false,
  });
  expect(locate(message('G', 'W')).source).toBeUndefined();
  expect(highlightSteps(locate, [], message('G', 'X')).components.size).toBe(0);
});

it('draws a line if the only relationship is containment', () => {
  const highlight = highlightSteps(locate, [], message('W', 'D'));
  expect(Object.fromEntries(highlight.relationships)).toEqual({ inside: 'current' });
  expect(highlight.lines).toEqual([{ from: 'web', to: 'db', label: 'W to D' }]);
});

it('supports messages to the same participant', () => {
  expect(highlightSteps(locate, [], message('D', 'D')).lines).toEqual([
    { from: 'db', to: 'db', label: 'D to D' },
  ]);
});
