/**
 * A sequence diagram in a shadow root, so that its styles do not leak. Because of the CSP its styles are a constructed
 * style sheet, and what Mermaid writes into `style` attributes is set by script.
 */
import { useEffect, useRef } from 'react';
import styles from './Diagram.module.css';
import type { Drawing } from './mermaid';

interface Props {
  drawing: Drawing;
  label: string;
  /** Aliases of participants to mark, each with the reason. */
  marked: ReadonlyMap<string, string>;
  /** Whether the drawing is older than the text. */
  stale: boolean;
}

const MARKS = new CSSStyleSheet();
MARKS.replaceSync(`
  svg { display: block; margin: 0 auto; max-width: none; }
  .unmapped rect, rect.unmapped { stroke: var(--warn) !important; stroke-dasharray: 5 3 !important; fill: var(--warn-wash) !important; }
  .unmapped line, .unmapped circle, .unmapped path { stroke: var(--warn) !important; }
`);

/** The smallest scale that a drawing is reduced to. */
const MIN_SCALE = 0.72;

export function Diagram({ drawing, label, marked, stale }: Props) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current) render(host.current, drawing, label);
  }, [drawing, label]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing must be marked again
  useEffect(() => {
    if (host.current?.shadowRoot) markParticipants(host.current.shadowRoot, marked);
  }, [drawing, marked]);
  return <div ref={host} className={styles.diagram} data-stale={stale || undefined} />;
}

function render(host: HTMLElement, drawing: Drawing, label: string): void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const svg = diagramElement(drawing);
  root.replaceChildren(...(svg ? [svg] : []));
  if (!svg) return;
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.removeAttribute('aria-roledescription');
  // As wide as its container, but never below a readable size or above its original size.
  const width = Number(svg.getAttribute('width')) || 600;
  svg.style.width = `clamp(${width * MIN_SCALE}px, 100%, ${width}px)`;
  svg.style.height = 'auto';
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(drawing.css);
  root.adoptedStyleSheets = [sheet, MARKS];
}

/** The drawing as an element of this document. */
export function diagramElement({ svg }: Drawing): SVGElement | null {
  const parsed = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (!parsed) return null;
  const element = document.importNode(parsed, true);
  for (const part of [element, ...element.querySelectorAll<SVGElement>('[data-style]')]) {
    if (part.dataset.style) part.style.cssText = part.dataset.style;
    part.removeAttribute('data-style');
  }
  return element;
}

function markParticipants(root: ShadowRoot, marked: ReadonlyMap<string, string>): void {
  for (const element of root.querySelectorAll('.unmapped')) {
    element.classList.remove('unmapped');
    element.querySelector(':scope > title')?.remove();
  }
  for (const element of root.querySelectorAll('[name]')) {
    const reason = marked.get(element.getAttribute('name') ?? '');
    if (reason === undefined) continue;
    element.classList.add('unmapped');
    const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    title.textContent = reason;
    element.append(title);
  }
}
