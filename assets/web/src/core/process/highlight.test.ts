/** A step lights who speaks, who hears, and what joins them. */
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
    ].map((one) => [one.id, one]),
  ),
});
const message = (source: string, target: string) => ({ source, target, text: `${source} to ${target}` });

it('finds the relationship in either direction, and rather one that is no containment', () => {
  expect(locate(message('W', 'P')).relationship).toBe('calls');
  expect(locate(message('P', 'W')).relationship).toBe('calls');
});

it('lights what is current over what was visited', () => {
  const light = highlightSteps(locate, [message('W', 'P')], message('P', 'D'));
  expect(Object.fromEntries(light.components)).toEqual({ web: 'visited', pay: 'current', db: 'current' });
  expect(Object.fromEntries(light.relationships)).toEqual({ calls: 'visited' });
  expect(light.lines).toEqual([{ from: 'pay', to: 'db', label: 'P to D' }]);
});

it('knows who is no component, or no longer', () => {
  expect(locate(message('W', 'X'))).toEqual({
    source: 'web',
    target: undefined,
    relationship: undefined,
    isPart: false,
  });
  expect(locate(message('G', 'W')).source).toBeUndefined();
  expect(highlightSteps(locate, [], message('G', 'X')).components.size).toBe(0);
});

it('draws a line where nothing but a box joins the two', () => {
  const light = highlightSteps(locate, [], message('W', 'D'));
  expect(Object.fromEntries(light.relationships)).toEqual({ inside: 'current' });
  expect(light.lines).toEqual([{ from: 'web', to: 'db', label: 'W to D' }]);
});

it('joins somebody to themselves', () => {
  expect(highlightSteps(locate, [], message('D', 'D')).lines).toEqual([
    { from: 'db', to: 'db', label: 'D to D' },
  ]);
});
