import { beforeEach, describe, expect, it, vi } from 'vitest';
import { client, type OpenApi } from '../../build/api.ts';
import { getNoteUrl, listInbox, search, updateNote, uploadImage } from './generated';
import { path, request, withQuery } from './request';

const sent = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

/** Options of a request that does not wait for the user to sign in. */
const ANONYMOUS = { anonymous: true };

/** The last request: method, URL, headers and body. */
function lastRequest() {
  const [url, { method, headers, body }] = sent.mock.lastCall ?? ['', {}];
  return { method, url, headers: Object.fromEntries(headers as Headers), body };
}

describe('a request', () => {
  beforeEach(() => {
    vi.stubGlobal('fetch', sent);
    sent.mockReset().mockImplementation(async () => Response.json({ isAnswer: true }));
  });

  it('has encoded parameters in its path and query', async () => {
    await search({ q: 'a b&c=d/é', limit: 10 }, ANONYMOUS);
    expect(lastRequest().url).toBe('/api/search?q=a+b%26c%3Dd%2F%C3%A9&limit=10');
    expect(getNoteUrl('a/../b?c#d é', 'x%2F')).toBe(
      '/api/workspaces/a%2F..%2Fb%3Fc%23d%20%C3%A9/notes/x%252F',
    );
  });

  it('has only the parameters that are set, including those that are false or empty', async () => {
    await listInbox(undefined, ANONYMOUS);
    expect(lastRequest()).toEqual({ method: 'GET', url: '/api/me/inbox', headers: {}, body: undefined });
    await listInbox({ unread: undefined }, ANONYMOUS);
    expect(lastRequest().url).toBe('/api/me/inbox');
    await listInbox({ unread: false, limit: 0, cursor: '' }, ANONYMOUS);
    expect(lastRequest().url).toBe('/api/me/inbox?unread=false&limit=0&cursor=');
    expect(withQuery('/api/all', { kinds: ['a', 'b'] })).toBe('/api/all?kinds=a%2Cb');
  });

  it('sends its body as JSON and returns the response', async () => {
    const answer = await updateNote('shop', 'n1', { text: 'é' }, ANONYMOUS);
    expect(lastRequest()).toEqual({
      method: 'PATCH',
      url: '/api/workspaces/shop/notes/n1',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"é"}',
    });
    expect(answer).toEqual({ isAnswer: true });
  });

  it.each([{ 'If-Match': '3' }, [['If-Match', '3']] satisfies HeadersInit, new Headers({ 'If-Match': '3' })])(
    'keeps its own headers',
    async (headers) => {
      await updateNote('shop', 'n1', {}, { ...ANONYMOUS, headers });
      expect(lastRequest().headers).toEqual({ 'content-type': 'application/json', 'if-match': '3' });
    },
  );

  it('can have another type of content', async () => {
    await request('POST', '/api/any', { ...ANONYMOUS, headers: { 'content-type': 'text/x' } }, 'text');
    expect(lastRequest().headers).toEqual({ 'content-type': 'text/x' });
  });

  it('sends files as they are', async () => {
    const image = new Blob(['pixels'], { type: 'image/png' });
    await uploadImage('shop', image, ANONYMOUS);
    expect(lastRequest()).toMatchObject({ method: 'POST', headers: {}, body: image });
  });

  it('rejects a path that cannot be encoded', async () => {
    expect(() => path`/api/${'\ud800'}`).toThrow(URIError);
    await expect(updateNote('\ud800', 'n1', {}, ANONYMOUS)).rejects.toThrow(URIError);
    expect(sent).not.toHaveBeenCalled();
  });
});

describe('the client', () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const item = { $ref: '#/components/schemas/Item' };
  const paths: OpenApi['paths'] = {
    '/api/items/{id}': {
      get: {
        operationId: 'getItem',
        summary: 'Get an item',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'at', in: 'query', required: true, schema: { type: 'string' } },
          { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: json(item), 404: json({}) },
      },
      put: {
        operationId: 'putItem',
        summary: 'Replace an item',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'dryRun', in: 'query', schema: { type: 'boolean' } },
        ],
        requestBody: json(item),
        responses: { 200: json(item), 201: json(item) },
      },
    },
    '/api/picture': {
      get: {
        operationId: 'getPicture',
        summary: 'Get the picture',
        responses: { 200: { content: { 'image/png': {} } } },
      },
    },
  };
  const text = client({ paths, components: { schemas: {} } });

  it('has a function for each operation, and the URLs of those that read', () => {
    expect(text).toContain('export interface GetItemParams {\nat: string;\n}');
    expect(text).toContain(
      `getItemUrl = (id: number, params: GetItemParams): string => withQuery(path\`/api/items/\${id}\`, params);`,
    );
    expect(text).toContain(
      '/** Get an item */\nexport const getItem = async (id: number, params: GetItemParams, options?: RequestOptions): Promise<Item> =>\n' +
        `  request("GET", withQuery(path\`/api/items/\${id}\`, params), options);`,
    );
    expect(text).toContain('export interface PutItemParams {\ndryRun?: boolean;\n}');
    expect(text).toContain(
      'putItem = async (id: number, body: Item, params?: PutItemParams, options?: RequestOptions): Promise<Item> =>\n' +
        `  request("PUT", withQuery(path\`/api/items/\${id}\`, params), options, body);`,
    );
  });

  it('has only the URLs of operations that do not return JSON', () => {
    expect(text).toContain('export const getPictureUrl = (): string => "/api/picture";');
    expect(text).not.toContain('const getPicture ');
  });

  it.each<[OpenApi['components']['schemas'][string], string]>([
    [{ type: ['string', 'null'] }, 'type X = string | null;'],
    [{ type: 'array', items: { type: ['integer', 'null'] } }, 'type X = (number | null)[];'],
    [{ oneOf: [{ type: 'null' }, item] }, 'type X = null | Item;'],
    [
      { allOf: [item, { type: 'object', properties: { 'a-b': {} } }] },
      'type X = Item & {\n"a-b"?: unknown;\n};',
    ],
    [{ type: 'object', additionalProperties: item }, 'type X = Record<string, Item>;'],
    [{ type: 'object', additionalProperties: false }, 'type X = Record<string, never>;'],
    [{ type: 'string', format: 'binary' }, 'type X = Blob;'],
    [
      { type: 'string', enum: ['on', 'a.b'] },
      'type X = "on" | "a.b";\nexport const X = {\n  on: "on",\n  "a.b": "a.b",\n} as const;',
    ],
    [
      {
        type: 'object',
        description: 'Not */ the end.',
        required: ['id'],
        properties: { id: { type: 'integer', description: 'Id.' }, name: item, rev: { readOnly: true } },
      },
      '/** Not *\\/ the end. */\nexport interface X {\n/** Id. */\nid: number;\nname?: Item;\n}',
    ],
  ])('has the type of %j', (schema, expected) => {
    expect(client({ paths: {}, components: { schemas: { X: schema } } })).toContain(expected);
  });
});
