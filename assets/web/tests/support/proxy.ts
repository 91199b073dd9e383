/** A reverse proxy that serves a server below a path, as one of several applications on its host. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  /** The URL of the server behind the proxy. */
  url: string;
  /** Connects the proxy with a server. */
  forwardTo: (url: string) => void;
  end: () => void;
}

/** Starts a proxy for `/plans`. `strip`: it removes the prefix from requests. All other paths are answered with 418. */
export async function startProxy(strip: boolean): Promise<Proxy> {
  let target = '';
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (path !== '/plans' && !path.startsWith('/plans/')) {
      outgoing.writeHead(418).end('another application');
      return;
    }
    const forwarded = request(
      new URL(target).origin + (strip ? path.slice('/plans'.length) || '/' : path),
      { method: incoming.method, headers: incoming.headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        outgoing.flushHeaders();
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/plans`,
    forwardTo: (url) => {
      target = url;
    },
    end: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
