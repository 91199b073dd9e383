/** The viewer: a map to pan and zoom, with details of components, highlights, and the steps of a process. */
import detailsStyles from './details.css?inline';
import { DetailsPanel } from './detailsPanel';
import { element, iconButton, relabel } from './elements';
import type { Direction } from './geometry';
import { mountGestures } from './gestures';
import { MapView } from './map';
import mapStyles from './map.css?inline';
import { Player } from './player';
import playerStyles from './player.css?inline';
import { type Highlight, type Model, type Source, SourceError, type Step, type Theme } from './source';
import viewerStyles from './viewer.css?inline';

/** Pixels per press of an arrow key. */
const PAN_STEP = 60;
const ZOOM_STEP = 1.3;
/** How long a hint is shown, in milliseconds. */
const HINT_TIME = 1_800;
/** Height of the stage in a page that grows with its contents, in pixels. */
const MIN_HEIGHT = 260;
const MAX_HEIGHT = 460;
/** The same without a map. */
const EMPTY_HEIGHT = 180;
/** The map needs this much width beside the details. */
const NARROW = 560;

/** Whether the viewer is a part of a page that scrolls, or fills its page. */
export type Mode = 'inline' | 'full';

export class Viewer {
  readonly root = element('section', { class: 'viewer', 'aria-label': 'Map' });
  #source: Source;
  #model: Model | undefined;
  #theme: Theme;
  #mode: Mode;
  #canBeLarger = false;
  /** Counts requests, so that answers to older ones are dropped. */
  #drawn = 0;
  #selections = 0;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;
  #map = new MapView();
  #title = element('h1', {});
  #summary = element('p', { class: 'summary', role: 'status' });
  #choice = element('select', { class: 'choice', 'aria-label': 'Highlight' });
  #notice = element('div', { class: 'notice over', role: 'alert' });
  #hint = element('p', { class: 'hint', 'aria-hidden': 'true' });
  #fullscreen = iconButton('enlarge', 'Full screen', () => this.#source.toggleFullscreen?.());
  #open = iconButton('outside', 'Open in Planroom', () => this.#source.open?.());
  #stage = element('div', {
    class: 'stage',
    tabindex: '0',
    role: 'group',
    'aria-label': 'Map. Arrow keys move it, plus and minus zoom, 0 shows all, Enter goes to the components.',
  });
  #details = new DetailsPanel({
    close: () => this.#select(undefined),
    select: (key) => this.#select(key),
    open: () => this.#source.open,
  });
  #player = new Player((step, number) => this.#showStep(step, number));

  constructor(source: Source, theme: Theme, mode: Mode) {
    this.#source = source;
    this.#theme = theme;
    this.#mode = mode;
    addStyles();
    this.#build();
    this.#listen();
    this.setTheme(theme);
    this.setMode(mode);
  }

  /** Shows a text instead of the map. */
  say(text: string, retry?: () => void): void {
    const button = element('button', { type: 'button', class: 'link' }, 'Try again');
    button.addEventListener('click', () => retry?.());
    this.#notice.replaceChildren(element('p', {}, text), ...(retry ? [button] : []));
    this.#notice.hidden = false;
    this.#summary.textContent = '';
    this.root.classList.toggle('empty', this.#map.isEmpty);
  }

  /** Loads the model and the drawing. */
  async load(): Promise<void> {
    this.say('Loading the map…');
    const turn = ++this.#drawn;
    try {
      // The model last: it is that of the drawing.
      const image = await this.#source.image(this.#theme);
      const model = await this.#source.model();
      if (turn !== this.#drawn) return;
      this.#model = model;
      this.#show(image);
      // What is highlighted is shown as a whole.
      this.#map.open(model.focus, model.highlights.length === 0);
      this.#fillChoice(model);
      this.#player.load(model.processes[0]);
      this.#applyChoice();
    } catch (error) {
      if (turn === this.#drawn) this.say(messageOf(error), () => void this.load());
    }
  }

  setTheme(theme: Theme): void {
    const isChanged = theme !== this.#theme;
    this.#theme = theme;
    this.root.dataset.theme = theme;
    if (isChanged && this.#model) void this.#redraw();
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    this.root.dataset.mode = mode;
    this.#resize();
  }

  setFullscreen(isOn: boolean): void {
    relabel(this.#fullscreen, isOn ? 'reduce' : 'enlarge', isOn ? 'Exit full screen' : 'Full screen');
  }

  /** Shows or hides what the source can do only at times. */
  setAbilities(canBeLarger: boolean): void {
    this.#canBeLarger = canBeLarger;
    this.#fullscreen.hidden = !this.#canBeLarger || !this.#source.toggleFullscreen;
    this.#open.hidden = !this.#source.open;
  }

  /** Stops timers. */
  stop(): void {
    this.#player.pause();
    clearTimeout(this.#hintTimer);
  }

  #build(): void {
    const tools = element(
      'div',
      { class: 'tools', role: 'group', 'aria-label': 'View' },
      iconButton('minus', 'Zoom out', () => this.#map.zoom(1 / ZOOM_STEP)),
      iconButton('plus', 'Zoom in', () => this.#map.zoom(ZOOM_STEP)),
      iconButton('fit', 'Show all', () => this.#map.fit()),
      this.#fullscreen,
      this.#open,
    );
    this.#hint.hidden = true;
    this.#choice.hidden = true;
    this.#stage.append(this.#map.host, this.#hint);
    const heading = element('div', { class: 'heading' }, this.#title, this.#summary);
    const frame = element('div', { class: 'frame' }, this.#stage, this.#details.root, this.#notice);
    this.root.append(
      element('header', { class: 'bar' }, heading, this.#choice, tools),
      frame,
      this.#player.root,
    );
    this.setAbilities(false);
  }

  #listen(): void {
    mountGestures(this.#stage, {
      pan: (dx, dy) => this.#map.pan(dx, dy),
      zoom: (factor, at) => this.#map.zoom(factor, at),
      press: (event) => this.#select(this.#map.componentOf(event)),
      isWheelTaken: () => this.#mode === 'full' || this.#stage.matches(':focus-within'),
      wheelIgnored: () => this.#showHint(),
    });
    this.#stage.addEventListener('keydown', (event) => this.#onKey(event));
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#details.root.hidden) return;
      event.stopPropagation();
      this.#select(undefined);
    });
    this.#choice.addEventListener('change', () => this.#applyChoice());
    new ResizeObserver(() => this.#resize()).observe(this.#stage);
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnComponent = this.#map.focused !== undefined;
    const { key } = event;
    if (key.startsWith('Arrow')) {
      if (isOnComponent) this.#map.moveFocus(key as Direction);
      else this.#panBy(key as Direction);
    } else if (key === '+' || key === '=') this.#map.zoom(ZOOM_STEP);
    else if (key === '-') this.#map.zoom(1 / ZOOM_STEP);
    else if (key === '0') this.#map.fit();
    else if (isOnComponent && (key === 'Enter' || key === ' ')) this.#select(this.#map.focused, true);
    else if (!isOnComponent && key === 'Enter') this.#map.focus();
    else if (isOnComponent && key === 'Escape' && this.#details.root.hidden) this.#stage.focus();
    else return;
    event.preventDefault();
  }

  #panBy(direction: Direction): void {
    const x = { ArrowLeft: 1, ArrowRight: -1, ArrowUp: 0, ArrowDown: 0 }[direction];
    const y = { ArrowLeft: 0, ArrowRight: 0, ArrowUp: 1, ArrowDown: -1 }[direction];
    this.#map.pan(x * PAN_STEP, y * PAN_STEP);
  }

  #showHint(): void {
    const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
    this.#hint.textContent = `Hold ${isMac ? '⌘' : 'Ctrl'} to zoom, or select the map first`;
    this.#hint.hidden = false;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => {
      this.#hint.hidden = true;
    }, HINT_TIME);
  }

  async #redraw(): Promise<void> {
    const turn = ++this.#drawn;
    try {
      const image = await this.#source.image(this.#theme);
      if (turn !== this.#drawn) return;
      if (this.#model && this.#source.isOutdated?.(this.#model)) {
        // Keys can mean other components now.
        void this.#select(undefined);
        await this.load();
        return;
      }
      this.#show(image);
      this.#applyChoice();
      this.#player.redraw();
    } catch (error) {
      if (turn === this.#drawn) this.say(messageOf(error), () => void this.#redraw());
    }
  }

  #show(image: string): void {
    this.#notice.hidden = true;
    this.root.classList.remove('empty');
    this.#map.show(image);
    const model = this.#model;
    this.#title.textContent = model?.title || this.#map.title;
    this.#summary.textContent = model?.summary || this.#counts();
    this.#resize();
  }

  #counts(): string {
    const count = (number: number, one: string) => `${number} ${one}${number === 1 ? '' : 's'}`;
    const lines = this.#map.lineCount;
    const components = count(this.#map.names.size, 'component');
    return lines > 0 ? `${components}, ${count(lines, 'relationship')}` : components;
  }

  /** Offers the highlights, or the processes, if there are several. */
  #fillChoice({ highlights, processes }: Model): void {
    const names =
      highlights.length > 0 ? highlights.map(({ name }) => name) : processes.map(({ name }) => name);
    this.#choice.replaceChildren(...names.map((name, at) => element('option', { value: String(at) }, name)));
    this.#choice.hidden = names.length < 2;
  }

  #applyChoice(): void {
    const at = Number(this.#choice.value || 0);
    const model = this.#model;
    if (!model) return;
    if (model.highlights.length > 0) this.#highlight(model.highlights[at]);
    else if (this.#choice.hidden === false) {
      this.#player.load(model.processes[at]);
      this.#showStep(undefined);
    }
  }

  #highlight(highlight: Highlight | undefined): void {
    this.#map.highlight(highlight?.components, highlight?.relationships);
  }

  #showStep(step: Step | undefined, number = ''): void {
    const ends = step ? [step.from, step.to].filter((key) => key !== undefined) : [];
    this.#map.highlight(ends);
    this.#map.message(step && { ...step, number });
    if (ends.length > 0) this.#reveal(ends);
  }

  /** Selects a component and shows its details, or closes them. With `andRead`, moves the focus to the details. */
  async #select(key: string | undefined, andRead = false): Promise<void> {
    const turn = ++this.#selections;
    const name = key === undefined ? '' : (this.#map.names.get(key) ?? key);
    const hadFocus = this.#details.root.contains(document.activeElement);
    const before = this.#map.selected;
    this.#map.select(key);
    this.#source.selected?.(key, name);
    this.root.classList.toggle('with-details', key !== undefined);
    if (key === undefined) {
      this.#details.hide();
      if (hadFocus) this.#map.focus(before);
      return;
    }
    this.#details.loading(name);
    this.#reveal([key]);
    if (andRead || hadFocus) this.#details.root.focus();
    try {
      const details = await this.#source.details(key);
      if (turn !== this.#selections) return;
      this.#details.show(key, withNames(details, this.#map.names));
      this.#reveal([key]);
    } catch (error) {
      if (turn === this.#selections) this.#details.failed(name, messageOf(error));
    }
  }

  /** Moves the map if components are not visible beside the details. */
  #reveal(keys: string[]): void {
    const stage = this.#stage.getBoundingClientRect();
    const panel = this.#details.root.getBoundingClientRect();
    // In a narrow page, the details are below the map.
    const isBeside = panel.width > 0 && panel.width < stage.width;
    this.#map.reveal(keys, isBeside ? Math.max(stage.right - panel.left, 0) : 0);
  }

  /** In a page that grows with its contents, the stage is as high as the drawing needs at its width. */
  #resize(): void {
    if (this.#mode === 'inline') {
      const wanted = Math.round(this.#stage.clientWidth * this.#map.ratio);
      const height = `${this.#map.isEmpty ? EMPTY_HEIGHT : Math.min(Math.max(wanted, MIN_HEIGHT), MAX_HEIGHT)}px`;
      if (this.#stage.style.height !== height) this.#stage.style.height = height;
    } else if (this.#stage.style.height) this.#stage.style.height = '';
    const { clientWidth, clientHeight } = this.#stage;
    if (clientWidth > 0 && clientHeight > 0) {
      this.root.classList.toggle('narrow', this.root.clientWidth < NARROW);
      this.#map.resize({ width: clientWidth, height: clientHeight });
    }
  }
}

function withNames<D extends { connections: { key: string; name: string | undefined }[] }>(
  details: D,
  names: ReadonlyMap<string, string>,
): D {
  return {
    ...details,
    connections: details.connections.map((one) => ({ ...one, name: one.name ?? names.get(one.key) })),
  };
}

const sheet = new CSSStyleSheet();

/** Adds the styles without a style element, because a content security policy can block those. */
function addStyles(): void {
  if (document.adoptedStyleSheets.includes(sheet)) return;
  sheet.replaceSync([viewerStyles, mapStyles, detailsStyles, playerStyles].join(''));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function messageOf(error: unknown): string {
  return error instanceof SourceError ? error.message : 'The map cannot be shown.';
}
