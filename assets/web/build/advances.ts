/**
 * Generates `src/core/drawing/advances.json`: the advance widths of the bundled fonts, used to measure text without a
 * browser. Run `npm run advances` after updating a font package.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';

/** Fontsource packages and weights. The client's variable font has the same widths as the static one. */
const FACES = {
  'label-500': ['barlow-condensed', 500],
  'label-600': ['barlow-condensed', 600],
  text: ['source-sans-3', 400],
} as const;

/** Later files add characters that are missing in earlier ones. */
const SUBSETS = ['latin', 'latin-ext'];

/** Basic Latin to Latin Extended-B, and general punctuation. */
const RANGES = [
  [0x20, 0x24f],
  [0x2010, 0x203a],
] as const;

const UNITS = 1000;

function advancesOf(family: string, weight: number): Map<string, number> {
  const advances = new Map<string, number>();
  for (const subset of SUBSETS) {
    const file = `../node_modules/@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff2`;
    const font = fontkit.openSync(fileURLToPath(new URL(file, import.meta.url)));
    for (const [from, to] of RANGES) {
      for (let point = from; point <= to; point++) {
        const character = String.fromCodePoint(point);
        if (advances.has(character) || !font.hasGlyphForCodePoint(point)) continue;
        const { advanceWidth } = font.glyphForCodePoint(point);
        advances.set(character, Math.round((advanceWidth / font.unitsPerEm) * UNITS));
      }
    }
  }
  return advances;
}

/** The characters of each width, in thousandths of the font size. */
function grouped(advances: ReadonlyMap<string, number>): Record<number, string> {
  const groups: Record<number, string> = {};
  for (const [character, width] of advances) groups[width] = (groups[width] ?? '') + character;
  return groups;
}

/** The width of characters that are not in the table: the most common width of lowercase letters. */
function fallback(advances: ReadonlyMap<string, number>): number {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => advances.get(letter) ?? 0);
  return Math.round(letters.reduce((sum, width) => sum + width, 0) / letters.length);
}

/** The content of the generated file. */
export function advances(): string {
  const faces = Object.entries(FACES).map(([name, [family, weight]]) => {
    const found = advancesOf(family, weight);
    return [name, { fallback: fallback(found), advances: grouped(found) }];
  });
  return `${JSON.stringify(Object.fromEntries(faces), null, 2)}\n`;
}

export const ADVANCES_FILE = fileURLToPath(new URL('../src/core/drawing/advances.json', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(ADVANCES_FILE, advances());
