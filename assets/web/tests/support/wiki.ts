/** A fake wiki provider for browser tests that grants access immediately. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CLIENT = { id: 'client-of-stories', secret: 'secret-of-stories' };

export interface FakeWiki {
  /** Environment variables that configure Planroom to use this provider. */
  env: Record<string, string>;
  /** Renames a page. */
  rename: (id: string, title: string) => void;
  /** Revokes all tokens. */
  uninstall: () => void;
  end: () => void;
}

/** The ID of the page with this number. */
export function pageId(n: number): string {
  return n.toString(16).padStart(32, '0');
}

const titles = new Map<string, string>();

export async function startWiki(): Promise<FakeWiki> {
  let isGood = true;
  titles.clear();
  titles.set(pageId(1), 'Handbook').set(pageId(2), 'On call').set(pageId(3), 'Checkout runbook');
  const server = createServer((request, response) => void answer(request, response, () => isGood));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      PLANROOM_OUTBOUND_ALLOW_PRIVATE: 'true',
      PLANROOM_OUTBOUND_WIKI_URL: `http://127.0.0.1:${port}`,
      PLANROOM_OUTBOUND_PICTURE_URLS: `http://127.0.0.1:${port}/icons`,
      PLANROOM_OUTBOUND_WIKI_REQUESTS_PER_SECOND: '1000',
      PLANROOM_WIKI_CLIENT_ID: CLIENT.id,
      PLANROOM_WIKI_CLIENT_SECRET: CLIENT.secret,
    },
    rename: (id, title) => void titles.set(id, title),
    uninstall: () => {
      isGood = false;
    },
    end: () => void server.close(),
  };
}

/** The icon of a page: an emoji for the first, an uploaded image for the second, an external image for the third. */
function iconOf(id: string, host: string): object {
  if (id === pageId(1)) return { type: 'emoji', emoji: '📕' };
  if (id === pageId(2)) return { type: 'file', file: { url: `http://${host}/icons/call.svg?${sign()}` } };
  return { type: 'external', external: { url: `http://${host}/icons/cart.svg` } };
}

let signatures = 0;

/** Returns a new signature. Only the last one is valid. */
function sign(): string {
  return `X-Amz-Signature=${++signatures}`;
}

const CART =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="#c2410c"/></svg>';

function page(id: string, parent: object, host: string): object {
  const title = [{ plain_text: titles.get(id) }];
  const icon = iconOf(id, host);
  const url = `https://www.notion.so/${id}`;
  return { object: 'page', id, icon, parent, url, properties: { Name: { type: 'title', title } } };
}

function block(id: string): object {
  return { id, type: 'child_page', has_children: false, child_page: { title: titles.get(id) } };
}

/** Serves the cart image without a signature, and the uploaded image only with the latest signature. */
function draw(url: URL, response: ServerResponse) {
  const isRefused = url.pathname === '/icons/call.svg' && url.search !== `?X-Amz-Signature=${signatures}`;
  response.writeHead(isRefused ? 403 : 200).end(isRefused ? undefined : CART);
}

async function answer(request: IncomingMessage, response: ServerResponse, isGood: () => boolean) {
  const url = new URL(request.url ?? '/', 'http://wiki');
  const send = (status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const list = (...results: object[]) => send(200, { results, has_more: false, next_cursor: null });
  const host = request.headers.host ?? '';
  for await (const _ of request);
  if (url.pathname.startsWith('/icons/')) return draw(url, response);
  if (url.pathname === '/v1/oauth/authorize') {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.search = String(new URLSearchParams({ code: 'agreed', state: url.searchParams.get('state') ?? '' }));
    return response.writeHead(302, { Location: String(back) }).end();
  }
  if (!isGood()) {
    const isOauth = url.pathname.startsWith('/v1/oauth/');
    return isOauth ? send(400, { error: 'invalid_grant' }) : send(401, { code: 'unauthorized' });
  }
  if (url.pathname === '/v1/oauth/token') {
    const owner = { type: 'user', user: { name: 'Ada Lovelace' } };
    return send(200, {
      access_token: 'a',
      refresh_token: 'r',
      bot_id: 'b',
      workspace_name: 'Engines’ wiki',
      workspace_icon: '🏭',
      owner,
    });
  }
  if (url.pathname === '/v1/users/me') {
    return send(200, { id: 'b', name: 'Planroom', bot: { workspace_name: 'Engines’ wiki' } });
  }
  if (url.pathname === '/v1/search')
    return list(page(pageId(1), { type: 'workspace', workspace: true }, host));
  const [, kind, id, below] = /^\/v1\/(pages|blocks|oauth)\/(\w+)(\/children)?$/.exec(url.pathname) ?? [];
  if (below && id === pageId(1)) return list(block(pageId(2)), block(pageId(3)));
  if (below) return list();
  if (kind === 'pages' && id && titles.has(id)) {
    return send(200, page(id, { type: 'page_id', page_id: pageId(1) }, host));
  }
  return kind === 'oauth' ? send(200, {}) : send(404, { code: 'object_not_found' });
}
