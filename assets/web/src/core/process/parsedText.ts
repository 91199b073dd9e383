/** What mermaid has read in the text of a process, in the words of the API. */
import type { Lifeline, ProcessBlock, ProcessBlockKind, ProcessStep } from '@/api/generated';

/** One who takes part. */
export type ParsedParticipant = Pick<Lifeline, 'alias' | 'name' | 'figure'>;

/** A message; `block` is the innermost block that it lies in. */
export type ParsedStep = Pick<ProcessStep, 'source' | 'target' | 'text' | 'block'>;

/** A block, or a section of one; `parent` is the block that it lies in. */
export type ParsedBlock = Pick<ProcessBlock, 'kind' | 'label' | 'parent'>;

export interface ParsedProcess {
  participants: ParsedParticipant[];
  steps: ParsedStep[];
  blocks: ParsedBlock[];
}

/** What is used of the database that mermaid fills while it reads. */
export interface MermaidDatabase {
  LINETYPE: Record<string, number>;
  getActors(): Map<string, { name: string; description: string; type: string }>;
  getMessages(): { from?: string; to?: string; type?: number; message?: unknown }[];
}

/** Kinds of blocks by mermaid's name for their beginning. */
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
/** What else is among the messages and is none. */
const NO_STEPS: ReadonlySet<string> = new Set([
  'NOTE',
  'AUTONUMBER',
  'ACTIVE_START',
  'ACTIVE_END',
  'CENTRAL_CONNECTION',
  'CENTRAL_CONNECTION_REVERSE',
  'CENTRAL_CONNECTION_DUAL',
]);

/** Reads mermaid's database. `decode` says what an entity such as `&quot;` stands for. */
export function parseDatabase(database: MermaidDatabase, decode: (entity: string) => string): ParsedProcess {
  const names = new Map(Object.entries(database.LINETYPE).map(([name, value]) => [value, name]));
  const said = (text: string) => displayText(text, decode);
  const reading: ParsedProcess = { participants: [], steps: [], blocks: [] };
  for (const { name, description, type } of database.getActors().values()) {
    // Mermaid keeps the quotes of `participant X as "Display"`.
    const display = said(description.replace(/^"(.*)"$/s, '$1'));
    reading.participants.push({
      alias: written(name),
      name: display,
      figure: type as ParsedParticipant['figure'],
    });
  }
  /** Blocks that are open, each with its section that is being read. */
  const open: { block: number; section: number }[] = [];
  for (const { from, to, type, message } of database.getMessages()) {
    const name = names.get(type ?? -1);
    if (name === undefined || NO_STEPS.has(name)) continue;
    const kind = BLOCKS[name];
    if (kind) begin(reading, open, kind, said(String(message ?? '')));
    else if (name.endsWith('_END')) open.pop();
    else if (from !== undefined && to !== undefined) {
      const step: ParsedStep = {
        source: written(from),
        target: written(to),
        text: said(String(message ?? '')),
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

/** Mermaid hides the signs of entity codes from its own grammar; an alias has them as they were written. */
function written(text: string): string {
  return text.replace(/ﬂ°°?/g, '#').replace(/¶ß/g, ';');
}

/** The same for what people read: entity codes are decoded, and `<br/>` is a line feed. */
function displayText(text: string, decode: (entity: string) => string): string {
  return text
    .replace(/<\/?br\s*\/?>/gi, '\n')
    .replace(/ﬂ°°(\w+)¶ß/g, (_, code: string) => decode(`&#${code};`))
    .replace(/ﬂ°(\w+)¶ß/g, (_, code: string) => {
      const entity = `&${code};`;
      return decode(entity) === entity ? `#${code};` : decode(entity);
    });
}
