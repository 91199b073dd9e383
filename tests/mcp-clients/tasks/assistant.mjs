// An assistant that calls tools over HTTP, and counts the characters that a model writes and reads.

const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-11-25',
};

export class Assistant {
  /** Number of calls, and characters of their arguments and of the texts of their results. */
  counts = { calls: 0, in: 0, out: 0 };
  #url;
  #token;

  constructor(url, token) {
    this.#url = url;
    this.#token = token;
  }

  /** Calls a tool, which must succeed. Returns the content of the text. */
  async call(name, args = {}) {
    const { isError, text } = await this.#tool(name, args);
    if (isError) throw new Error(`${name} ${JSON.stringify(args).slice(0, 300)}: ${text}`);
    return JSON.parse(text);
  }

  /** Calls a tool, which must fail. Returns the text of the error. */
  async fail(name, args) {
    const { isError, text } = await this.#tool(name, args);
    if (!isError) throw new Error(`${name} ${JSON.stringify(args).slice(0, 300)} succeeded: ${text.slice(0, 300)}`);
    return text;
  }

  /** Sends a request other than a tool call, and counts it. Returns the result. */
  async request(method, params) {
    const result = await this.#send(method, params);
    this.#count(params, JSON.stringify(result));
    return result;
  }

  async #tool(name, args) {
    const { content, isError = false } = await this.#send('tools/call', { name, arguments: args });
    const { text } = content[0];
    this.#count(args, text);
    return { isError, text };
  }

  #count(args, text) {
    this.counts.calls += 1;
    this.counts.in += JSON.stringify(args).length;
    this.counts.out += text.length;
  }

  async #send(method, params) {
    const answer = await fetch(`${this.#url}/mcp`, {
      method: 'POST',
      headers: { ...HEADERS, Authorization: `Bearer ${this.#token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${body}`);
    const { result, error } = JSON.parse(body);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }
}
