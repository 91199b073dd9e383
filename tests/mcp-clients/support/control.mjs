// Lets clients under test, which are separate processes, request actions of the user and the test environment.

import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export class ControlServer {
  url = '';
  #server;
  #tasks;

  /** `tasks` by path: each receives the text of the request and returns the text of the response. */
  static async open(tasks) {
    const control = new ControlServer();
    control.#tasks = tasks;
    control.#server = createServer((request, response) => control.#answer(request, response)).listen(0, '127.0.0.1');
    await once(control.#server, 'listening');
    control.url = `http://127.0.0.1:${control.#server.address().port}`;
    return control;
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
