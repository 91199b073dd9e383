// A reverse proxy that puts a token on each request to the MCP server that has none: the conformance suite can send none.

import { createServer, request } from 'node:http';
import { once } from 'node:events';

export class Proxy {
  /** Whom it passes requests on to. */
  target = '';
  token = '';
  url = '';
  #server;

  static async start() {
    const proxy = new Proxy();
    proxy.#server = createServer((incoming, outgoing) => proxy.#pass(incoming, outgoing)).listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.url = `http://127.0.0.1:${proxy.#server.address().port}`;
    return proxy;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #pass(incoming, outgoing) {
    // As they came, `Host` and `Origin` too: who is refused for them is refused by the server.
    const headers = { ...incoming.headers, connection: 'close' };
    if (incoming.url === '/mcp') headers.authorization ??= `Bearer ${this.token}`;
    const { hostname, port } = new URL(this.target);
    const passed = request({ hostname, port, method: incoming.method, path: incoming.url, headers, setHost: false });
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => outgoing.destroy(error));
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }
}
