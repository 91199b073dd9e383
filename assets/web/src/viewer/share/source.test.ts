import { describe, expect, it, vi } from 'vitest';
import { detailsOf, type SharedModel, ShareSource } from './source';

const MODEL: SharedModel = {
  name: 'Web shop',
  components: [
    { key: 'c1', name: 'Shop', type: 'Group' },
    {
      key: 'c2',
      name: 'Web',
      type: 'Application',
      parent: 'c1',
      description: 'Sells things.',
      technology: ['React'],
    },
    { key: 'c3', name: 'Payments', type: 'Service' },
  ],
  relationships: [
    { key: 'r1', from: 'c2', to: 'c3', label: 'charges', type: 'Calls' },
    { key: 'r2', from: 'c3', to: 'c2', type: 'Notifies' },
  ],
};

describe('a shared component', () => {
  it('has details and its relationships in both directions', () => {
    expect(detailsOf(MODEL, 'c2')).toEqual({
      name: 'Web',
      type: 'Application',
      description: 'Sells things.',
      facts: [
        { name: 'Technology', value: 'React' },
        { name: 'Part of', value: 'Shop' },
      ],
      connections: [
        { key: 'c3', name: 'Payments', label: 'charges', isOutgoing: true },
        { key: 'c3', name: 'Payments', label: 'notifies', isOutgoing: false },
      ],
      connectionCount: 2,
    });
  });

  it('must be on the map', () => {
    expect(() => detailsOf(MODEL, 'c9')).toThrow('not part of the shared map');
  });
});

describe('the source of a shared map', () => {
  /** Answers requests with the states that the server has one after the other. */
  function serve(states: { image: string[]; model: string[] }) {
    const asked: string[] = [];
    const next = (list: string[]) => (list.length > 1 ? list.shift() : list[0]) ?? '';
    vi.stubGlobal('fetch', async (url: URL) => {
      const file = url.pathname.split('/').pop() ?? '';
      asked.push(file);
      const state = next(file === 'image.svg' ? states.image : states.model);
      const body = file === 'image.svg' ? `<svg>${state}</svg>` : JSON.stringify({ ...MODEL, name: state });
      return new Response(body, { headers: { 'x-share-state': state } });
    });
    return asked;
  }

  it('reads the model once while the map stays as it is', async () => {
    const asked = serve({ image: ['one'], model: ['one'] });
    const source = new ShareSource(new URL('https://maps.example/s/t/'));
    expect(await source.image('light')).toBe('<svg>one</svg>');
    const model = await source.model();
    await source.image('dark');
    expect(source.isOutdated(model)).toBe(false);
    expect(asked).toEqual(['image.svg', 'model.json', 'image.svg']);
  });

  it('never combines a drawing with the model of another state', async () => {
    serve({ image: ['one', 'two'], model: ['one', 'two'] });
    const source = new ShareSource(new URL('https://maps.example/s/t/'));
    await source.image('light');
    const model = await source.model();
    expect(model.title).toBe('one');
    expect(await source.image('dark')).toBe('<svg>two</svg>');
    expect(source.isOutdated(model)).toBe(true);
    expect((await source.model()).title).toBe('two');
  });

  it('gives up on a map that changes all the time', async () => {
    serve({ image: ['1', '2', '3', '4'], model: ['0'] });
    const source = new ShareSource(new URL('https://maps.example/s/t/'));
    await expect(source.image('light')).rejects.toThrow('The map is being changed');
  });
});
