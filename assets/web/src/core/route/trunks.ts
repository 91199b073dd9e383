/** Bundles fan-ins and fan-outs into trunks. */
import rules from './rules.json';
import type { RouteLine } from './types';

/**
 * Returns the trunk of each line, or -1. A trunk consists of enough lines of the same type, without labels, that share
 * an end.
 */
export function assignTrunks(lines: readonly RouteLine[]): Int32Array {
  const groups = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    if (line.from === line.to || line.hasLabel || line.via || line.shape) continue;
    for (const key of [`>${line.to} ${line.typeId}`, `<${line.from} ${line.typeId}`]) {
      const members = groups.get(key);
      if (members) members.push(at);
      else groups.set(key, [at]);
    }
  }
  const trunks = new Int32Array(lines.length).fill(-1);
  // Largest first, because a line belongs to at most one trunk.
  const bySize = [...groups].sort(
    ([one, its], [other, theirs]) => theirs.length - its.length || (one < other ? -1 : 1),
  );
  let trunk = 0;
  for (const [, members] of bySize) {
    const free = members.filter((at) => trunks[at] === -1);
    if (free.length < rules.trunks.minLines) continue;
    for (const at of free) trunks[at] = trunk;
    trunk++;
  }
  return trunks;
}
