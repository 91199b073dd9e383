/** Loads Mermaid on first use and restricts it to comply with the CSP. */
import type { Mermaid } from 'mermaid';
import { MAX_PROCESS_BYTES } from '@/core/limits';
import { type MermaidDatabase, type ParsedProcess, parseDatabase } from '@/core/process/parsedText';
import { type MermaidError, toMermaidError } from '@/core/process/syntaxErrors';
import type { DiagramColors } from './diagramColors';

/** The drawing as SVG text, with `style` attributes renamed to `data-style`. */
export interface Drawing {
  svg: string;
  /** The styles of the drawing. */
  css: string;
}

let loaded: Promise<Mermaid> | undefined;
let configuredColors = '';
/** Mermaid has global state, so calls are serialized. */
let last: Promise<unknown> = Promise.resolve();
let count = 0;

function mermaid(): Promise<Mermaid> {
  loaded ??= import('mermaid').then(({ default: engine }) => engine);
  // If the download failed, retry it with the next text.
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

function inSequence<T>(work: (engine: Mermaid) => Promise<T>): Promise<T> {
  const turn = last.then(async () => work(await mermaid()));
  last = turn.catch(() => undefined);
  return turn;
}

/** Parses a text. Returns the result or the errors. */
export function parseProcessText(text: string): Promise<ParsedProcess | MermaidError> {
  return inSequence(async (engine) => {
    configure(engine, undefined);
    try {
      const { db } = await engine.mermaidAPI.getDiagramFromText(text);
      return parseDatabase(db as unknown as MermaidDatabase, decodeEntity);
    } catch (error) {
      return toMermaidError(error, text);
    }
  });
}

/** Renders a valid text. */
export function drawDiagram(text: string, colors: DiagramColors): Promise<Drawing> {
  return inSequence(async (engine) => {
    configure(engine, colors);
    const { svg } = await withAllowedStyles(() =>
      engine.mermaidAPI.render(`diagram-${++count}`, text.replace(QUOTED, '$1$2')),
    );
    const css: string[] = [`.messageText { ${TEXT_HALO} stroke: ${colors.background} !important; }`];
    const plain = svg.replace(/<style[^>]*>([\s\S]*?)<\/style>/gi, (_, rules: string) => {
      css.push(decodeEntity(rules));
      return '';
    });
    return { svg: plain, css: css.join('\n') };
  });
}

/** A border around message texts, so that the lifelines behind them do not strike them through. */
const TEXT_HALO = 'paint-order: stroke; stroke-width: 5px; stroke-linejoin: round;';

export function isMermaidError(read: ParsedProcess | MermaidError): read is MermaidError {
  return 'message' in read;
}

/**
 * Configuration that directives and front matter must not change. The first six entries are Mermaid's defaults. The
 * others are styles and fonts, which would be inserted unescaped into a style sheet of the page.
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

function configure(engine: Mermaid, colors: DiagramColors | undefined): void {
  const configuration = colors ? JSON.stringify(colors) : configuredColors || '{}';
  if (configuration === configuredColors) return;
  configuredColors = configuration;
  engine.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    secure: PROTECTED,
    suppressErrorRendering: true,
    logLevel: 'fatal',
    maxTextSize: MAX_PROCESS_BYTES,
    theme: 'base',
    fontFamily: '"Source Sans 3 Variable", system-ui, sans-serif',
    themeVariables: JSON.parse(configuration) as Record<string, string>,
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
 * Runs `work` in compliance with the CSP: style elements get the nonce of the page, and `style` attributes in parsed
 * markup are renamed to `data-style`, which the caller applies by script.
 */
async function withAllowedStyles<T>(work: () => Promise<T>): Promise<T> {
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
    // Trusted Types are objects.
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
/** Matches quotes around a display name, which Mermaid would show. */
const QUOTED = /^(\s*(?:create\s+)?(?:participant|actor)\s[^\n"]*?\sas\s+)"([^\n]*)"[^\S\n]*$/gim;

/** Decodes entities such as `&quot;`. A textarea never parses its content as markup. */
function decodeEntity(entity: string): string {
  const area = document.createElement('textarea');
  area.innerHTML = entity;
  return area.value;
}
