/** The details of the selected component. */
import { element, icon, iconButton } from './elements';
import type { Connection, Details } from './source';

export interface DetailsHandlers {
  close(): void;
  select(key: string): void;
  /** Opens a component in Planroom, if that is possible now. */
  open(): ((key: string) => void) | undefined;
}

export class DetailsPanel {
  readonly root = element('section', { class: 'details over', 'aria-label': 'Component', tabindex: '-1' });
  #handlers: DetailsHandlers;

  constructor(handlers: DetailsHandlers) {
    this.#handlers = handlers;
    this.root.hidden = true;
  }

  hide(): void {
    this.root.hidden = true;
  }

  loading(name: string): void {
    this.#show(name, element('p', { class: 'soft' }, 'Loading…'));
  }

  failed(name: string, message: string): void {
    this.#show(name, element('p', { class: 'soft' }, message));
  }

  show(key: string, details: Details): void {
    const { name, type, description, facts, connections, connectionCount } = details;
    const list = element('dl', {});
    for (const fact of facts) list.append(element('dt', {}, fact.name), element('dd', {}, fact.value));
    const listed = [true, false].map((isOutgoing) =>
      this.#connections(
        isOutgoing ? 'To' : 'From',
        connections.filter((one) => one.isOutgoing === isOutgoing),
      ),
    );
    const more = connectionCount - connections.length;
    const open = this.#handlers.open();
    const link = element('button', { type: 'button', class: 'link' }, 'Open in Planroom', icon('outside'));
    link.addEventListener('click', () => open?.(key));
    this.#show(
      name,
      element('p', { class: 'type' }, type),
      description ? element('p', { class: 'description' }, description) : undefined,
      facts.length > 0 ? list : undefined,
      ...listed,
      more > 0 ? element('p', { class: 'soft' }, `and ${more} more relationships`) : undefined,
      open ? link : undefined,
    );
  }

  #connections(heading: string, connections: Connection[]): HTMLElement | undefined {
    if (connections.length === 0) return undefined;
    const rows = connections.map(({ key, name, label }) => {
      const title = element('span', { class: 'name' }, name ?? key);
      const kind = element('span', { class: 'soft' }, label);
      // Components that are not in the drawing have no name here.
      if (name === undefined) return element('li', {}, title, kind);
      const button = element('button', { type: 'button' }, title, kind);
      button.addEventListener('click', () => this.#handlers.select(key));
      return element('li', {}, button);
    });
    return element('div', { class: 'connections' }, element('h3', {}, heading), element('ul', {}, ...rows));
  }

  #show(name: string, ...content: (HTMLElement | undefined)[]): void {
    this.root.replaceChildren(
      element(
        'header',
        {},
        element('h2', {}, name),
        iconButton('close', 'Close details', () => this.#handlers.close()),
      ),
      element(
        'div',
        { class: 'content', tabindex: '0', role: 'group', 'aria-label': 'Details' },
        ...content.filter((one) => one !== undefined),
      ),
    );
    this.root.hidden = false;
  }
}
