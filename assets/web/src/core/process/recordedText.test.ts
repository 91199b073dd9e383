// @vitest-environment jsdom
import mermaid from 'mermaid';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MermaidDatabase, parseDatabase } from './parsedText';
import { defaultTexts, type RecordedMap, recordedProcess } from './recordedText';
import type { RecordedStep } from './recording';
import { processTextProblem } from './source';

function decode(entity: string): string {
  const area = document.createElement('textarea');
  area.innerHTML = entity;
  return area.value;
}

beforeAll(() => {
  window.CSS = { supports: () => false } as unknown as typeof CSS;
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', logLevel: 'fatal' });
});

async function parse(text: string) {
  expect(processTextProblem(text)).toBe('');
  const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
  return parseDatabase(diagram.db as unknown as MermaidDatabase, decode);
}

function mapOf(
  names: Readonly<Record<string, string>>,
  relationships: readonly { sourceId: string; typeId: string; targetId: string; label?: string }[] = [],
): RecordedMap {
  return {
    components: new Map(Object.entries(names).map(([id, name]) => [id, { id, name }])),
    relationships: new Map(relationships.map((row, at) => [String(at), { id: String(at), ...row }])),
    relationName: (typeId) => `${typeId}!`,
  };
}

const step = (source: string, target: string, text = '', isReply = false): RecordedStep => ({
  source,
  target,
  text,
  isReply,
});

describe('the text of a recording', () => {
  it('is readable', () => {
    const map = mapOf({ web: 'Web shop', api: 'Order API (v2)' });
    const { mermaid: text, participants } = recordedProcess(
      {
        steps: [
          step('web', 'api', 'Buy: 2 seats'),
          step('api', 'api', 'Check'),
          step('api', 'web', '', true),
        ],
      },
      map,
    );
    expect(text).toBe(`sequenceDiagram
    participant web_shop as "Web shop"
    participant order_api_v2 as "Order API (v2)"
    web_shop->>order_api_v2: Buy: 2 seats
    order_api_v2->>order_api_v2: Check
    order_api_v2-->>web_shop: Response
`);
    expect(participants).toEqual({ web_shop: 'web', order_api_v2: 'api' });
  });

  it('leaves components unmapped that were deleted meanwhile', async () => {
    const { mermaid: text, participants } = recordedProcess(
      { steps: [step('web', 'gone')] },
      mapOf({ web: 'Web' }),
    );
    expect(participants).toEqual({ web: 'web' });
    expect((await parse(text)).participants.map(({ name }) => name)).toEqual(['Web', 'gone']);
  });

  it('uses the label of the relationship, or else its type, for steps without a text', () => {
    const text = defaultTexts(
      mapOf({}, [
        { sourceId: 'a', typeId: 'contains', targetId: 'b' },
        { sourceId: 'a', typeId: 'calls', targetId: 'b' },
        { sourceId: 'a', typeId: 'uses', targetId: 'b', label: ' Get\n page ' },
        { sourceId: 'b', typeId: 'reads', targetId: 'c' },
      ]),
    );
    expect(text(step('a', 'b'))).toBe('Get page');
    expect(text(step('b', 'c'))).toBe('reads!');
    expect(text(step('c', 'b'))).toBe('Call');
    expect(text(step('c', 'b', '', true))).toBe('Response');
    expect(text(step('a', 'a'))).toBe('Internal step');
  });
});

const WORDS =
  `end;END;loop;alt;else;note;over;as;style;style guide;x:#a;classDef x:#a;wrap:;nowrap: x;:wrap:;participant;box;title
  a;accTitle: x;autonumber;activate;%%;%%{init: {}}%%;%% x;---;-->>;->>;-x;--;(;);{;};@{ "type": "actor" };#;#35;;#quot;;
  &amp;;&quot;;<b>;<script>alert(1)</script>;<br/>;<br>;";"";“x”;';\\;\\n;$$x$$;*x*;_x_;~x~;\`x\`;|;/;//;+;-;+a;-b;=;^;:;::;
  , ;.;!;?;12;1.5;🎬;👩‍👩‍👧;🇺🇸;漢字;Größe;ﬂ°°35¶ß;ﬂ°;¶ß;é;e\u0301;\u202e;\u200b;\u00a0;right of;left of;links;
  link a: b @ c;properties x: {};destroy;create actor x;par_over;critical;option;break;rect rgb(0,0,0);sequenceDiagram;off`
    .split(';')
    .map((word) => word.trim())
    .filter(Boolean);
const SEPARATORS = [' ', '', ';', '\n', '\r\n', '\t', ': ', '#', '"'];

/** A pseudorandom number generator with a fixed seed (mulberry32). */
function randomBelow(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Names and texts as users might type or import them, and worse. */
function textsFrom(random: (below: number) => number): () => string {
  return () => {
    const kind = random(20);
    if (kind === 0) return 'x'.repeat(200);
    if (kind === 1) return '#'.repeat(200);
    const count = 1 + random(4);
    const parts = Array.from({ length: count }, () => WORDS[random(WORDS.length)] ?? '');
    return parts.join(SEPARATORS[random(SEPARATORS.length)]).slice(0, 200);
  };
}

const singleLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

describe('any names and messages', () => {
  it.each(Array.from({ length: 150 }, (_, seed) => seed))('are parsed as recorded, seed %i', async (seed) => {
    const random = randomBelow(seed + 1);
    const text = textsFrom(random);
    const ids = Array.from({ length: 2 + random(6) }, (_, at) => `c${at}`);
    const names: Record<string, string> = Object.fromEntries(ids.map((id) => [id, text()]));
    // Two components with the same name.
    names.c1 = names.c0 ?? '';
    const steps = Array.from({ length: 1 + random(8) }, () =>
      step(`c${random(ids.length)}`, `c${random(ids.length)}`, text(), random(3) === 0),
    );
    const { mermaid: written, participants } = recordedProcess({ steps }, mapOf(names));
    const parsed = await parse(written);
    const idOf = (alias: string) => participants[alias];
    expect(parsed.blocks).toEqual([]);
    expect(parsed.steps.map(({ source, target, text }) => [idOf(source), idOf(target), text])).toEqual(
      steps.map(({ source, target, text, isReply }) => [
        source,
        target,
        singleLine(text) || (isReply ? 'Response' : source === target ? 'Internal step' : 'Call'),
      ]),
    );
    const used = [...new Set(steps.flatMap(({ source, target }) => [source, target]))];
    expect(parsed.participants.map(({ alias, name, figure }) => [idOf(alias), name, figure])).toEqual(
      used.map((id) => [id, singleLine(names[id] ?? '') || 'Component', 'participant']),
    );
  });
});
