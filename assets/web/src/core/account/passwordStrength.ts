/**
 * A rough estimate of password strength, shown while typing. The server decides what to reject. Length counts most.
 * Repetitions and sequences such as `aaaa` and `1234` add little, and a word counts as one dictionary word.
 */
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../limits';

export interface PasswordStrength {
  /** From 0 (empty) to 4. */
  level: 0 | 1 | 2 | 3 | 4;
  word: string;
}

/** The minimum bits of levels 2 to 4. */
const LEVEL_BITS = [36, 52, 70] as const;
const LEVEL_NAMES = ['', 'easy to guess', 'could be stronger', 'good', 'strong'] as const;

/** `known` are words that an attacker would try first, such as the login and the name. */
export function passwordStrength(password: string, known: readonly string[] = []): PasswordStrength {
  const length = [...password].length;
  if (length === 0) return { level: 0, word: '' };
  if (length < MIN_PASSWORD_CHARS)
    return { level: 1, word: `too short: at least ${MIN_PASSWORD_CHARS} characters` };
  if (length > MAX_PASSWORD_CHARS)
    return { level: 1, word: `too long: at most ${MAX_PASSWORD_CHARS} characters` };
  const bits = bitsOf(withoutKnownWords(password, known), Math.log2(alphabetSize(password)));
  const level = (1 + LEVEL_BITS.filter((step) => bits >= step).length) as 1 | 2 | 3 | 4;
  return { level, word: LEVEL_NAMES[level] };
}

/** The minimum length of a run of letters that counts as a word. */
const WORD = 4;
/** Bits of a dictionary word: one of about 16,000. */
const WORD_BITS = 14;

/** The entropy of a text with `each` bits per character. */
function bitsOf(text: string, each: number): number {
  const parts = text.match(/\p{L}+|\s+|[^\p{L}\s]+/gu) ?? [];
  return parts.reduce((sum, part) => {
    if (/^\s/.test(part)) return sum + 1;
    const bits = effectiveLength(part) * each;
    return sum + (/^\p{L}/u.test(part) && [...part].length >= WORD ? Math.min(bits, WORD_BITS) : bits);
  }, 0);
}

/** The effective length: a character that continues a repetition or sequence counts a quarter. */
function effectiveLength(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  return codes.reduce((sum, code, place) => {
    const step = Math.abs(code - (codes[place - 1] ?? Number.NaN));
    return sum + (step <= 1 ? 0.25 : 1);
  }, 0);
}

function withoutKnownWords(password: string, known: readonly string[]): string {
  const words = known.flatMap((text) => text.toLowerCase().split(/\s+/)).filter((word) => word.length > 2);
  return words.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase());
}

function alphabetSize(text: string): number {
  const kinds: readonly [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 32],
  ];
  return kinds.reduce((sum, [pattern, size]) => sum + (pattern.test(text) ? size : 0), 0);
}
