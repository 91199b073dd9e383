import { describe, expect, test } from 'vitest';
import { complete, openMention, splitMentions } from './mentions';

const logins = new Set(['ada', 'a.b@example.org']);
const components = new Set(['checkout', 'team/api', '100%']);
const split = (text: string) =>
  splitMentions(
    text,
    (login) => logins.has(login),
    (id) => components.has(id),
  );

describe('mentions', () => {
  test('of users and components are pieces of their own', () => {
    expect(split('@ada, is #checkout right?')).toEqual([
      { text: '@ada', login: 'ada' },
      { text: ', is ' },
      { text: '#checkout', componentId: 'checkout' },
      { text: ' right?' },
    ]);
    expect(split('(@ada) @a.b@example.org. #team/api, #100%')).toEqual([
      { text: '(' },
      { text: '@ada', login: 'ada' },
      { text: ') ' },
      { text: '@a.b@example.org', login: 'a.b@example.org' },
      { text: '. ' },
      { text: '#team/api', componentId: 'team/api' },
      { text: ', ' },
      { text: '#100%', componentId: '100%' },
    ]);
  });

  test('of what does not exist are plain text', () => {
    for (const text of ['@nobody', 'mail@ada', '@adam', '#1', 'a#checkout', '@', '# checkout', '']) {
      expect(
        split(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
      expect(split(text).every(({ login, componentId }) => !login && !componentId)).toBe(true);
    }
  });

  test('are completed where they are typed', () => {
    expect(openMention('Hi @ad there', 6)).toEqual({ sign: '@', typed: 'ad', from: 3 });
    expect(openMention('Hi @', 4)).toEqual({ sign: '@', typed: '', from: 3 });
    expect(openMention('mail@ad', 7)).toBeNull();
    expect(openMention('Hi @ad ', 7)).toBeNull();
    const mention = openMention('Hi @ad there', 6);
    expect(mention && complete('Hi @ad there', 6, mention, 'ada')).toEqual({
      text: 'Hi @ada there',
      caret: 8,
    });
  });
});
