/** Converts Mermaid's parse result to API types. */
import type { Lifeline, ProcessBlock, ProcessBlockKind, ProcessStep } from '@/api/generated';

/** A participant. */
export type ParsedParticipant = Pick<Lifeline, 'alias' | 'name' | 'figure'>;

/** A message; `block` is the innermost enclosing block. */
export type ParsedStep = Pick<ProcessStep, 'source' | 'target' | 'text' | 'block'>;

/** A block or a section of one; `parent` is the enclosing block. */
export type ParsedBlock = Pick<ProcessBlock, 'kind' | 'label' | 'parent'>;

export interface ParsedProcess {
  participants: ParsedParticipant[];
  steps: ParsedStep[];
  blocks: ParsedBlock[];
}

/** The parts of Mermaid's database that are used. */
export interface MermaidDatabase {
  LINETYPE: Record<string, number>;
  getActors(): Map<string, { name: string; description: string; type: string }>;
  getMessages(): { from?: string; to?: string; type?: number; message?: unknown }[];
}

/** Block kinds by Mermaid's names of their start. */
const BLOCKS: Record<string, ProcessBlockKind> = {
  LOOP_START: 'loop',
  ALT_START: 'alt',
  ALT_ELSE: 'else',
  OPT_START: 'opt',
  PAR_START: 'par',
  PAR_OVER_START: 'par-over',
  PAR_AND: 'and',
  CRITICAL_START: 'critical',
  CRITICAL_OPTION: 'option',
  BREAK_START: 'break',
  RECT_START: 'rect',
};
const SECTIONS: ReadonlySet<string> = new Set(['else', 'and', 'option']);
/** Entries in the message list that are not messages. */
const NO_STEPS: ReadonlySet<string> = new Set([
  'NOTE',
  'AUTONUMBER',
  'ACTIVE_START',
  'ACTIVE_END',
  'CENTRAL_CONNECTION',
  'CENTRAL_CONNECTION_REVERSE',
  'CENTRAL_CONNECTION_DUAL',
]);

/** Parses Mermaid's database. `decode` decodes entities such as `&quot;`. */
export function parseDatabase(database: MermaidDatabase, decode: (entity: string) => string): ParsedProcess {
  const names = new Map(Object.entries(database.LINETYPE).map(([name, value]) => [value, name]));
  const decoded = (text: string) => displayText(text, decode);
  const reading: ParsedProcess = { participants: [], steps: [], blocks: [] };
  for (const { name, description, type } of database.getActors().values()) {
    // Mermaid keeps the quotes in `participant X as "Display"`.
    const display = decoded(description.replace(/^"(.*)"$/s, '$1'));
    reading.participants.push({
      alias: written(name),
      name: display,
      figure: type as ParsedParticipant['figure'],
    });
  }
  /** Open blocks with their current section. */
  const open: { block: number; section: number }[] = [];
  for (const { from, to, type, message } of database.getMessages()) {
    const name = names.get(type ?? -1);
    if (name === undefined || NO_STEPS.has(name)) continue;
    const kind = BLOCKS[name];
    if (kind) begin(reading, open, kind, decoded(String(message ?? '')));
    else if (name.endsWith('_END')) open.pop();
    else if (from !== undefined && to !== undefined) {
      const step: ParsedStep = {
        source: written(from),
        target: written(to),
        text: decoded(String(message ?? '')),
      };
      const inside = open.at(-1);
      reading.steps.push(inside ? { ...step, block: inside.section } : step);
    }
  }
  return reading;
}

function begin(
  { blocks }: ParsedProcess,
  open: { block: number; section: number }[],
  kind: ProcessBlockKind,
  label: string,
): void {
  const outer = open.at(-1);
  const place = blocks.length;
  if (SECTIONS.has(kind) && outer) {
    blocks.push({ kind, label, parent: outer.block });
    outer.section = place;
    return;
  }
  blocks.push(outer ? { kind, label, parent: outer.section } : { kind, label });
  open.push({ block: place, section: place });
}

/** Decodes Mermaid's internal encoding of entities back to the original text, which aliases contain. */
function written(text: string): string {
  return text.replace(/ﬂ°°?/g, '#').replace(/¶ß/g, ';');
}

/** Like `written`, for display text: entities are decoded, and `<br/>` becomes a line feed. */
function displayText(text: string, decode: (entity: string) => string): string {
  return text
    .replace(/<\/?br\s*\/?>/gi, '\n')
    .replace(/ﬂ°°(\w+)¶ß/g, (_, code: string) => decode(`&#${code};`))
    .replace(/ﬂ°(\w+)¶ß/g, (_, code: string) => {
      const entity = `&${code};`;
      return decode(entity) === entity ? `#${code};` : decode(entity);
    });
}
