/** Mermaid, loaded on first use and restricted to what the CSP allows. */
import type { Mermaid } from 'mermaid';
import { type Complaint, complaintOf } from '@/core/process/complaint';
import { type Database, type Reading, readingOf } from '@/core/process/reading';
import { MOST_BYTES } from '@/core/process/source';
import type { Colours } from './DiagramColours';

/** The drawing as SVG text, with `style` attributes renamed to `data-style`. */
export interface Drawing {
  svg: string;
  /** The styles of the drawing. */
  css: string;
}

let loaded: Promise<Mermaid> | undefined;
let dressed = '';
/** Mermaid has global state, so calls run one after the other. */
let last: Promise<unknown> = Promise.resolve();
let count = 0;

function mermaid(): Promise<Mermaid> {
  loaded ??= import('mermaid').then(({ default: engine }) => engine);
  // A failed download is retried with the next text.
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

/** Parses a text. Returns the result or the errors. */
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

/** Renders a valid text. */
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
 * Configuration that a text must not change in directives or front matter. The first six are Mermaid's own. The others
 * are styles and fonts, which would go into a style sheet of the page unescaped.
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
 * Runs `work` so that its styles comply with the CSP: style elements get the nonce of the page, and `style` attributes
 * in parsed markup become `data-style`, which the caller sets by script.
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
    // Trusted types are objects.
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
/** Removes the quotes that Mermaid would show around a display name. */
const QUOTED = /^(\s*(?:create\s+)?(?:participant|actor)\s[^\n"]*?\sas\s+)"([^\n]*)"[^\S\n]*$/gim;

/** Decodes entities such as `&quot;`. The content of a textarea is never parsed as markup. */
function decoded(entity: string): string {
  const area = document.createElement('textarea');
  area.innerHTML = entity;
  return area.value;
}
