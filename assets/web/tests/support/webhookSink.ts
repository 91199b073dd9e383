/** A local receiver of webhooks that verifies signatures. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  type: string;
  data: Record<string, unknown>;
  id: string;
  /** Whether one of the signatures is that of a secret. */
  isSignedWith: (secret: string) => boolean;
}

export class WebhookSink {
  /** The status of all responses. */
  status = 204;
  readonly received: Received[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const header = (name: string) => String(request.headers[name]);
      const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`;
      const { type, data } = JSON.parse(body);
      this.received.push({
        type,
        data,
        id: header('webhook-id'),
        isSignedWith: (secret) => {
          const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
          const signature = createHmac('sha256', key).update(signed).digest('base64');
          return header('webhook-signature').split(' ').includes(`v1,${signature}`);
        },
      });
      response.writeHead(this.status).end();
    });
  });

  static async start(): Promise<WebhookSink> {
    const sink = new WebhookSink();
    await new Promise<void>((listening) => sink.#server.listen(0, '127.0.0.1', listening));
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Environment variables that allow Planroom to send webhooks to this receiver. */
  get env(): Record<string, string> {
    return { PLANROOM_OUTBOUND_WEBHOOK_URLS: this.url };
  }

  end(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
