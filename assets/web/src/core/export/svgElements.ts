/** Elements of SVG images. */
import { escapeXml } from './xml';

/** The fonts of the map, with similar fonts for programs that do not have them. */
export const FONTS = {
  label: "'Barlow Condensed', 'Arial Narrow', 'Liberation Sans Narrow', system-ui, sans-serif",
  text: "'Source Sans 3 Variable', 'Source Sans 3', system-ui, sans-serif",
} as const;

/** The design tokens as plain colors, because SVG files cannot use the CSS variables of the page. */
export const PALETTES = {
  light: { paper: '#f6f3ea', sheet: '#fffdf8', ink: '#1b2631', warn: '#8a5a00' },
  dark: { paper: '#0e2035', sheet: '#142d49', ink: '#e8eff7', warn: '#f2c26b' },
} as const;

export type Palette = (typeof PALETTES)['light' | 'dark'];

/** Share of the font size between the center of a line of text and its baseline. */
const BASELINE = 0.34;

export interface TextStyle {
  size: number;
  fill: string;
  weight?: 400 | 500 | 600;
  font?: keyof typeof FONTS;
  anchor?: 'start' | 'middle' | 'end';
  /** Further attributes. */
  more?: string;
}

/** A line of text whose vertical center is `middle`. */
export function svgText(content: string, x: number, middle: number, style: TextStyle): string {
  if (!content) return '';
  const { size, fill, weight = 600, font = 'label', anchor = 'start', more = '' } = style;
  const family = font === 'label' ? '' : ` font-family="${escapeXml(FONTS[font])}"`;
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return (
    `<text x="${formatNumber(x)}" y="${formatNumber(middle + size * BASELINE)}" font-size="${size}"` +
    ` font-weight="${weight}" fill="${fill}"${family}${place}${more}>${escapeXml(content)}</text>`
  );
}

/** An icon from a 24 × 24 view box. */
export function svgIcon(icon: string, x: number, y: number, size: number, color: string): string {
  if (!icon) return '';
  const scale = Math.round((size / 24) * 1000) / 1000;
  return `<g transform="translate(${formatNumber(x)} ${formatNumber(y)}) scale(${scale})" color="${color}">${icon}</g>`;
}

/** Formats a number with only as many digits as make a visible difference. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10);
}
