/** Draws a card as SVG, with the same rows and distances as on the map. */
import { fittingRows, textRoom } from '../drawing/card';
import metrics from '../drawing/card.json';
import { type CardColors, type ColorTheme, cardColors } from '../drawing/colors';
import { shape, shapePath } from '../drawing/shapes';
import { type Face, textWidth, wrapText } from '../drawing/textMetrics';
import type { ExportCard } from './scene';
import { formatNumber, type Palette, svgIcon, svgText } from './svgElements';

const OUTLINE_WIDTH = 1.25;
/** Opacity of components that do not match the filters. */
export const DIMMED = 0.3;

export function svgCard(card: ExportCard, theme: ColorTheme, palette: Palette): string {
  const { rect, content, color, isDimmed } = card;
  const colors = cardColors(color, theme);
  const opacity = isDimmed ? ` opacity="${DIMMED}"` : '';
  return (
    `<g transform="translate(${formatNumber(rect.x)} ${formatNumber(rect.y)})" data-shape="${content.shape}"${opacity}>` +
    `${outline(card, colors)}${face(card, colors, theme, palette)}</g>`
  );
}

function outline({ content, rect: { width, height } }: ExportCard, { fill, edge }: CardColors): string {
  const { dash, detail, figure } = shape(content.shape);
  const path = (part: 'outline' | 'detail' | 'figure') => shapePath(content.shape, part, width, height);
  const stroke = `stroke="${edge}" stroke-width="${OUTLINE_WIDTH}"`;
  return (
    `<path d="${path('outline')}" fill="${fill}" ${stroke}${dash ? ` stroke-dasharray="${dash.join(' ')}"` : ''}/>` +
    (detail ? `<path d="${path('detail')}" fill="none" ${stroke}/>` : '') +
    (figure ? `<path d="${path('figure')}" fill="${edge}"/>` : '')
  );
}

/** The icon, the name, the note and the description, centered vertically. */
function face(card: ExportCard, colors: CardColors, theme: ColorTheme, palette: Palette): string {
  const { content, rect, icon } = card;
  const { inset, figure } = shape(content.shape);
  const rows = fittingRows(content, rect);
  const { name, note, description } = metrics;
  const textHeight = rows.nameLines * name.line + (rows.hasNote ? note.line : 0);
  const headHeight = Math.max(textHeight, figure ? 0 : metrics.icon.size);
  const below = rows.descriptionLines > 0 ? description.gap + rows.descriptionLines * description.line : 0;
  const room = rect.height - inset.top - inset.bottom;
  const top = inset.top + (room - headHeight - below) / 2;
  const left = inset.left + (figure ? 0 : metrics.icon.size + metrics.icon.gap);
  const textTop = top + (headHeight - textHeight) / 2;
  const width = textRoom(content, rect.width);
  const names = wrapText(content.name, name.size, width, rows.nameLines, name.face as Face);
  const descriptions = wrapText(
    content.description,
    description.size,
    rect.width - inset.left - inset.right,
    Math.max(1, rows.descriptionLines),
    description.face as Face,
  );
  const descriptionTop = top + headHeight + description.gap;
  return [
    figure
      ? ''
      : svgIcon(icon, inset.left, top + (headHeight - metrics.icon.size) / 2, metrics.icon.size, colors.edge),
    ...names.map((line, at) =>
      svgText(line, left, textTop + (at + 0.5) * name.line, { size: name.size, fill: colors.ink }),
    ),
    rows.hasNote
      ? noteRow(card, { left, width, middle: textTop + rows.nameLines * name.line + note.line / 2 }, colors, {
          theme,
          palette,
        })
      : '',
    ...(rows.descriptionLines > 0 ? descriptions : []).map((line, at) =>
      svgText(line, inset.left, descriptionTop + (at + 0.5) * description.line, {
        size: description.size,
        fill: colors.soft,
        weight: 400,
        font: 'text',
      }),
    ),
  ].join('');
}

interface NotePlace {
  left: number;
  width: number;
  middle: number;
}

/** The lifecycle, the note and the owner. */
function noteRow(
  { note, lifecycle, owner }: ExportCard,
  { left, width, middle }: NotePlace,
  { soft }: CardColors,
  { theme, palette }: { theme: ColorTheme; palette: Palette },
): string {
  const { size, face: font } = metrics.note;
  const before = lifecycle === undefined ? 0 : metrics.lifecycle.size + metrics.lifecycle.gap;
  const after = owner ? metrics.owner.size + metrics.owner.gap : 0;
  const [text = ''] = wrapText(
    note,
    size,
    Math.max(width - before - after, textWidth('…', size)),
    1,
    font as Face,
  );
  const radius = metrics.owner.size / 2;
  const circle = () => {
    const colors = cardColors(owner?.color ?? '', theme);
    const x = left + width - radius;
    return (
      `<circle cx="${formatNumber(x)}" cy="${formatNumber(middle)}" r="${radius - 0.5}" fill="${colors.fill}" stroke="${colors.edge}"/>` +
      svgText(owner?.initials ?? '', x, middle, { size: 10, fill: colors.ink, anchor: 'middle' })
    );
  };
  return (
    (lifecycle === undefined ? '' : lifecycleMark(lifecycle, left, middle, soft, palette)) +
    svgText(text, left + before, middle, { size, fill: soft, weight: 400, font: 'text' }) +
    (owner ? circle() : '')
  );
}

/** Each lifecycle state has a different shape. */
function lifecycleMark(state: string, left: number, middle: number, soft: string, palette: Palette): string {
  const radius = metrics.lifecycle.size / 2;
  const [x, y] = [left + radius, middle];
  const r = radius - 0.75;
  const ring = (fill: string, stroke: string, more = '') =>
    `<circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${r}" fill="${fill}" stroke="${stroke}" stroke-width="1.5"${more}/>`;
  const marks: Readonly<Record<string, () => string>> = {
    idea: () => ring('none', soft, ' stroke-dasharray="1.5 1.5"'),
    building: () =>
      `${ring('none', soft)}<path d="M${formatNumber(x)} ${formatNumber(y - r)}A${r} ${r} 0 0 0 ${formatNumber(x)} ${formatNumber(y + r)}Z" fill="${soft}"/>`,
    deprecated: () =>
      `<path d="M${formatNumber(x)} ${formatNumber(y - 4)}l4 4l-4 4l-4 -4Z" fill="none" stroke="${palette.warn}" stroke-width="1.5"/>`,
    retired: () =>
      `<path d="M${formatNumber(left)} ${formatNumber(y)}h8" stroke="${soft}" stroke-width="1.5"/>`,
  };
  const mark = Object.hasOwn(marks, state) ? marks[state] : undefined;
  return `<g data-lifecycle="${encodeURIComponent(state.toWellFormed())}">${mark ? mark() : ring('none', soft)}</g>`;
}
