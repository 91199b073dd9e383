/**
 * The server measures texts in the fonts of Planroom, which the viewer may not be able to load. Texts that are wider in the
 * font of the machine are compressed to the room that they have.
 */

/** Space right of a text in a card or a group title, in map units. */
const RIGHT_MARGIN = 10;
/** A label covers its plate up to this distance on both sides. */
const PLATE_MARGIN = 8;

export function fitTexts(svg: SVGSVGElement): void {
  const wide: [SVGTextElement, number][] = [];
  for (const part of svg.querySelectorAll<SVGGElement>('g[data-id]')) {
    const room = part.dataset.from === undefined ? roomInCard(part) : roomOnPlate(part);
    for (const text of part.querySelectorAll('text')) {
      const most = room(text);
      if (most > 0 && text.getComputedTextLength() > most) wide.push([text, most]);
    }
  }
  // After all measurements, because each change would cost a layout.
  for (const [text, most] of wide) {
    text.setAttribute('textLength', String(Math.round(most * 10) / 10));
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
}

function roomInCard(part: SVGGElement): (text: SVGTextElement) => number {
  // The outline of a card, or the frame of a group, which is another element with the same key.
  const { id = '' } = part.dataset;
  const frames = part.parentElement?.querySelectorAll<SVGGraphicsElement>(
    `g[data-id="${CSS.escape(id)}"] > rect, g[data-id="${CSS.escape(id)}"] > g > path`,
  );
  const frame = frames?.[0]?.getBBox();
  return (text) => (frame ? frame.x + frame.width - RIGHT_MARGIN - Number(text.getAttribute('x')) : 0);
}

function roomOnPlate(part: SVGGElement): (text: SVGTextElement) => number {
  const plate = part.querySelector('rect');
  return () => (plate ? Number(plate.getAttribute('width')) - PLATE_MARGIN : 0);
}
