/** Errors of API requests. */
import type { ErrorBody, Remedy } from './generated';
import { problemText } from './problem';

export class ApiError extends Error {
  /** HTTP status; 0 if the server could not be reached. */
  readonly status: number;
  readonly body: Partial<ErrorBody>;
  /** How long to wait before retrying, in milliseconds, from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfter?: number) {
    super(messageOf(body) || `The server returned status ${status} without an error message.`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** The machine-readable error code. */
  get code(): string | undefined {
    return this.body.code;
  }

  /** What is wrong with the field or the input, without the name of the field. */
  get problem(): string | undefined {
    return this.body.problem && problemText(this.body.problem);
  }

  /** Whether the same request may succeed later: the server is unreachable, busy or rate limiting. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502 || this.status === 507;
  }
}

/** What to do about an error in this client. `error` says it for clients of the API. */
const REMEDIES: Partial<Record<Remedy['kind'], string>> = {
  startDraft: 'Start a draft to propose the change.',
};

/** The message about an invalid field with its name; otherwise the message of the server. */
function messageOf({ error, reason, remedy, field, problem }: Partial<ErrorBody>): string | undefined {
  const advice = remedy && REMEDIES[remedy.kind];
  if (advice) return `${toSentence(reason ?? '')} ${advice}`;
  if (!problem) return reason ?? error;
  return field ? `${field}: ${problemText(problem)}` : problemText(problem);
}

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
