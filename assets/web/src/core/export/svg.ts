/** A map as SVG, drawn from the model only. */
import type { Line, Scene, Shape } from './scene';
import { broken, widthOf } from './words';
import { escaped } from './xml';

export interface SvgOptions {
  theme: 'light' | 'dark';
  /** CSS with embedded fonts, for images that cannot load any. */
  fontCss?: string;
}

/** The design tokens as plain colors, because an SVG file has no CSS variables. */
const PALETTES = {
  light: {
    paper: '#f6f3ea',
    sheet: '#fffdf8',
    well: '#eee9db',
    ink: '#1b2631',
    soft: '#55606c',
    line: '#8d8672',
  },
  dark: {
    paper: '#0e2035',
    sheet: '#142d49',
    well: '#0a192b',
    ink: '#e8eff7',
    soft: '#a3b8ce',
    line: '#6583a3',
  },
} as const;

type Palette = (typeof PALETTES)['light' | 'dark'];

const LABEL = "'Barlow Condensed', 'Arial Narrow', 'Liberation Sans Narrow', system-ui, sans-serif";

export function sceneToSvg(
  { name, bounds, shapes, lines }: Scene,
  { theme, fontCss = '' }: SvgOptions,
): string {
  const palette = PALETTES[theme];
  const { x, y, width, height } = bounds;
  const boxes = shapes.filter(({ isBox }) => isBox);
  const rest = shapes.filter(({ isBox }) => !isBox);
  const colors = [...new Set(lines.filter(({ directed }) => directed).map(({ color }) => color))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${n(x)} ${n(y)} ${n(width)} ${n(height)}"`,
    ` width="${n(width)}" height="${n(height)}" role="img" font-family="${escaped(LABEL)}">`,
    `<title>${escaped(name)}</title>`,
    fontCss && `<style>${escaped(fontCss)}</style>`,
    `<defs>${colors.map((color, place) => arrow(color, place)).join('')}</defs>`,
    `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${palette.paper}"/>`,
    ...boxes.map((shape) => box(shape, palette)),
    ...lines.map((line) => path(line, colors.indexOf(line.color))),
    ...lines.map((line) => label(line, palette)),
    // Components last: no line nor label hides what one is called.
    ...rest.map((shape) => node(shape, palette)),
    '</svg>',
  ].join('');
}

function arrow(color: string, place: number): string {
  return (
    `<marker id="a${place}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"` +
    ` orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="${escaped(color)}"/></marker>`
  );
}

function box({ name, type, color, rect }: Shape, { well, ink, soft, line }: Palette): string {
  const { x, y, width, height } = rect;
  const shown = broken(name, 17, width - 32 - widthOf(type, 13), 1)[0] ?? '';
  return (
    `<g><rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="3" fill="${well}"` +
    ` fill-opacity="0.7" stroke="${line}"/>` +
    `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="3" fill="${escaped(color)}"/>` +
    text(shown, x + 12, y + 25, 17, ink, 600) +
    text(type, x + width - 12, y + 25, 13, soft, 500, 'end') +
    '</g>'
  );
}

function node({ name, type, color, rect }: Shape, { sheet, ink, soft, line }: Palette): string {
  const { x, y, width, height } = rect;
  const lines = broken(name, 16, width - 24, 2);
  const top = lines.length === 1 ? y + 29 : y + 21;
  return (
    `<g><rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="3" fill="${sheet}"` +
    ` stroke="${line}"/>` +
    `<rect x="${n(x)}" y="${n(y)}" width="5" height="${n(height)}" fill="${escaped(color)}"/>` +
    lines.map((one, place) => text(one, x + 14, top + place * 18, 16, ink, 600)).join('') +
    text(broken(type, 13, width - 24, 1)[0] ?? '', x + 14, y + height - 8, 13, soft, 500) +
    '</g>'
  );
}

function path({ from, to, color, directed, isLoop }: Line, place: number): string {
  const way = isLoop
    ? `M${n(from.x)} ${n(from.y)}c36 -10 36 -44 -18 -32`
    : `M${n(from.x)} ${n(from.y)}L${n(to.x)} ${n(to.y)}`;
  const end = directed && place >= 0 ? ` marker-end="url(#a${place})"` : '';
  return `<path d="${way}" fill="none" stroke="${escaped(color)}" stroke-width="1.5"${end}/>`;
}

function label({ from, to, label: said, isLoop }: Line, { paper, soft }: Palette): string {
  const [x, y] = isLoop ? [from.x + 30, from.y - 22] : [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const room = isLoop ? 160 : Math.min(160, Math.hypot(to.x - from.x, to.y - from.y) - 12);
  if (room < 20) return '';
  const shown = broken(said, 13, room, 1)[0] ?? '';
  // The paper around the letters keeps them off the lines.
  const halo = ` stroke="${paper}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`;
  return text(shown, x, y + 4, 13, soft, 500, isLoop ? 'start' : 'middle', halo);
}

function text(
  said: string,
  x: number,
  y: number,
  size: number,
  fill: string,
  weight: 500 | 600,
  anchor: 'start' | 'middle' | 'end' = 'start',
  more = '',
): string {
  if (!said) return '';
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return (
    `<text x="${n(x)}" y="${n(y)}" font-size="${size}" font-weight="${weight}" fill="${fill}"${place}${more}>` +
    `${escaped(said)}</text>`
  );
}

/** A number with only as many digits as are visible. */
function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
