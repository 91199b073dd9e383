/** An AI assistant that calls the tools of the MCP server over HTTP with the token of a user. */
import type { Actor } from './actor.ts';

const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-11-25',
};

/** The content of the first text of a result. */
interface ToolResult {
  isError: boolean;
  text: string;
}

export class Assistant {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Connects an assistant with a new token of the user. */
  static async of(user: Actor, name: string): Promise<Assistant> {
    const { token } = await user.post('/api/me/tokens', { name });
    const assistant = new Assistant(user.url, token);
    await assistant.#send('initialize', {
      protocolVersion: HEADERS['MCP-Protocol-Version'],
      capabilities: {},
      clientInfo: { name, version: '1' },
    });
    return assistant;
  }

  /** Calls a tool, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read only the fields that they need
  async call(tool: string, args: object): Promise<any> {
    const { isError, text } = await this.#tool(tool, args);
    if (isError) throw new Error(`${tool}: ${text}`);
    return JSON.parse(text);
  }

  /** Calls a tool, which must fail. Returns the text of the error. */
  async fail(tool: string, args: object): Promise<string> {
    const { isError, text } = await this.#tool(tool, args);
    if (!isError) throw new Error(`${tool} succeeded: ${text}`);
    return text;
  }

  async #tool(name: string, args: object): Promise<ToolResult> {
    const { content, isError = false } = await this.#send('tools/call', { name, arguments: args });
    return { isError, text: content?.[0]?.text ?? '' };
  }

  async #send(method: string, params: object): Promise<{ content?: { text: string }[]; isError?: boolean }> {
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
