/** The label of a line that stands for several relationships, because a collapsed group hides their ends. */
import type { SceneLine, TypeCount } from './scene';

export function isRolledUp({ ids }: Pick<SceneLine, 'ids'>): boolean {
  return ids.length > 1;
}

/** “3 calls, 2 reads”. */
export function rollUpLabel(types: readonly TypeCount[], nameOf: (typeId: string) => string): string {
  return types.map(({ typeId, count }) => `${count.toLocaleString('en')} ${nameOf(typeId)}`).join(', ');
}
