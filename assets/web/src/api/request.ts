/** The requests of the functions in `generated.ts`. */
import { http, type RequestOptions } from './http';

/** Sends a request. A body is sent as JSON, or as it is if it is a file. */
export function request<T>(
  method: string,
  url: string,
  options: RequestOptions = {},
  body?: unknown,
): Promise<T> {
  if (body === undefined) return http(url, { ...options, method });
  if (body instanceof Blob) return http(url, { ...options, method, body });
  const headers = new Headers(options.headers);
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  return http(url, { ...options, method, headers, body: JSON.stringify(body) });
}

/** Tag of a URL path whose parameters are encoded. */
export function path(parts: TemplateStringsArray, ...parameters: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...parameters.map(encodeURIComponent));
}

/** Adds the query parameters that are set. */
export function withQuery(url: string, parameters: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size > 0 ? `${url}?${query}` : url;
}
