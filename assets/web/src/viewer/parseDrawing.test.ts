// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { parseDrawing } from './parseDrawing';

const SVG = 'xmlns="http://www.w3.org/2000/svg"';

describe('a drawing', () => {
  it('is copied with its title and its styles apart', () => {
    const text = `<svg ${SVG} viewBox="0 0 10 10"><title>Shop</title><style>.t{fill:red}</style><g data-id="a"><text class="t">A &lt;b&gt;</text></g></svg>`;
    const { svg, title, css } = parseDrawing(text);
    expect([title, css]).toEqual(['Shop', '.t{fill:red}']);
    expect(svg.outerHTML).toBe(
      `<svg viewBox="0 0 10 10"><g data-id="a"><text class="t">A &lt;b&gt;</text></g></svg>`,
    );
  });

  it('loses everything that could run, load or link', () => {
    const hostile = [
      '<script>x()</script>',
      '<image href="https://example.org/x.png"/>',
      '<a href="javascript:x()"><text>a</text></a>',
      '<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="x()"/></foreignObject>',
      '<use href="#a"/>',
      '<set attributeName="onload" to="x()"/>',
      '<rect onload="x()" style="background:url(https://example.org)" fill="url(https://example.org/#a)" width="1"/>',
    ].join('');
    const { svg } = parseDrawing(`<svg ${SVG} onload="x()">${hostile}<path marker-end="url(#a0)"/></svg>`);
    expect(svg.outerHTML).toBe(`<svg><rect width="1"></rect><path marker-end="url(#a0)"></path></svg>`);
  });

  it('must be an SVG', () => {
    for (const text of ['', 'busy', '<html/>', `<svg ${SVG}>`]) expect(() => parseDrawing(text)).toThrow();
  });
});
