/** Renders a map as SVG. */

import type { ColorTheme } from '../drawing/colors';
import { cardColors } from '../drawing/colors';
import { wrapText } from '../drawing/textMetrics';
import rules from '../route/rules.json';
import type { Point } from '../scene/geometry';
import type { LinePath } from '../scene/linePath';
import { GROUP_TITLE_HEIGHT } from '../scene/scene';
import { svgNote } from './notes';
import type { ExportGroup, ExportLine, ExportScene } from './scene';
import { DIMMED, svgCard } from './svgCard';
import { FONTS, formatNumber, PALETTES, type Palette, svgIcon, svgText } from './svgElements';
import { escapeXml } from './xml';

export interface SvgOptions {
  theme: ColorTheme;
  /** CSS with embedded fonts, for images that cannot load any. */
  fontCss?: string;
}

const GROUP_RADIUS = 6;
const GROUP_ICON = { size: 18, left: 12, gap: 8 };
const GROUP_NAME_SIZE = 18;
const LINE_WIDTH = 1.2;
/** Undirected lines are dashed. */
const DASH = '6 4';
const FAINT = 0.07;

export function sceneToSvg(
  { name, bounds, groups, lines, cards, notes }: ExportScene,
  { theme, fontCss = '' }: SvgOptions,
): string {
  const palette = PALETTES[theme];
  const [x, y, width, height] = [bounds.x, bounds.y, bounds.width, bounds.height].map(formatNumber);
  const colors = [...new Set(lines.filter(({ directed }) => directed).map(({ color }) => color))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}"`,
    ` width="${width}" height="${height}" role="img" font-family="${escapeXml(FONTS.label)}">`,
    `<title>${escapeXml(name)}</title>`,
    fontCss && `<style>${escapeXml(fontCss)}</style>`,
    `<defs>${colors.map((color, place) => arrow(color, place)).join('')}</defs>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${palette.paper}"/>`,
    ...notes.filter(({ isBehind }) => isBehind).map((note) => svgNote(note, theme, palette)),
    ...groups.map((group) => svgGroup(group, theme, palette)),
    ...lines.map((line) => svgLine(line, colors.indexOf(line.color))),
    ...lines.map((line) => svgLabel(line, palette)),
    // Cards are above the lines, as on the map, and notes above the cards.
    ...cards.map((card) => svgCard(card, theme, palette)),
    ...notes.filter(({ isBehind }) => !isBehind).map((note) => svgNote(note, theme, palette)),
    '</svg>',
  ].join('');
}

function arrow(color: string, place: number): string {
  return (
    `<marker id="a${place}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"` +
    ` orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="${escapeXml(color)}"/></marker>`
  );
}

function svgGroup(group: ExportGroup, theme: ColorTheme, { sheet, ink }: Palette): string {
  const { name, rect, color, icon, isDimmed } = group;
  const [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(formatNumber);
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${GROUP_RADIUS}"`;
  const { edge } = cardColors(color, theme);
  const middle = rect.y + GROUP_TITLE_HEIGHT / 2;
  const left = rect.x + GROUP_ICON.left;
  const textLeft = left + GROUP_ICON.size + GROUP_ICON.gap;
  const room = Math.max(0, rect.x + rect.width - GROUP_ICON.left - textLeft);
  const [shownName = ''] = wrapText(name, GROUP_NAME_SIZE, room, 1);
  return (
    `<g data-group=""${isDimmed ? ` opacity="${DIMMED}"` : ''}>` +
    `${frame} fill="${sheet}"/>` +
    `${frame} fill="${escapeXml(color)}" fill-opacity="0.05" stroke="${edge}" stroke-opacity="0.7" stroke-width="1.25"/>` +
    svgIcon(icon, left, middle - GROUP_ICON.size / 2, GROUP_ICON.size, edge) +
    svgText(shownName, textLeft, middle, { size: GROUP_NAME_SIZE, fill: ink }) +
    '</g>'
  );
}

function svgLine({ path, color, directed, isFaint }: ExportLine, place: number): string {
  const dash = directed ? '' : ` stroke-dasharray="${DASH}"`;
  const end = directed && place >= 0 && !isFaint ? ` marker-end="url(#a${place})"` : '';
  const opacity = isFaint ? ` opacity="${FAINT}"` : '';
  return (
    `<path d="${pathData(path)}" fill="none" stroke="${escapeXml(color)}" stroke-width="${LINE_WIDTH}"` +
    `${dash}${opacity}${end}/>`
  );
}

function pathData({ points, isCurve }: LinePath): string {
  if (!isCurve) return roundedPath(points, rules.cornerRadius);
  const [first, ...others] = points as [Point, ...Point[]];
  return `M${at(first)}${others.length === 3 ? 'C' : 'Q'}${others.map(at).join(' ')}`;
}

const at = ({ x, y }: Point) => `${formatNumber(x)} ${formatNumber(y)}`;

/** A polyline with rounded corners. */
function roundedPath(points: readonly Point[], radius: number): string {
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

/** The label at its position on the map, on the color of the background. */
function svgLabel({ label, isFaint }: ExportLine, { paper, ink }: Palette): string {
  if (!label || isFaint) return '';
  const { x, y, width, height, rows } = label;
  const { lineHeight, fontSize } = rules.labels;
  const top = y + height / 2 - ((rows.length - 1) * lineHeight) / 2;
  const plate = [x, y, width, height].map(formatNumber);
  return (
    `<rect x="${plate[0]}" y="${plate[1]}" width="${plate[2]}" height="${plate[3]}" fill="${paper}" fill-opacity="0.92"/>` +
    rows
      .map((row, index) =>
        svgText(row, x + width / 2, top + index * lineHeight, {
          size: fontSize,
          fill: ink,
          weight: 500,
          anchor: 'middle',
        }),
      )
      .join('')
  );
}
