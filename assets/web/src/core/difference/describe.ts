/** Describes a difference in one line: `2 components added, 1 relationship removed`. */
import { KINDS, type Kind } from '@/core/sync/rows';
import { formatCount } from '@/core/text';
import { type Difference, isMoveOnly } from './difference';

const PLURAL: Readonly<Record<string, string>> = {
  process: 'processes',
  person: 'people',
  'team-member': 'team members',
};

/** `1 component`, `2 processes`. */
export function countOfKind(count: number, kind: string): string {
  return formatCount(count, kind.replace('-', ' '), PLURAL[kind]);
}

/** Counts the difference by kind and change. Empty if there is none. */
export function describeDifference(of: Difference): string {
  const parts: string[] = [];
  const add = (count: number, kind: Kind, verb: string) => {
    if (count > 0) parts.push(`${countOfKind(count, kind)} ${verb}`);
  };
  for (const kind of KINDS) {
    const { added, changed, removed } = of[kind];
    const moved = changed.filter(({ fields }) => isMoveOnly(fields)).length;
    add(added.length, kind, 'added');
    add(changed.length - moved, kind, 'changed');
    add(moved, kind, 'moved');
    add(removed.length, kind, 'removed');
  }
  return parts.join(', ');
}
