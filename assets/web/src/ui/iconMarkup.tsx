/** Icons as SVG markup, for exported images. */
import { Box } from 'lucide-react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { loadedTechnology } from './TechnologyIcon';
import { TYPE_ICONS } from './TypeIcon';

const known = new Map<string, string>();

/** The elements of a type icon in a 24 × 24 view box, drawn in `currentColor`. */
export function typeIconMarkup(icon: string): string {
  const made = known.get(icon) ?? renderIcon(icon);
  known.set(icon, made);
  return made;
}

function renderIcon(name: string): string {
  const Icon = TYPE_ICONS[name] ?? Box;
  const host = document.createElement('div');
  const root = createRoot(host);
  flushSync(() => root.render(<Icon />));
  const elements = host.querySelector('svg')?.innerHTML ?? '';
  root.unmount();
  return `<g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${elements}</g>`;
}

/** The logo of the first technology that has one, if the logos are loaded. */
export function technologyMarkup(technologies: readonly string[]): string | undefined {
  const found = loadedTechnology(technologies);
  return found && `<path d="${found.path}" fill="currentColor"/>`;
}
