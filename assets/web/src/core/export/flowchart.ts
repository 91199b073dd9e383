/** A map as a Mermaid flowchart. Groups become subgraphs. */
import { buildContainment, CONTAINS } from '../containment/containment';
import type { ExportModel } from './model';

export function flowchart({ components, relationships, catalogue }: Omit<ExportModel, 'name'>): string {
  const keys = new Map(components.map(({ id }, place) => [id, `c${place + 1}`]));
  const kinds = new Map(catalogue.relationTypes.map((type) => [type.id, type]));
  const { children, parent } = buildContainment(relationships, keys);
  const names = new Map(components.map(({ id, name }) => [id, name]));
  const lines = ['flowchart LR'];
  const open: { id: string; depth: number; end?: boolean }[] = components
    .filter(({ id }) => !parent.has(id))
    .map(({ id }) => ({ id, depth: 1 }))
    .reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, depth, end } = next;
    const indent = '    '.repeat(Math.min(depth, 20));
    const inner = children.get(id);
    if (end) lines.push(`${indent}end`);
    else if (!inner) lines.push(`${indent}${keys.get(id)}["${quoted(names.get(id) ?? id)}"]`);
    else {
      lines.push(`${indent}subgraph ${keys.get(id)}["${quoted(names.get(id) ?? id)}"]`);
      open.push({ id, depth, end: true });
      for (const child of inner.toReversed()) open.push({ id: child, depth: depth + 1 });
    }
  }
  for (const { sourceId, targetId, typeId, label } of relationships) {
    const [source, target] = [keys.get(sourceId), keys.get(targetId)];
    if (!source || !target || typeId === CONTAINS) continue;
    const kind = kinds.get(typeId);
    const arrow = kind?.directed === false ? '---' : '-->';
    lines.push(`    ${source} ${arrow}|"${quoted(label || kind?.name || typeId)}"| ${target}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Quotes text, with all special characters of Mermaid as numeric entities. */
function quoted(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[^\p{L}\p{N} .,:()/+-]/gu, (sign) => `#${sign.codePointAt(0)};`);
  // Mermaid rejects empty quoted text.
  return plain || ' ';
}
