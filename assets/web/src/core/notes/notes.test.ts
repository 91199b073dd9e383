import { describe, expect, it } from 'vitest';
import type { Note } from '@/api/generated';
import { contrastRatio, noteColors } from '../drawing/colors';
import { noteLabel, noteTitle } from '../noteLabel';
import { frameTitleRect, noteAt, notesIn, withFrameContents } from './hits';
import { descriptionFromName, imageProblem, MAX_IMAGE_BYTES } from './image';
import { blocksText, linksOf } from './markdown';
import { NOTE_COLORS, placedNotes } from './note';
import { changedLayers } from './order';
import { parseMarkdown } from './parseMarkdown';
import { imageSize, resizedInProportion, resizedNote } from './resize';
import { fittingHeight, layoutText } from './textLayout';

function note(id: string, fields: Partial<Note> = {}): Note {
  const stamps = { workspaceId: 'w', revision: 1, createdAt: 0, updatedAt: 0 };
  return {
    ...stamps,
    id,
    kind: 'note',
    text: id,
    x: 0,
    y: 0,
    width: 100,
    height: 100,
    layer: 0,
    color: null,
    ...fields,
  };
}

function placed(...notes: Note[]) {
  return placedNotes(new Map(notes.map((one) => [one.id, one])));
}

const ids = (all: readonly { note: Note }[]) => all.map(({ note: { id } }) => id);

describe('the text of a note', () => {
  it('is a subset of Markdown', () => {
    const blocks = parseMarkdown(
      '# Plan\nfirst\nsecond **bold** *it* `code` ~~old~~\n\n- a\n  - b\n- [x] done\n\n3. three\n\n---',
    );
    expect(blocks.map(({ kind, marker, depth }) => [kind, marker, depth])).toEqual([
      ['heading', undefined, 0],
      ['paragraph', undefined, 0],
      ['item', '•', 0],
      ['item', '•', 1],
      ['item', '☑', 0],
      ['item', '3.', 0],
      ['rule', undefined, 0],
    ]);
    expect(blocks[1]?.lines.length).toBe(2);
    expect(blocks[1]?.lines[1]?.filter((run) => run.bold || run.italic || run.code || run.struck)).toEqual([
      { text: 'bold', bold: true },
      { text: 'it', italic: true },
      { text: 'code', code: true },
      { text: 'old', struck: true },
    ]);
  });

  it.each([
    '<script>alert(1)</script>',
    'a <b>bold</b> word',
    '<img src=x onerror=alert(1)>',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '&lt;b&gt;',
    '![photo](https://example.org/a.png)',
  ])('shows %s as it was typed', (text) => {
    const lines = parseMarkdown(text).flatMap((block) => block.lines);
    expect(lines.map((line) => line.map((run) => run.text).join('')).join('\n')).toBe(text);
  });

  it('links only to web and email addresses', () => {
    const text =
      '[a](https://a.example) [b](javascript:alert(1)) [c](data:text/html,x) [d](mailto:d@example.org) [e](/api/me)';
    expect(linksOf(parseMarkdown(text))).toEqual([
      { href: 'https://a.example', text: 'a' },
      { href: 'mailto:d@example.org', text: 'd' },
    ]);
    expect(blocksText(parseMarkdown(text))).toBe('a b c d e');
  });

  it('survives extreme nesting', () => {
    expect(parseMarkdown('> '.repeat(5000)).length).toBeGreaterThanOrEqual(0);
    expect(parseMarkdown(`${'- '.repeat(2000)}x`).length).toBeGreaterThan(0);
  });

  it('has a title without marks', () => {
    expect(noteTitle({ kind: 'note', text: '\n## **Move** the [database](https://x.y)\nrest' })).toBe(
      'Move the database',
    );
    expect(noteTitle({ kind: 'note', text: '- [ ] `deploy` it' })).toBe('deploy it');
    expect(noteTitle({ kind: 'frame', text: '# Phase 1' })).toBe('# Phase 1');
    expect(noteLabel({ kind: 'image', text: '' })).toBe('image');
    expect(noteLabel({ kind: 'note', text: 'x'.repeat(100) })).toHaveLength('note “”'.length + 40);
  });
});

describe('the layout of a text', () => {
  it('breaks lines within the width, also inside long words', () => {
    const blocks = parseMarkdown(`some words that need several lines ${'x'.repeat(80)}`);
    const { rows, height } = layoutText(blocks, 120);
    expect(rows.length).toBeGreaterThan(3);
    for (const { runs } of rows) {
      const end = Math.max(...runs.map((run) => run.x + run.width));
      // The space at the end of a row may extend beyond the width.
      expect(end).toBeLessThanOrEqual(126);
    }
    expect(height).toBe(rows.length * 21);
    expect(layoutText(blocks, 600).rows.length).toBeLessThan(rows.length);
  });

  it('makes a note high enough for its text', () => {
    expect(fittingHeight(parseMarkdown('one'), 200)).toBe(21 + 28);
    expect(fittingHeight(parseMarkdown('# one\n\ntwo'), 200)).toBe(28 + 8 + 21 + 28);
    expect(fittingHeight([], 200)).toBe(28);
  });
});

describe('the colors of notes', () => {
  it.each(NOTE_COLORS)('are readable in $id', ({ value }) => {
    for (const theme of ['light', 'dark'] as const) {
      const { fill, ink, soft } = noteColors(value, theme);
      expect(contrastRatio(ink, fill)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(soft, fill)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('notes on the map', () => {
  const frame = note('frame', {
    kind: 'frame',
    layer: -1,
    x: 0,
    y: 0,
    width: 400,
    height: 300,
    text: 'Phase',
  });
  const inner = note('inner', { x: 100, y: 100 });
  const above = note('above', { x: 150, y: 150, layer: 3 });
  const partly = note('partly', { x: 350, y: 100, layer: -5 });
  const all = placed(above, inner, frame, partly);

  it('are ordered by layer, then by creation', () => {
    expect(ids(all)).toEqual(['partly', 'frame', 'inner', 'above']);
    expect(ids(placed(note('b'), note('a')))).toEqual(['b', 'a']);
  });

  it('are hit at their topmost sheet, and frames at title and border', () => {
    expect(noteAt(all, { x: 170, y: 170 }, 1, false)?.note.id).toBe('above');
    expect(noteAt(all, { x: 110, y: 110 }, 1, false)?.note.id).toBe('inner');
    expect(noteAt(all, { x: 110, y: 110 }, 1, true)).toBeUndefined();
    expect(noteAt(all, { x: 10, y: -10 }, 1, true)?.note.id).toBe('frame');
    expect(noteAt(all, { x: 1, y: 200 }, 1, true)?.note.id).toBe('frame');
    // The title has the same size on the screen at every zoom.
    expect(noteAt(all, { x: 10, y: -80 }, 0.25, true)?.note.id).toBe('frame');
    expect(frameTitleRect(all[1] as (typeof all)[0], 0.25).height).toBe(96);
  });

  it('are selected by a frame that intersects them; frames, by one that contains them', () => {
    expect(notesIn(all, { x: 0, y: 0, width: 120, height: 120 })).toEqual(['inner']);
    expect(notesIn(all, { x: -1, y: -1, width: 402, height: 302 })).toEqual([
      'partly',
      'frame',
      'inner',
      'above',
    ]);
  });

  it('move with a frame if they are completely inside it', () => {
    expect([...withFrameContents(all, new Set(['frame']))].sort()).toEqual(['above', 'frame', 'inner']);
    expect([...withFrameContents(all, new Set(['inner']))]).toEqual(['inner']);
  });

  it('move forward and backward past what they overlap, and past the components', () => {
    const one = (id: string, change: Parameters<typeof changedLayers>[2]) =>
      Object.fromEntries(changedLayers(all, new Set([id]), change));
    expect(one('inner', 'forward')).toEqual({ inner: 4 });
    expect(one('above', 'forward')).toEqual({});
    expect(one('above', 'backward')).toEqual({ above: -1 });
    expect(one('frame', 'forward')).toEqual({ frame: 0 });
    expect(one('frame', 'backward')).toEqual({ frame: -6 });
    expect(one('inner', 'front')).toEqual({ inner: 4 });
    expect(one('inner', 'back')).toEqual({ inner: -6 });
    expect(one('above', 'front')).toEqual({});
    expect(one('partly', 'back')).toEqual({});
    const top = placed(note('a', { layer: 1000 }), note('b'));
    expect(changedLayers(top, new Set(['b']), 'front').get('b')).toBe(1000);
  });
});

describe('resizing', () => {
  const rect = { x: 100, y: 100, width: 200, height: 100 };

  it('moves the edges of a handle along the grid', () => {
    expect(resizedNote(rect, { x: 1, y: 1 }, { x: 33, y: -28 })).toEqual({ ...rect, width: 240, height: 80 });
    expect(resizedNote(rect, { x: -1, y: 0 }, { x: 33, y: 99 })).toEqual({ ...rect, x: 140, width: 160 });
    expect(resizedNote(rect, { x: 1, y: 0 }, { x: 33, y: 0 }, true).width).toBe(233);
  });

  it('has a minimum and a maximum', () => {
    expect(resizedNote(rect, { x: -1, y: -1 }, { x: 900, y: 900 })).toEqual({
      x: 260,
      y: 160,
      width: 40,
      height: 40,
    });
    expect(resizedNote(rect, { x: 1, y: 1 }, { x: 1e9, y: 0 }).width).toBe(20_000);
    expect(resizedInProportion(rect, { x: 1, y: 1 }, { x: -900, y: -900 })).toEqual({
      ...rect,
      width: 80,
      height: 40,
    });
  });

  it('keeps the proportions of images and their opposite corner', () => {
    expect(resizedInProportion(rect, { x: 1, y: 1 }, { x: 100, y: 0 })).toEqual({
      ...rect,
      width: 300,
      height: 150,
    });
    expect(resizedInProportion(rect, { x: -1, y: -1 }, { x: -100, y: -50 })).toEqual({
      x: 0,
      y: 50,
      width: 300,
      height: 150,
    });
    expect(imageSize({ width: 1600, height: 800 }, { width: 320, height: 240 })).toEqual({
      width: 320,
      height: 160,
    });
    expect(imageSize({ width: 100, height: 60 }, { width: 320, height: 240 })).toEqual({
      width: 100,
      height: 60,
    });
  });
});

describe('image files', () => {
  it('are checked before they are uploaded', () => {
    const file = { name: 'plan.png', type: 'image/png', size: MAX_IMAGE_BYTES };
    expect(imageProblem(file)).toBeUndefined();
    expect(imageProblem({ ...file, size: MAX_IMAGE_BYTES + 1 })).toBe(
      '“plan.png” has 2.1 MiB. Images can have at most 2 MiB. Make it smaller, then add it again.',
    );
    expect(imageProblem({ ...file, type: 'image/svg+xml' })).toContain('not a PNG, JPEG, WebP or GIF');
    expect(imageProblem({ ...file, size: 0 })).toBe('“plan.png” is empty.');
  });

  it('are described by their name if it says something', () => {
    expect(descriptionFromName('network_plan-v2.png')).toBe('network plan v2');
    expect(descriptionFromName('image.png')).toBe('');
    expect(descriptionFromName('IMG_2041.jpeg')).toBe('');
    expect(descriptionFromName('Screenshot (3).png')).toBe('');
  });
});
