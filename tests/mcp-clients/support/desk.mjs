// What a client under test can have done by people: it is a program of its own, and knows addresses alone.

import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export class Desk {
  url = '';
  #server;
  #tasks;

  /** `tasks` by their paths: what each is sent is the text of a request, and what comes of it the text of the answer. */
  static async open(tasks) {
    const desk = new Desk();
    desk.#tasks = tasks;
    desk.#server = createServer((request, response) => desk.#answer(request, response)).listen(0, '127.0.0.1');
    await once(desk.#server, 'listening');
    desk.url = `http://127.0.0.1:${desk.#server.address().port}`;
    return desk;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request, response) {
    try {
      const task = this.#tasks[request.url.slice(1)];
      response.end(String((await task(await text(request))) ?? ''));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }
}
