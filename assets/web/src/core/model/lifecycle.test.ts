/** The lifecycle states that cards show. */
import { expect, it } from 'vitest';
import { hasLifecycleMark } from './lifecycle';

it.each(['idea', 'building', 'deprecated', 'retired', 'own'])('marks the state %s', (state) => {
  expect(hasLifecycleMark(state)).toBe(true);
});

it.each(['live', '', undefined, 3])('does not mark %s', (state) => {
  expect(hasLifecycleMark(state)).toBe(false);
});
