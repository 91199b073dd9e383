/**
 * Derives the colors of a card, for both themes, from one color of the catalog or of a lens. The parameters are in
 * `colors.json`.
 */
import parameters from './colors.json';

export type ColorTheme = 'light' | 'dark';

/** All colors are `#rrggbb`. */
export interface CardColors {
  fill: string;
  /** Outlines, icons and dots. */
  edge: string;
  /** Names. */
  ink: string;
  /** Smaller text. */
  soft: string;
}

type Rgb = readonly [number, number, number];

/** Number of steps in which a color is adjusted until its contrast is sufficient. */
const STEPS = 20;

const cache = new Map<string, CardColors>();

/** The colors of a card. Invalid colors are treated as gray. */
export function cardColors(color: string, theme: ColorTheme): CardColors {
  return derivedColors(color, theme, parameters[theme].fill);
}

/** The colors of a note, whose fill is stronger than that of a card. */
export function noteColors(color: string, theme: ColorTheme): CardColors {
  return derivedColors(color, theme, parameters[theme].noteFill);
}

function derivedColors(color: string, theme: ColorTheme, share: number): CardColors {
  const key = `${theme}${color}${share}`;
  const known = cache.get(key);
  if (known) return known;
  const made = deriveColors(parse(color), theme, share);
  // Color inputs fire for every color that the pointer passes.
  if (cache.size > 1000) cache.clear();
  cache.set(key, made);
  return made;
}

/** `share` is the share of the color in the fill. */
function deriveColors(color: Rgb, theme: ColorTheme, share: number): CardColors {
  const { contrast } = parameters;
  const values = parameters[theme];
  const [paper, sheet, ink] = [parse(values.paper), parse(values.sheet), parse(values.ink)];
  const fill = approach(mix(sheet, color, share), sheet, (one) => ratio(ink, one) >= contrast.text);
  const soft = approach(mix(fill, ink, values.soft), ink, (one) => ratio(one, fill) >= contrast.text);
  const edge = approach(
    mix(ink, color, values.edge),
    ink,
    (one) => ratio(one, fill) >= contrast.edge && ratio(one, paper) >= contrast.edge,
  );
  return { fill: format(fill), edge: format(edge), ink: format(ink), soft: format(soft) };
}

/** Moves a color toward another one, step by step, until `isGood` accepts it. */
function approach(from: Rgb, to: Rgb, isGood: (color: Rgb) => boolean): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const color = mix(from, to, step / STEPS);
    if (isGood(color)) return color;
  }
  return to;
}

/** Mixes `share` of the second color into the first, in sRGB. */
function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const [r, g, b] = one.map((part, at) => Math.round(part + ((other[at] as number) - part) * share));
  return [r as number, g as number, b as number];
}

/** The WCAG contrast ratio of two colors. */
export function contrastRatio(one: string, other: string): number {
  return ratio(parse(one), parse(other));
}

function ratio(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const GRAY: Rgb = [122, 130, 140];

function parse(color: string): Rgb {
  const value = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (!value) return GRAY;
  const number = Number.parseInt(value, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function format(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
