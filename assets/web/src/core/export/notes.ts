/** Draws notes, frames and images as SVG. */

import type { NoteKind } from '@/api/generated';
import { type ColorTheme, noteColors } from '../drawing/colors';
import { wrapText } from '../drawing/textMetrics';
import type { Block } from '../notes/markdown';
import metrics from '../notes/note.json';
import { layoutText, type PlacedRun, type Row } from '../notes/textLayout';
import type { Rect } from '../scene/geometry';
import { formatNumber, type Palette, svgText } from './svgElements';
import { escapeXml } from './xml';

export interface ExportNote {
  id: string;
  kind: NoteKind;
  rect: Rect;
  color: string;
  /** Whether it is drawn under the components. */
  isBehind: boolean;
  /** The title of a frame, or the description of an image. */
  title: string;
  /** The text of a note. */
  blocks: readonly Block[];
  /** The image as a data URL; undefined if it is not available. */
  image?: string | undefined;
}

/** The area that a note needs, including the title above a frame. */
export function noteArea({ kind, rect }: ExportNote): Rect {
  const above = kind === 'frame' ? metrics.frameTitle.height : 0;
  return { ...rect, y: rect.y - above, height: rect.height + above };
}

export function svgNote(note: ExportNote, theme: ColorTheme, palette: Palette): string {
  const draw = { note: svgSheet, frame: svgFrame, image: svgImage }[note.kind];
  return `<g data-note="${note.kind}">${draw(note, theme, palette)}</g>`;
}

function box({ x, y, width, height }: Rect, more: string): string {
  const [left, top, wide, high] = [x, y, width, height].map(formatNumber);
  return `<rect x="${left}" y="${top}" width="${wide}" height="${high}" ${more}/>`;
}

function svgFrame({ rect, color, title }: ExportNote, theme: ColorTheme): string {
  const { fill, edge, soft } = noteColors(color, theme);
  const { size, height } = metrics.frameTitle;
  const [shown = ''] = wrapText(title, size, rect.width, 1);
  return (
    box(rect, `rx="4" fill="${fill}" fill-opacity="0.2" stroke="${edge}" stroke-opacity="0.65"`) +
    svgText(shown, rect.x, rect.y - height / 2, { size, fill: soft })
  );
}

function svgSheet({ rect, color, blocks }: ExportNote, theme: ColorTheme): string {
  const { fill, edge, ink } = noteColors(color, theme);
  const { padding, radius } = metrics;
  const { rows, rules } = layoutText(blocks, rect.width - 2 * padding);
  const [left, top] = [rect.x + padding, rect.y + padding];
  const room = rect.height - 2 * padding;
  const fits = (middle: number) => middle <= room;
  const shown = rows.filter(({ middle }) => fits(middle));
  return (
    box(rect, `rx="${radius}" fill="${fill}" stroke="${edge}" stroke-opacity="0.45"`) +
    rules
      .filter(fits)
      .map((y) => {
        const [x, end, at] = [left, left + rect.width - 2 * padding, top + y].map(formatNumber);
        return `<path d="M${x} ${at}H${end}" stroke="${ink}" stroke-opacity="0.4"/>`;
      })
      .join('') +
    shown.map((row) => svgRow(row, left, top, ink)).join('') +
    (shown.length < rows.length ? ellipsis(shown.at(-1), left, top, ink) : '')
  );
}

/** A mark after the last row that fits. */
function ellipsis(last: Row | undefined, left: number, top: number, fill: string): string {
  const { size, line } = metrics.text;
  const run = last?.runs.at(-1);
  const x = left + (run ? run.x + run.width : 0);
  return svgText('…', x, top + (last?.middle ?? line / 2), { size, fill, weight: 600, font: 'text' });
}

function svgRow({ runs, middle, size, isHeading }: Row, left: number, top: number, fill: string): string {
  return runs
    .map((run) => svgRun(run, { x: left + run.x, middle: top + middle, size, isHeading, fill }))
    .join('');
}

interface RunPlace {
  x: number;
  middle: number;
  size: number;
  isHeading: boolean;
  fill: string;
}

function svgRun({ text, bold, italic, code, struck, href }: PlacedRun, place: RunPlace): string {
  const { x, middle, size, isHeading, fill } = place;
  const decoration = [href ? 'underline' : '', struck ? 'line-through' : ''].filter(Boolean).join(' ');
  const more =
    ' xml:space="preserve"' +
    (italic ? ' font-style="italic"' : '') +
    (code ? ' font-family="monospace"' : '') +
    (decoration ? ` text-decoration="${decoration}"` : '');
  const shown = svgText(text, x, middle, {
    size: code ? size * metrics.codeScale : size,
    fill,
    weight: bold || isHeading ? 600 : 400,
    font: isHeading || code ? 'label' : 'text',
    more,
  });
  return href ? `<a href="${escapeXml(href)}">${shown}</a>` : shown;
}

function svgImage({ rect, title, image }: ExportNote, _: ColorTheme, { sheet, ink }: Palette): string {
  const name = title ? `<title>${escapeXml(title)}</title>` : '';
  if (!image)
    return `${name}${box(rect, `fill="${sheet}" stroke="${ink}" stroke-opacity="0.4" stroke-dasharray="4 3"`)}`;
  const [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(formatNumber);
  return `${name}<image x="${x}" y="${y}" width="${width}" height="${height}" href="${escapeXml(image)}"/>`;
}
