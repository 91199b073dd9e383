/** Labels of lines that represent several relationships because a collapsed group or the view hides their ends. */
import type { SceneLine, TypeCount } from './scene';

export function isRolledUp({ ids }: Pick<SceneLine, 'ids'>): boolean {
  return ids.length > 1;
}

/** Returns a label such as “3 calls, 2 reads”. */
export function rollUpLabel(types: readonly TypeCount[], nameOf: (typeId: string) => string): string {
  return types.map(({ typeId, count }) => `${count.toLocaleString('en')} ${nameOf(typeId)}`).join(', ');
}
