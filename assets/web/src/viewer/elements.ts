/** Builds elements. Texts are always text nodes. */

type Child = Node | string | undefined;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | number>,
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Paths of icons in a box of 16 by 16. */
const ICONS = {
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  enlarge: 'M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9',
  reduce: 'M13 7H9V3M9 7l4.5-4.5M3 9h4v4M7 9l-4.5 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  play: 'M5 3.2v9.6l8-4.8Z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  outside: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
} as const;

export type Icon = keyof typeof ICONS;

export function icon(name: Icon): SVGSVGElement {
  const path = svgElement('path', { d: ICONS[name] });
  return svgElement('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' }, path);
}

/** A button with an icon. Its label is also its tooltip. */
export function iconButton(name: Icon, label: string, action: () => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'tool', 'aria-label': label, title: label },
    icon(name),
  );
  button.addEventListener('click', action);
  return button;
}

/** Changes the icon and the label of a button. */
export function relabel(button: HTMLButtonElement, name: Icon, label: string): void {
  button.replaceChildren(icon(name));
  button.setAttribute('aria-label', label);
  button.title = label;
}
