/** JSON-RPC with the MCP host by messages to the parent window (MCP Apps, protocol version 2026-01-26). */

export type Json = Record<string, unknown>;

/** An error that the host returned. */
export class HostError extends Error {}

interface Pending {
  resolve(result: Json): void;
  reject(error: Error): void;
}

export class Host {
  /** Handlers of notifications by method. */
  readonly notified: Record<string, (params: Json) => void> = {};
  /** Handlers of requests by method. A request without a handler has an empty result, which is right for `ping`. */
  readonly requested: Record<string, (params: Json) => Json> = {};
  #window: Window;
  #last = 0;
  #pending = new Map<number, Pending>();

  constructor(own: Window) {
    this.#window = own;
    own.addEventListener('message', ({ source, data }) => {
      // Only the parent window, not frames or other windows.
      if (source === own.parent && isObject(data) && data.jsonrpc === '2.0') this.#receive(data);
    });
  }

  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ id, method, params });
    });
  }

  notify(method: string, params: Json = {}): void {
    this.#post({ method, params });
  }

  #receive(message: Json): void {
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      const pending = this.#pending.get(Number(id));
      this.#pending.delete(Number(id));
      if (isObject(message.error))
        pending?.reject(new HostError(String(message.error.message ?? 'Unknown error')));
      else pending?.resolve(objectOf(message.result));
    } else if (id === undefined) {
      this.notified[method]?.(objectOf(params));
    } else {
      this.#post({ id, result: this.requested[method]?.(objectOf(params)) ?? {} });
    }
  }

  #post(message: Json): void {
    // The origin of the host is not known. The messages contain only what the host itself has sent, or asked for.
    this.#window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
