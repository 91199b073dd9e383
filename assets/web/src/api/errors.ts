/** Errors of API requests. */
import type { ErrorBody } from './generated';

export class ApiError extends Error {
  /** HTTP status; 0 if the server could not be reached. */
  readonly status: number;
  readonly body: Partial<ErrorBody>;
  /** How long to wait before retrying, in milliseconds, from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfter?: number) {
    super(
      body.error
        ? withoutPosition(body.error)
        : `The server returned status ${status} without an error message.`,
    );
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** The machine-readable error code. */
  get code(): string | undefined {
    return this.body.code;
  }

  /** Whether the same request may succeed later: the server is unreachable, busy or rate limiting. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502 || this.status === 507;
  }
}

/** Removes the path in the JSON body, which is meaningless to users, and states the excess length. */
function withoutPosition(text: string): string {
  const [, field = '', limit = '', length = ''] = LENGTH_ERROR.exec(text) ?? [];
  if (!limit) return text.replace(POSITION, '');
  const [most, is] = [Number(limit), Number(length)];
  const group = (count: number) => count.toLocaleString('en');
  return is > most
    ? `${field}must have at most ${group(most)} characters, has ${group(is)}. Remove ${group(is - most)}.`
    : `${field}must not be empty`;
}

const POSITION = / at line \d+ column \d+$/;
const LENGTH_ERROR = /^([\w.[\]]+: )?must have 1 to (\d+) characters, has (\d+)/;

export const SERVER_UNREACHABLE = 'Can’t reach the server.';

/** The message to show to a user. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.retryAfter) {
    const seconds = Math.ceil(error.retryAfter / 1000);
    return `${toSentence(error.message)} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  }
  if (error instanceof ApiError && !error.body.field) return toSentence(error.message);
  return error instanceof Error ? error.message : String(error);
}

/** Capitalizes a message and adds a period. API messages start in lowercase because most follow a field name. */
export function toSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
