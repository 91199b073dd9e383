/**
 * Reads a drawing. Its texts are names that people chose, so it is parsed as XML and only known elements and attributes are
 * copied, although the server writes no others.
 */

const ELEMENTS = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan defs marker'.split(' '),
);
const ATTRIBUTES = new Set(
  (
    'viewBox width height x y x1 y1 x2 y2 cx cy r rx ry d points transform class id fill fill-opacity stroke ' +
    'stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin opacity font-size font-family ' +
    'font-weight text-anchor refX refY markerWidth markerHeight orient marker-end marker-start ' +
    'data-id data-from data-to'
  ).split(' '),
);
const SVG = 'http://www.w3.org/2000/svg';
/** References to the document itself only. */
const FOREIGN_REFERENCE = /url\s*\((?!\s*["']?#)/i;

export interface Drawing {
  svg: SVGSVGElement;
  title: string;
  /** The style sheet, which the caller adds without a style element, because a content security policy can block those. */
  css: string;
}

export function parseDrawing(text: string): Drawing {
  // A content security policy can block style elements even in a document that is only parsed, which browsers report.
  const inert = text.replaceAll(/<(\/?)style>/g, '<$1metadata>');
  const parsed = new DOMParser().parseFromString(inert, 'image/svg+xml');
  const root = parsed.documentElement;
  if (root.localName !== 'svg' || parsed.querySelector('parsererror')) {
    throw new Error('The drawing is not an SVG.');
  }
  const title = root.querySelector(':scope > title')?.textContent ?? '';
  const css = [...root.querySelectorAll(':scope > metadata')]
    .map((style) => style.textContent ?? '')
    .join('\n');
  return { svg: copied(root) as SVGSVGElement, title, css };
}

function copied(from: Element): Element {
  const to = document.createElementNS(SVG, from.localName);
  for (const { name, value } of from.attributes) {
    if (ATTRIBUTES.has(name) && !FOREIGN_REFERENCE.test(value)) to.setAttribute(name, value);
  }
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? '');
    else if (node instanceof Element && node.namespaceURI === SVG && ELEMENTS.has(node.localName)) {
      to.append(copied(node));
    }
  }
  return to;
}
