/** Renders a map as SVG, from the model only. */
import { textWidth, wrapText } from '@/core/drawing/textMetrics';
import rules from '@/core/route/rules.json';
import type { Point } from '@/core/scene/geometry';
import type { ExportLine, ExportScene, ExportShape } from './scene';
import { escapeXml } from './xml';

export interface SvgOptions {
  theme: 'light' | 'dark';
  /** CSS with embedded fonts, for images that cannot load any. */
  fontCss?: string;
}

/** The design tokens as plain colors, because SVG files cannot use the CSS variables of the page. */
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
  { name, bounds, shapes, lines }: ExportScene,
  { theme, fontCss = '' }: SvgOptions,
): string {
  const palette = PALETTES[theme];
  const { x, y, width, height } = bounds;
  const boxes = shapes.filter(({ isGroup }) => isGroup);
  const componentShapes = shapes.filter(({ isGroup }) => !isGroup);
  const colors = [...new Set(lines.filter(({ directed }) => directed).map(({ color }) => color))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${formatNumber(x)} ${formatNumber(y)} ${formatNumber(width)} ${formatNumber(height)}"`,
    ` width="${formatNumber(width)}" height="${formatNumber(height)}" role="img" font-family="${escapeXml(LABEL)}">`,
    `<title>${escapeXml(name)}</title>`,
    fontCss && `<style>${escapeXml(fontCss)}</style>`,
    `<defs>${colors.map((color, place) => arrow(color, place)).join('')}</defs>`,
    `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" fill="${palette.paper}"/>`,
    ...boxes.map((shape) => box(shape, palette)),
    ...lines.map((line) => path(line, colors.indexOf(line.color))),
    ...lines.map((line) => label(line, palette)),
    // Components last, so that lines and labels do not cover their names.
    ...componentShapes.map((shape) => node(shape, palette)),
    '</svg>',
  ].join('');
}

function arrow(color: string, place: number): string {
  return (
    `<marker id="a${place}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"` +
    ` orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="${escapeXml(color)}"/></marker>`
  );
}

function box({ name, type, color, rect }: ExportShape, { well, ink, soft, line }: Palette): string {
  const { x, y, width, height } = rect;
  const shownName = wrapText(name, 17, width - 32 - textWidth(type, 13), 1)[0] ?? '';
  return (
    `<g><rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" rx="3" fill="${well}"` +
    ` fill-opacity="0.7" stroke="${line}"/>` +
    `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="3" fill="${escapeXml(color)}"/>` +
    text(shownName, x + 12, y + 25, 17, ink, 600) +
    text(type, x + width - 12, y + 25, 13, soft, 500, 'end') +
    '</g>'
  );
}

function node({ name, type, color, rect }: ExportShape, { sheet, ink, soft, line }: Palette): string {
  const { x, y, width, height } = rect;
  const lines = wrapText(name, 16, width - 24, 2);
  const top = lines.length === 1 ? y + 29 : y + 21;
  return (
    `<g><rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" rx="3" fill="${sheet}"` +
    ` stroke="${line}"/>` +
    `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="5" height="${formatNumber(height)}" fill="${escapeXml(color)}"/>` +
    lines.map((line, place) => text(line, x + 14, top + place * 18, 16, ink, 600)).join('') +
    text(wrapText(type, 13, width - 24, 1)[0] ?? '', x + 14, y + height - 8, 13, soft, 500) +
    '</g>'
  );
}

function path({ from, to, color, directed, isLoop, route }: ExportLine, place: number): string {
  const data = route
    ? roundedPath(route.points, rules.cornerRadius)
    : isLoop
      ? `M${formatNumber(from.x)} ${formatNumber(from.y)}c36 -10 36 -44 -18 -32`
      : `M${formatNumber(from.x)} ${formatNumber(from.y)}L${formatNumber(to.x)} ${formatNumber(to.y)}`;
  const end = directed && place >= 0 ? ` marker-end="url(#a${place})"` : '';
  return `<path d="${data}" fill="none" stroke="${escapeXml(color)}" stroke-width="1.5"${end}/>`;
}

/** A polyline with rounded corners. */
function roundedPath(points: readonly Point[], radius: number): string {
  const at = ({ x, y }: Point) => `${formatNumber(x)} ${formatNumber(y)}`;
  const bends = points.slice(1, -1).map((corner, index) => {
    const before = points[index] as Point;
    const after = points[index + 2] as Point;
    return `L${at(pointTowards(corner, before, radius))}Q${at(corner)} ${at(pointTowards(corner, after, radius))}`;
  });
  return `M${at(points[0] as Point)}${bends.join('')}L${at(points.at(-1) as Point)}`;
}

/** The point at a distance toward another point, at most halfway. */
function pointTowards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = Math.min(distance / length, 0.5);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function label(line: ExportLine, palette: Palette): string {
  const { route } = line;
  if (!route) return straightLabel(line, palette);
  if (!route.label) return '';
  const { x, y, width, height, rows } = route.label;
  const top = y + height / 2 - ((rows.length - 1) * rules.labels.lineHeight) / 2;
  return rows
    .map((row, at) =>
      text(
        row,
        x + width / 2,
        top + at * rules.labels.lineHeight + 4,
        rules.labels.fontSize,
        palette.soft,
        500,
        'middle',
        halo(palette),
      ),
    )
    .join('');
}

/** An outline in the background color that separates text from lines. */
function halo({ paper }: Palette): string {
  return ` stroke="${paper}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`;
}

function straightLabel({ from, to, label, isLoop }: ExportLine, palette: Palette): string {
  const [x, y] = isLoop ? [from.x + 30, from.y - 22] : [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const room = isLoop ? 160 : Math.min(160, Math.hypot(to.x - from.x, to.y - from.y) - 12);
  if (room < 20) return '';
  const shownLabel = wrapText(label, 13, room, 1)[0] ?? '';
  return text(shownLabel, x, y + 4, 13, palette.soft, 500, isLoop ? 'start' : 'middle', halo(palette));
}

function text(
  content: string,
  x: number,
  y: number,
  size: number,
  fill: string,
  weight: 500 | 600,
  anchor: 'start' | 'middle' | 'end' = 'start',
  more = '',
): string {
  if (!content) return '';
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return (
    `<text x="${formatNumber(x)}" y="${formatNumber(y)}" font-size="${size}" font-weight="${weight}" fill="${fill}"${place}${more}>` +
    `${escapeXml(content)}</text>`
  );
}

/** Formats a number with only as many digits as make a visible difference. */
function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10);
}
