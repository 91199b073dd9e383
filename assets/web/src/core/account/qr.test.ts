import { expect, it } from 'vitest';
import { qrPath } from './qr';

it('has three finder patterns', () => {
  const { size, path } = qrPath('otpauth://totp/Planroom:ada?secret=ABCDEFGHIJKLMNOP&issuer=Planroom');
  const dark = (column: number, row: number) => path.includes(`M${column + 4} ${row + 4}h`);
  const last = size - 8 - 1;
  for (const [column, row] of [
    [0, 0],
    [last, 0],
    [0, last],
  ] as const) {
    expect(dark(column, row)).toBe(true);
    expect(dark(Math.abs(column - 1), Math.abs(row - 1))).toBe(false);
  }
  expect(path.startsWith('M4 4')).toBe(true);
});
