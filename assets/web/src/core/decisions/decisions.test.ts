import { expect, test } from 'vitest';
import type { DecisionRow } from '../sync/rows';
import { decisionsOf, filterDecisions, isDecisionFile, parseNames, supersededBy, today } from './decisions';

function decision(number: number, fields: Partial<DecisionRow> = {}): DecisionRow {
  return {
    id: `d${number}`,
    workspaceId: 'w',
    number,
    title: `Title ${number}`,
    status: 'accepted',
    date: '2026-11-25',
    authors: [],
    componentIds: [],
    supersedes: [],
    revision: 1,
    createdAt: 1,
    updatedAt: 1,
    ...fields,
  };
}

const ROWS = [
  decision(1, { title: 'Use polling', status: 'superseded' }),
  decision(2, { title: 'Use events', authors: ['Ada'], componentIds: ['web'], supersedes: ['d1'] }),
  decision(10, { title: 'Use queues', status: 'proposed', body: 'RabbitMQ' }),
];

test('decisions are listed newest number first', () => {
  const numbers = filterDecisions(ROWS, { query: '', status: '' }).map(({ number }) => number);
  expect(numbers).toEqual([10, 2, 1]);
});

test('the list is filtered by status and by all words', () => {
  const shown = (query: string, status: DecisionRow['status'] | '' = '') =>
    filterDecisions(ROWS, { query, status }).map(({ id }) => id);
  expect(shown('', 'accepted')).toEqual(['d2']);
  expect(shown('USE ada')).toEqual(['d2']);
  expect(shown('adr 10')).toEqual(['d10']);
  expect(shown('rabbitmq')).toEqual(['d10']);
  expect(shown('use nothing')).toEqual([]);
});

test('decisions refer to components and to each other', () => {
  expect(decisionsOf(ROWS, 'web').map(({ id }) => id)).toEqual(['d2']);
  expect(decisionsOf(ROWS, 'other')).toEqual([]);
  expect(supersededBy(ROWS, 'd1').map(({ id }) => id)).toEqual(['d2']);
});

test('names are separated by commas', () => {
  expect(parseNames(' Ada,  Grace Hopper ,,')).toEqual(['Ada', 'Grace Hopper']);
  expect(parseNames('')).toEqual([]);
});

test('today is the day of the user', () => {
  expect(today(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});

test('files of decisions are Markdown whose name begins with a number', () => {
  for (const name of ['0005-use-events.md', 'ADR-007.md', 'adr_12 title.markdown', '1.md'])
    expect(isDecisionFile(name), name).toBe(true);
  for (const name of ['README.md', '0005-use-events.txt', '5th.md', 'compose.yaml'])
    expect(isDecisionFile(name), name).toBe(false);
});
