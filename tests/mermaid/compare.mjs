// Compares the examples with the results of Mermaid.
//
//   node compare.mjs            compares the results with the expected ones next to the examples
//   node compare.mjs --update   writes the expected results
//
// An expected result contains what Mermaid's parser passes to its database, and the resulting participants, in the
// terms of `crates/mermaid/src/diagram.rs`. Three things are converted as displayed, not as Mermaid stores them: entity
// codes are decoded, `<br/>` is a line feed, and display names have no double quotes.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeHTML } from 'entities';
import { JSDOM } from 'jsdom';

const EXAMPLES = join(dirname(fileURLToPath(import.meta.url)), 'examples');

// Mermaid sanitizes box titles with a document, and asks the browser whether a text is a color.
const { window } = new JSDOM('');
const NAMES = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson currentcolor cyan darkblue darkcyan
  darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred
  darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue
  dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
  greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon
  lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
  lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
  maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
  mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab
  orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
  powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna
  silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent
  turquoise violet wheat white whitesmoke yellow yellowgreen`.split(/\s+/),
);
const FUNCTION = /^(rgb|hsl)a?\s*\(\s*[-\d.]+(%|deg)?(\s*[ ,]\s*[-\d.]+%?){2}(\s*[,/]\s*[-\d.]+%?)?\s*\)$/;
window.CSS = { supports: (_, color) => NAMES.has(color.toLowerCase()) || FUNCTION.test(color) };
globalThis.window = window;
globalThis.document = window.document;

const { default: mermaid } = await import('mermaid');
mermaid.initialize({ startOnLoad: false, logLevel: 'fatal' });

const written = (text) => text.replace(/ﬂ°°?/g, '#').replace(/¶ß/g, ';');
const shown = (text) =>
  text
    .replace(/<\/?br\s*\/?>/gi, '\n')
    .replace(/ﬂ°°(\w+)¶ß/g, (_, code) => decodeHTML(`&#${code};`))
    .replace(/ﬂ°(\w+)¶ß/g, (_, code) => (decodeHTML(`&${code};`) === `&${code};` ? `#${code};` : decodeHTML(`&${code};`)));
const kebab = (name) => name.toLowerCase().replaceAll('_', '-');

/** The result of Mermaid for `text`. Throws Mermaid's errors. */
export async function read(text) {
  await mermaid.parse(text);
  const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
  if (diagram.type !== 'sequence') throw new Error(`this is a ${diagram.type}`);
  // The text is parsed again with another database, which collects the statements one by
  // one: Mermaid's database does not store whether an activation ended with a message or after it.
  let statements;
  const database = diagram.db;
  const parser = diagram.parser.parser;
  const before = parser.yy;
  parser.yy = { ...database, apply: (all) => (statements = all), setDiagramTitle() {}, setAccTitle() {}, setAccDescription() {} };
  diagram.parser.parse(diagram.text);
  parser.yy = before;
  return { ...participants(database), ...sequence(statements, database.LINETYPE, database.PLACEMENT) };
}

function participants(database) {
  const boxes = database.getBoxes();
  const created = database.getCreatedActors();
  const destroyed = database.getDestroyedActors();
  return {
    participants: [...database.getActors().values()].map((actor) => ({
      alias: written(actor.name),
      name: shown(actor.description.replace(/^"(.*)"$/s, '$1')),
      figure: actor.type,
      created: created.has(actor.name),
      destroyed: destroyed.has(actor.name),
      box: actor.box ? boxes.indexOf(actor.box) : null,
    })),
    boxes: boxes.map((box) => ({ title: box.name ? shown(box.name) : null, color: box.fill })),
  };
}

function sequence(statements, LINETYPE, PLACEMENT) {
  const name = (types, value) => kebab(Object.keys(types).find((key) => types[key] === value));
  const [blocks, steps, notes, open] = [[], [], [], []];
  const inside = () => open.at(-1)?.section ?? null;
  const begin = (kind, label, parent) => blocks.push({ kind, label: shown(label.text), parent }) - 1;
  const central = { CENTRAL_CONNECTION: 'target', CENTRAL_CONNECTION_REVERSE: 'source', CENTRAL_CONNECTION_DUAL: 'both' };
  for (const item of statements.flat(Infinity)) {
    switch (item.type) {
      case 'addMessage': {
        // `A->>+B` is four statements: source, target, message, and activation.
        const group = siblings(statements, item);
        const then = group.at(-1).type;
        const activation = { activeStart: 'begins', activeEnd: 'ends' }[then] ?? null;
        steps.push({
          source: written(item.from),
          target: written(item.to),
          arrow: name(LINETYPE, item.signalType),
          text: shown(item.msg.text),
          activation,
          central: central[Object.keys(central).find((key) => LINETYPE[key] === item.centralConnection)] ?? null,
          block: inside(),
        });
        break;
      }
      case 'addNote': {
        const placement = { LEFTOF: 'left-of', RIGHTOF: 'right-of', OVER: 'over' };
        const about = [item.actor].flat().map(written);
        notes.push({
          placement: placement[Object.keys(PLACEMENT).find((key) => PLACEMENT[key] === item.placement)],
          about: about[0] === about[1] ? [about[0]] : about,
          text: shown(item.text.text),
          after: steps.length,
          block: inside(),
        });
        break;
      }
      case 'loopStart': case 'rectStart': case 'optStart': case 'altStart': case 'parStart': case 'criticalStart':
      case 'breakStart': {
        const label = item.loopText ?? item.color ?? item.optText ?? item.altText ?? item.parText ?? item.criticalText
          ?? item.breakText;
        const block = begin(name(LINETYPE, item.signalType).replace(/-start$/, ''), label, inside());
        open.push({ block, section: block });
        break;
      }
      case 'else': case 'and': case 'option': {
        const label = item.altText ?? item.parText ?? item.optionText;
        const { block } = open.at(-1);
        open.at(-1).section = begin(item.type, label, block);
        break;
      }
      case 'loopEnd': case 'rectEnd': case 'optEnd': case 'altEnd': case 'parEnd': case 'criticalEnd': case 'breakEnd':
        open.pop();
    }
  }
  return { blocks, steps, notes };
}

/** The innermost list that holds `item`. */
function siblings(list, item) {
  const lists = [list];
  for (let next = lists.pop(); next; next = lists.pop()) {
    if (next.includes(item)) return next;
    lists.push(...next.filter(Array.isArray));
  }
  return [item];
}

/** The expected result of an example, as stored. */
async function expectedResult(text) {
  const answer = await read(text).catch((error) => ({ refused: String(error.message ?? error).split('\n')[0] }));
  return `${JSON.stringify(answer, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const update = process.argv.includes('--update');
  const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mmd')).sort();
  const wrong = [];
  for (const name of names) {
    const made = await expectedResult(readFileSync(join(EXAMPLES, name), 'utf8'));
    const path = join(EXAMPLES, name.replace(/\.mmd$/, '.json'));
    if (update) {
      writeFileSync(path, made);
    } else if (made !== readFileSync(path, { encoding: 'utf8', flag: 'a+' })) {
      wrong.push(name);
    }
  }
  console.log(`${names.length} examples compared with Mermaid, ${wrong.length} differ`);
  if (wrong.length > 0 || names.length === 0) {
    console.error(`${wrong.join(' ')}\nwrite the expectations anew with \`npm run update\`, and read the difference`);
    process.exit(1);
  }
}
