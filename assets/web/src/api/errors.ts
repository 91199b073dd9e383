/** Why a request did not do what it was meant to. */
import type { ErrorBody } from './generated';

export class ApiError extends Error {
  /** HTTP status; 0 when the server was not reached. */
  readonly status: number;
  readonly body: Partial<ErrorBody>;
  /** How long to wait before trying again, in milliseconds, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfter?: number) {
    super(body.error ? withoutPosition(body.error) : `The server answered ${status} without saying why.`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** What callers branch on. */
  get code(): string | undefined {
    return this.body.code;
  }

  /** Whether the same request may succeed later: the server is away, busy, or asks for patience. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502 || this.status === 507;
  }
}

/** Where it stands in a body that a program made up says nothing to a person; how much is too much does. */
function withoutPosition(text: string): string {
  const [, field = '', limit = '', length = ''] = LENGTH_ERROR.exec(text) ?? [];
  if (!limit) return text.replace(POSITION, '');
  const [most, is] = [Number(limit), Number(length)];
  const group = (count: number) => count.toLocaleString('en');
  return is > most
    ? `${field}may have ${group(most)} characters; this has ${group(is)}. Take out ${group(is - most)}.`
    : `${field}must not be empty`;
}

const POSITION = / at line \d+ column \d+$/;
const LENGTH_ERROR = /^([\w.[\]]+: )?must have 1 to (\d+) characters, has (\d+)/;

export const SERVER_UNREACHABLE = 'The server cannot be reached.';

/** What to tell a person. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.retryAfter) {
    return `${toSentence(error.message)} Try again in ${Math.ceil(error.retryAfter / 1000)} s.`;
  }
  if (error instanceof ApiError && !error.body.field) return toSentence(error.message);
  return error instanceof Error ? error.message : String(error);
}

/** The API's messages begin small, for most are led by the name of a field; those of no field stand alone. */
export function toSentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
