/** A local image server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import type { Locator } from '@playwright/test';

export interface ImageHost {
  url: string;
  /** Environment variables that allow Planroom to fetch images from this host. */
  env: Record<string, string>;
  /** The number of requests for a path. */
  asked: (path: string) => number;
  end: () => void;
}

/** Serves a PNG at `/face.png` and a looping animation at `/moving.gif`. */
export async function startImageHost(): Promise<ImageHost> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (path === '/moving.gif') response.writeHead(200).end(MOVING);
    else if (path === '/face.png') response.writeHead(200, { 'Content-Type': 'text/html' }).end(face());
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: { PLANROOM_OUTBOUND_PICTURE_URLS: url },
    asked: (path) => counts.get(path) ?? 0,
    end: () => void server.close(),
  };
}

/** The loaded and visible images in an element. */
export function visibleImages(within: Locator): Locator {
  return within.locator('img[src^="blob:"]');
}

/** An animated GIF of one pixel, first red, then blue. */
export const MOVING = Buffer.from(
  'R0lGODlhAQABAIAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQAMgAAACwAAAAAAQABAAACAkQBACH5BAAyAAAALAAAAAABAAEAAAICTAEAOw==',
  'base64',
);

/** A PNG of 96 × 96 pixels that resembles a portrait. */
export function face(): Buffer {
  const size = 96;
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size * 3);
    for (let x = 0; x < size; x++) {
      const isHead = (x - 48) ** 2 + (y - 40) ** 2 < 20 ** 2 || (x - 48) ** 2 + (y - 104) ** 2 < 38 ** 2;
      row.set(isHead ? [222, 168, 132] : [52, 98, 120], 1 + x * 3);
    }
    return row;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
