import { expect, it } from 'vitest';
import { highlightAll, highlightSteps, messageLocator } from './highlight';

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
const message = (source: string, target: string, number = 1) => ({
  source,
  target,
  text: `${source} to ${target}`,
  number,
  isReply: false,
});

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

it('shows the message of a step on the line of its relationship, or on its own line', () => {
  expect(highlightSteps(locate, [message('W', 'D')], message('P', 'W', 2)).messages).toEqual([
    {
      from: 'pay',
      to: 'web',
      relationship: 'calls',
      steps: '2',
      text: 'P to W',
      isReply: false,
      tone: 'current',
    },
  ]);
  expect(highlightSteps(locate, [], message('W', 'D')).messages[0]?.relationship).toBeUndefined();
  expect(highlightSteps(locate, [], message('W', 'X')).messages).toEqual([]);
});

it('shows all steps, with one mark for the steps on the same line', () => {
  const pairs = ['WP', 'PD', 'DP', 'PW', 'WP', 'DD', 'PW'];
  const { messages, lines, relationships } = highlightAll(
    locate,
    pairs.map(([source = '', target = ''], at) => message(source, target, at + 1)),
  );
  expect(messages.map(({ steps, text, tone }) => [steps, text, tone])).toEqual([
    ['1, 4, …, 7', 'P to W', 'current'],
    ['2, 3', '', 'visited'],
    ['6', '', 'visited'],
  ]);
  expect(lines.map(({ from, to, tone }) => [from, to, tone])).toEqual([
    ['db', 'pay', 'visited'],
    ['db', 'db', 'visited'],
  ]);
  expect([...relationships]).toEqual([['calls', 'current']]);
});
