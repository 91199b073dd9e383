/** The lifecycle states that cards show. */

/** Most components are live, so that a mark for it would hide the marks of the others. */
const UNMARKED_STATE = 'live';

/** Whether cards show a mark for a lifecycle state. */
export function hasLifecycleMark(state: unknown): boolean {
  return typeof state === 'string' && state !== '' && state !== UNMARKED_STATE;
}
