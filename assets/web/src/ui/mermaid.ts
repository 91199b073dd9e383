/** Mermaid, loaded when it is first needed, and kept within the page's policy. */
import type { Mermaid } from 'mermaid';
import { type Database, type Reading, readingOf } from '@/core/process/parsedText';
import { MOST_BYTES } from '@/core/process/source';
import { type Complaint, complaintOf } from '@/core/process/syntaxErrors';
import type { Colours } from './diagramColors';

/** A drawing, as the text of an SVG; what would be a `style` attribute is called `data-style`. */
export interface Drawing {
  svg: string;
  /** Its styles. */
  css: string;
}

let loaded: Promise<Mermaid> | undefined;
let dressed = '';
/** Mermaid keeps what it reads in one place: one thing after the other. */
let last: Promise<unknown> = Promise.resolve();
let count = 0;

function mermaid(): Promise<Mermaid> {
  loaded ??= import('mermaid').then(({ default: engine }) => engine);
  // A connection that failed is tried again with the next text.
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

function inTurn<T>(work: (engine: Mermaid) => Promise<T>): Promise<T> {
  const turn = last.then(async () => work(await mermaid()));
  last = turn.catch(() => undefined);
  return turn;
}

/** Reads a text. Answers what it says, or what is wrong with it. */
export function read(text: string): Promise<Reading | Complaint> {
  return inTurn(async (engine) => {
    dress(engine, undefined);
    try {
      const { db } = await engine.mermaidAPI.getDiagramFromText(text);
      return readingOf(db as unknown as Database, decoded);
    } catch (error) {
      return complaintOf(error, text);
    }
  });
}

/** Draws a text that can be read. */
export function draw(text: string, colours: Colours): Promise<Drawing> {
  return inTurn(async (engine) => {
    dress(engine, colours);
    const { svg } = await allowed(() =>
      engine.mermaidAPI.render(`diagram-${++count}`, text.replace(QUOTED, '$1$2')),
    );
    const css: string[] = [];
    const plain = svg.replace(/<style[^>]*>([\s\S]*?)<\/style>/gi, (_, rules: string) => {
      css.push(decoded(rules));
      return '';
    });
    return { svg: plain, css: css.join('\n') };
  });
}

export function isComplaint(read: Reading | Complaint): read is Complaint {
  return 'message' in read;
}

/**
 * What a text may not configure, in a directive or in front matter. The first six are mermaid's own. The others are style
 * rules and fonts, which would go into a style sheet of the page as they are.
 */
const PROTECTED = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'suppressErrorRendering',
  'maxEdges',
  'themeCSS',
  'fontFamily',
  'altFontFamily',
  'htmlLabels',
  'dompurifyConfig',
];

function dress(engine: Mermaid, colours: Colours | undefined): void {
  const dress = colours ? JSON.stringify(colours) : dressed || '{}';
  if (dress === dressed) return;
  dressed = dress;
  engine.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    secure: PROTECTED,
    suppressErrorRendering: true,
    logLevel: 'fatal',
    maxTextSize: MOST_BYTES,
    theme: 'base',
    fontFamily: '"Source Sans 3 Variable", system-ui, sans-serif',
    themeVariables: JSON.parse(dress) as Record<string, string>,
    sequence: {
      useMaxWidth: false,
      mirrorActors: false,
      diagramMarginX: 16,
      diagramMarginY: 12,
      messageMargin: 34,
    },
  });
}

/**
 * Lets `work` make styles under the page's policy: style elements get the page's nonce, and `style` attributes in what is
 * parsed become `data-style`, for the policy lets no attribute in. Whoever shows the drawing sets them by script.
 */
async function allowed<T>(work: () => Promise<T>): Promise<T> {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  const create = Document.prototype.createElement;
  const { parseFromString } = DOMParser.prototype;
  document.createElement = function withNonce(
    this: Document,
    name: string,
    options?: ElementCreationOptions,
  ) {
    const element = create.call(this, name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  } as typeof document.createElement;
  DOMParser.prototype.parseFromString = function withoutStyle(text, as) {
    // What is trusted comes as an object.
    const plain = String(text).replace(TAG, (tag) =>
      tag.replace(STYLE, ' data-style=').replace(/^<style\b/i, `<style nonce="${nonce}"`),
    );
    return parseFromString.call(this, plain, as);
  };
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
    DOMParser.prototype.parseFromString = parseFromString;
  }
}

const TAG = /<[a-z](?:"[^"]*"|[^">])*>/gi;
const STYLE = /\sstyle=(?=")/gi;
/** A name for display in quotes: mermaid would show them. */
const QUOTED = /^(\s*(?:create\s+)?(?:participant|actor)\s[^\n"]*?\sas\s+)"([^\n]*)"[^\S\n]*$/gim;

/** What an entity such as `&quot;` stands for. Content of a text area is text, never markup. */
function decoded(entity: string): string {
  const area = document.createElement('textarea');
  area.innerHTML = entity;
  return area.value;
}
