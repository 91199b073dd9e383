import { expect, it } from 'vitest';
import { guessType } from './guessType';

const TYPES = [
  { id: 'person', name: 'Person' },
  { id: 'service', name: 'Service' },
  { id: 'web-app', name: 'Web app' },
  { id: 'database', name: 'Database' },
  { id: 'cache', name: 'Cache' },
  { id: 'queue', name: 'Queue' },
  { id: 'search-index', name: 'Search index' },
];

it.each([
  ['orders db', 'database'],
  ['Orders DB (primary)', 'database'],
  ['Email queue', 'queue'],
  ['Job queues', 'queue'],
  ['Cache service', 'service'],
  ['Shop web app', 'web-app'],
  ['Product search index', 'search-index'],
  ['Customer', 'person'],
  ['Customers', 'person'],
  ['redis', 'cache'],
])('guesses that “%s” is a %s', (name, type) => {
  expect(guessType(name, TYPES)).toBe(type);
});

it.each(['', '   ', 'Billing', 'Dbase', 'constructor'])('has no guess for “%s”', (name) => {
  expect(guessType(name, TYPES)).toBeUndefined();
});

it('guesses only types that exist', () => {
  expect(guessType('orders db', [{ id: 'service', name: 'Service' }])).toBeUndefined();
});
