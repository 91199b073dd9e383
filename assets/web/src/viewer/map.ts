/** The drawing on the stage: camera, selection, highlights, and the message of a process. */

import drawingStyles from './drawing.css?inline';
import { element, svgElement } from './elements';
import { fitTexts } from './fitTexts';
import {
  around,
  type Camera,
  cameraFor,
  center,
  type Direction,
  edge,
  neighbor,
  type Point,
  padded,
  pan,
  type Rect,
  type Size,
  viewBox,
  zoom,
} from './geometry';
import { parseDrawing } from './parseDrawing';

/** Space around what is shown, in map units. */
const MARGIN = 24;
/** Smallest scale at which names can be read, in pixels per map unit. */
const READABLE_SCALE = 0.5;
const MESSAGE_SIZE = 15;

export interface Message {
  from: string | undefined;
  to: string | undefined;
  /** Its number, which the drawing shows. */
  number: string;
}

export class MapView {
  /** Contains the drawing in a shadow tree, so that its classes do not meet those of the page. */
  readonly host = element('div', { class: 'drawing' });
  title = '';
  names = new Map<string, string>();
  #root = this.host.attachShadow({ mode: 'open' });
  #svg: SVGSVGElement | undefined;
  #area: Rect = { x: 0, y: 0, width: 1, height: 1 };
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #stage: Size = { width: 1, height: 1 };
  #rects = new Map<string, Rect>();
  #selected: string | undefined;
  /** The component that the map is about. */
  #focus: string | undefined;
  #overlay: SVGGElement | undefined;
  #hasMoved = false;
  #fitted: string[] = [];
  #styles = new CSSStyleSheet();

  constructor() {
    const own = new CSSStyleSheet();
    own.replaceSync(drawingStyles);
    this.#root.adoptedStyleSheets = [this.#styles, own];
  }

  get isEmpty(): boolean {
    return !this.#svg;
  }

  /** The number of relationships. */
  get lineCount(): number {
    return new Set(this.#all('g[data-from]').map((line) => line.dataset.id)).size;
  }

  /** Height by width of the drawing. */
  get ratio(): number {
    return this.#area.height / this.#area.width;
  }

  /** Replaces the drawing. Keeps the camera if the map was moved, and the selection. */
  show(text: string): void {
    const { svg, title, css } = parseDrawing(text);
    this.#styles.replaceSync(css);
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.#area = { x, y, width: Math.max(width, 1), height: Math.max(height, 1) };
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    // Not `img`, because it contains buttons.
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', title ? `Map of ${title}` : 'Map');
    this.title = title;
    this.#svg = svg;
    this.#overlay = undefined;
    this.#root.replaceChildren(svg);
    this.#measure();
    fitTexts(svg);
    this.select(this.#selected);
    this.resize(this.#stage);
  }

  resize(stage: Size): void {
    this.#stage = stage;
    if (this.#hasMoved) this.#apply();
    else this.fit(this.#fitted);
  }

  /** Shows these components, or everything. */
  fit(keys: string[] = []): void {
    this.#fitted = keys;
    this.#hasMoved = false;
    const rects = keys.flatMap((key) => this.#rects.get(key) ?? []);
    const area = around(rects);
    this.#camera = cameraFor(area ? padded(area, MARGIN) : this.#area, this.#stage);
    this.#apply();
  }

  /**
   * Marks the component that the map is about, and shows everything. If names cannot be read then, and `isZoomed`, it shows
   * the surroundings of this component.
   */
  open(focus: string | undefined, isZoomed: boolean): void {
    this.#focus = focus;
    this.select(this.#selected);
    this.fit();
    const rect = focus === undefined ? undefined : this.#rects.get(focus);
    if (!rect || !isZoomed || this.#camera.scale >= READABLE_SCALE) return;
    this.#hasMoved = true;
    this.#camera = { ...center(rect), scale: READABLE_SCALE * 1.3 };
    this.#apply();
  }

  pan(dx: number, dy: number): void {
    this.#hasMoved = true;
    this.#camera = pan(this.#camera, dx, dy, this.#area);
    this.#apply();
  }

  zoom(factor: number, at: Point = { x: this.#stage.width / 2, y: this.#stage.height / 2 }): void {
    this.#hasMoved = true;
    this.#camera = zoom(this.#camera, factor, at, this.#stage);
    this.#apply();
  }

  /** Moves the map if components are not visible. `covered` pixels of the stage are covered from the right. */
  reveal(keys: string[], covered = 0): void {
    const area = around(keys.flatMap((key) => this.#rects.get(key) ?? []));
    if (!area) return;
    const free = { width: this.#stage.width - covered, height: this.#stage.height };
    const seen = viewBox(this.#camera, this.#stage);
    const isInside =
      area.x >= seen.x &&
      area.y >= seen.y &&
      area.x + area.width <= seen.x + free.width / this.#camera.scale &&
      area.y + area.height <= seen.y + seen.height;
    if (isInside) return;
    this.#hasMoved = true;
    const scale = Math.min(this.#camera.scale, cameraFor(padded(area, MARGIN), free).scale);
    const { x, y } = center(area);
    this.#camera = { x: x + covered / 2 / scale, y, scale };
    this.#apply();
  }

  /** The component at a place on the screen. */
  componentOf(event: Event): string | undefined {
    for (const node of event.composedPath()) {
      if (node instanceof SVGGElement && node.dataset.id !== undefined) {
        return node.dataset.from === undefined ? node.dataset.id : undefined;
      }
    }
    return undefined;
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  select(key: string | undefined): void {
    this.#selected = key;
    for (const card of this.#all('g[data-id]:not([data-from])')) {
      const isSelected = card.dataset.id === key;
      card.classList.toggle('selected', isSelected);
      card.classList.toggle('focus', card.dataset.id === this.#focus);
      if (card.hasAttribute('role')) card.setAttribute('aria-pressed', String(isSelected));
    }
    this.#setTabStop(key ?? this.names.keys().next().value);
  }

  focus(key: string | undefined = this.#selected): void {
    const target = this.#button(key) ?? this.#button(this.names.keys().next().value);
    if (!target) return;
    this.#setTabStop(target.dataset.id);
    this.reveal([target.dataset.id ?? '']);
    // The map itself moves instead.
    target.focus({ preventScroll: true });
  }

  /** The component that has the focus. */
  get focused(): string | undefined {
    const active = this.#root.activeElement;
    return active instanceof SVGElement ? active.dataset.id : undefined;
  }

  moveFocus(direction: Direction): void {
    const from = this.focused;
    const rect = from === undefined ? undefined : this.#rects.get(from);
    const next = rect && neighbor(rect, this.#rects, direction);
    if (next !== undefined) this.focus(next);
  }

  /** Dims everything else. Without keys, nothing is dimmed. */
  highlight(components: Iterable<string> = [], relationships: Iterable<string> = []): void {
    const kept = new Set(components);
    const lines = new Set(relationships);
    const isOn = kept.size > 0 || lines.size > 0;
    this.host.classList.toggle('highlighting', isOn);
    this.#svg?.classList.toggle('highlighting', isOn);
    for (const part of this.#all('g[data-id]')) {
      const { id = '', from } = part.dataset;
      part.classList.toggle('on', from === undefined ? kept.has(id) : lines.has(id));
    }
  }

  /** Draws a message between two components, or removes it. */
  message(message: Message | undefined): void {
    this.#overlay?.remove();
    this.#overlay = undefined;
    const from = message?.from === undefined ? undefined : this.#rects.get(message.from);
    const to = message?.to === undefined ? undefined : this.#rects.get(message.to);
    if (!message || !from || !to || !this.#svg) return;
    const path = from === to ? loop(from) : arrow(from, to);
    const overlay = svgElement(
      'g',
      { class: 'message', 'aria-hidden': 'true' },
      svgElement('path', { d: path.line, class: 'message-line' }),
      svgElement('path', { d: path.head, class: 'message-head' }),
    );
    this.#overlay = overlay;
    this.#svg.append(overlay);
    const { x, y } = path.middle;
    overlay.append(
      svgElement('circle', { cx: x, cy: y, r: 13, class: 'message-plate' }),
      svgElement('text', { x, y: y + 5, 'font-size': MESSAGE_SIZE, class: 'message-text' }, message.number),
    );
  }

  #apply(): void {
    const { x, y, width, height } = viewBox(this.#camera, this.#stage);
    this.#svg?.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  }

  /** Reads names and rectangles of components, and makes each a button. A group has several elements. */
  #measure(): void {
    this.#rects.clear();
    this.names.clear();
    const parts = new Map<string, SVGGElement[]>();
    for (const part of this.#all('g[data-id]:not([data-from])')) {
      const { id = '' } = part.dataset;
      parts.set(id, [...(parts.get(id) ?? []), part]);
    }
    for (const [key, elements] of parts) {
      const rect = around(elements.map((one) => one.getBBox()));
      if (rect) this.#rects.set(key, rect);
      const last = elements.at(-1);
      const rows = elements.flatMap((one) =>
        [...one.querySelectorAll('text.t')].map((row) => row.textContent),
      );
      const name = rows.join(' ') || key;
      this.names.set(key, name);
      last?.setAttribute('role', 'button');
      last?.setAttribute('tabindex', '-1');
    }
  }

  #setTabStop(key: string | undefined): void {
    for (const one of this.#all('[role="button"]')) {
      one.setAttribute('tabindex', one.dataset.id === key ? '0' : '-1');
    }
  }

  #button(key: string | undefined): SVGGElement | undefined {
    return this.#all('[role="button"]').find((one) => one.dataset.id === key);
  }

  #all(selector: string): SVGGElement[] {
    return [...(this.#svg?.querySelectorAll<SVGGElement>(selector) ?? [])];
  }
}

interface MessagePath {
  line: string;
  head: string;
  middle: Point;
}

function arrow(from: Rect, to: Rect): MessagePath {
  const start = edge(from, center(to));
  const tip = edge(to, center(from));
  const length = Math.max(Math.hypot(tip.x - start.x, tip.y - start.y), 1);
  const [dx, dy] = [(tip.x - start.x) / length, (tip.y - start.y) / length];
  const back = { x: tip.x - dx * 12, y: tip.y - dy * 12 };
  return {
    line: `M${start.x} ${start.y}L${back.x} ${back.y}`,
    head: triangle(tip, back, { x: dx, y: dy }),
    middle: { x: (start.x + tip.x) / 2, y: (start.y + tip.y) / 2 },
  };
}

function loop({ x, y, width, height }: Rect): MessagePath {
  const right = x + width;
  const [top, bottom] = [y + height * 0.3, y + height * 0.7];
  const tip = { x: right, y: bottom };
  const back = { x: right + 12, y: bottom };
  return {
    line: `M${right} ${top}C${right + 60} ${top} ${right + 60} ${bottom} ${back.x} ${back.y}`,
    head: triangle(tip, back, { x: -1, y: 0 }),
    middle: { x: right + 46, y: (top + bottom) / 2 },
  };
}

function triangle(tip: Point, back: Point, { x, y }: Point): string {
  return `M${tip.x} ${tip.y}L${back.x - y * 6} ${back.y + x * 6}L${back.x + y * 6} ${back.y - x * 6}Z`;
}
