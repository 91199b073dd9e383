import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../notes/parseMarkdown';
import { type ExportNote, noteArea, svgNote } from './notes';
import { PALETTES } from './svgElements';

const base: ExportNote = {
  id: 'n',
  kind: 'note',
  rect: { x: 10, y: 20, width: 200, height: 120 },
  color: '#f2c230',
  isBehind: false,
  title: '',
  blocks: [],
};

const draw = (note: Partial<ExportNote>) => svgNote({ ...base, ...note }, 'light', PALETTES.light);

describe('notes in exported images', () => {
  it('contain formatted text, without HTML', () => {
    const svg = draw({
      blocks: parseMarkdown('# Plan\n**Use** [one](https://example.org/?a=1&b=2) <script>x</script>'),
    });
    expect(svg).toContain('>Plan</text>');
    expect(svg).toMatch(/font-weight="600"[^>]*>Use<\/text>/);
    expect(svg).toContain('<a href="https://example.org/?a=1&amp;b=2">');
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).not.toContain('<script>');
  });

  it('leave out text that does not fit, with a mark', () => {
    const rows = draw({ blocks: parseMarkdown('line\n'.repeat(50)) }).match(/>(?:line|…)<\/text>/g);
    expect(rows).toEqual([...Array(4).fill('>line</text>'), '>…</text>']);
    expect(draw({ blocks: parseMarkdown('line\n'.repeat(4)) })).not.toContain('…');
  });

  it('have titles above frames', () => {
    expect(draw({ kind: 'frame', title: 'Phase <1>' })).toContain('>Phase &lt;1&gt;</text>');
    expect(noteArea({ ...base, kind: 'frame' })).toEqual({ x: 10, y: -4, width: 200, height: 144 });
  });

  it('embed images, or draw an empty box', () => {
    const svg = draw({ kind: 'image', title: 'A "plan"', image: 'data:image/png;base64,AAAA' });
    expect(svg).toContain('<title>A &quot;plan&quot;</title>');
    expect(svg).toContain('href="data:image/png;base64,AAAA"');
    expect(draw({ kind: 'image' })).not.toContain('<image');
  });
});
