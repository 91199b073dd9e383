/** Fan-ins and fan-outs that are drawn as one trunk. */
import rules from './rules.json';
import type { RouteLine } from './types';

/** The trunk of each line, -1 without one: lines of one type without a label that share an end, if there are many. */
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
  // The largest first: a line is in one trunk at most.
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
