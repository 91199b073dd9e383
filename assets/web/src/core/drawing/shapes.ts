/**
 * The shapes of cards. `shapes.json` describes them as paths of absolute `M`, `L`, `C`, `Q` and `Z` commands. A
 * coordinate is a percentage of the width or height, a distance, or a sum of both: `100%-9` is 9 px left of the right
 * edge.
 */
import data from './shapes.json';

export type ShapeName = keyof typeof data.shapes;

export interface Inset {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Shape {
  outline: string;
  /** Lines inside the outline. */
  detail?: string;
  /** A filled symbol in the outline color, shown instead of the icon. */
  figure?: string;
  dash?: readonly number[];
  /** The margins of the text area. */
  inset: Inset;
}

const SHAPES: Readonly<Record<ShapeName, Shape>> = data.shapes;
const SHAPE_OF_TYPE: Readonly<Record<string, string>> = data.types;

export function shape(name: ShapeName): Shape {
  return SHAPES[name];
}

/** The shape of a component that is not drawn as an expanded group. */
export function shapeOf(typeId: string, isCollapsedGroup: boolean): ShapeName {
  if (isCollapsedGroup) return 'stack';
  return (Object.hasOwn(SHAPE_OF_TYPE, typeId) ? SHAPE_OF_TYPE[typeId] : 'rectangle') as ShapeName;
}

type Part = 'outline' | 'detail' | 'figure';

const cache = new Map<string, string>();

/** A part of a shape as SVG path data at the given size; `''` if the shape has no such part. */
export function shapePath(name: ShapeName, part: Part, width: number, height: number): string {
  const key = `${name} ${part} ${width} ${height}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = resolvePath(SHAPES[name][part] ?? '', width, height);
  cache.set(key, made);
  return made;
}

const COORDINATE = /^(?:(-?[\d.]+)%)?([+-]?[\d.]+)?$/;

/** Resolves path data at the given size. */
export function resolvePath(path: string, width: number, height: number): string {
  let coordinates = 0;
  return path
    .split(' ')
    .map((token) => {
      if (/^[A-Z]?$/.test(token)) return token;
      const [, share, distance] = COORDINATE.exec(token) ?? [];
      if (share === undefined && distance === undefined) throw new Error(`${token} is not a coordinate.`);
      const whole = coordinates++ % 2 === 0 ? width : height;
      const value = (Number(share ?? 0) / 100) * whole + Number(distance ?? 0);
      return String(Math.round(value * 100) / 100);
    })
    .join(' ');
}
