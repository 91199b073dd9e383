// A reverse proxy that adds a token to MCP requests without one, because the conformance suite cannot send one.

import { createServer, request } from 'node:http';
import { once } from 'node:events';

export class Proxy {
  /** URL of the server. */
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
    // Headers are unchanged, including `Host` and `Origin`, which the server validates.
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
