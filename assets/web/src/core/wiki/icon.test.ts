import { expect, test } from 'vitest';
import { isEmoji, isImage } from './icon';

test('an icon is an emoji, an image, or not shown', () => {
  const upload = `upload:${'0123456789abcdef'.repeat(2)}`;
  const kindOf = (icon: string) => [isEmoji(icon), isImage(icon)];
  expect(kindOf('🛒')).toEqual([true, false]);
  for (const picture of ['https://a.org/i.png', upload]) expect(kindOf(picture)).toEqual([false, true]);
  for (const nothing of ['', '/x.png', 'upload:', 'upload:0123', `${upload}0`, 'data:image/png;base64,x']) {
    expect(kindOf(nothing)).toEqual([false, false]);
  }
});
