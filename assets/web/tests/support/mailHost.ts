/** A local mail server that keeps the messages that it accepts. */
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface Mail {
  to: string;
  content: string;
}

export class MailHost {
  readonly #mails: Mail[] = [];
  /** Emits `mail` for each message. */
  readonly #arrivals = new EventEmitter();
  readonly #server = createServer((socket) => this.#talk(socket));

  static async start(): Promise<MailHost> {
    const host = new MailHost();
    await new Promise<void>((listening) => host.#server.listen(0, '127.0.0.1', listening));
    return host;
  }

  /** Environment variables that make Planroom send emails to this host. */
  get env(): Record<string, string> {
    return {
      PLANROOM_MAIL_HOST: '127.0.0.1',
      PLANROOM_MAIL_PORT: String((this.#server.address() as AddressInfo).port),
      PLANROOM_MAIL_TLS: 'none',
      PLANROOM_MAIL_FROM: 'Planroom <planroom@example.org>',
    };
  }

  /** The link to a path in the newest message to an address, which may not have arrived yet. */
  linkTo(address: string, path: string): Promise<string> {
    return this.#find(address, new RegExp(`http://[^\\s"<>]+${path}#[\\w-]+`));
  }

  /** The link with which the newest notification to an address ends emails of its kind. */
  unsubscribeLinkTo(address: string): Promise<string> {
    return this.#find(address, /http:\/\/[^\s"<>]+\/unsubscribe\/[\w-]+/);
  }

  async #find(address: string, link: RegExp): Promise<string> {
    for (;;) {
      const mail = this.#mails.findLast(({ to, content }) => to === address && link.test(content));
      const found = mail?.content.match(link)?.[0];
      if (found) return found;
      await once(this.#arrivals, 'mail');
    }
  }

  end(): void {
    this.#server.close();
  }

  #talk(socket: Socket): void {
    const connection = new Connection((mail) => {
      this.#mails.push(mail);
      this.#arrivals.emit('mail');
    });
    socket.write('220 mail.test\r\n');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const reply of connection.read(data.toString())) socket.write(`${reply}\r\n`);
    });
  }
}

/** The state of one connection. */
class Connection {
  #buffer = '';
  #to = '';
  #content: string | null = null;
  readonly #accept: (mail: Mail) => void;

  constructor(accept: (mail: Mail) => void) {
    this.#accept = accept;
  }

  /** Reads what the client sent, and returns the replies. */
  read(text: string): string[] {
    const lines = (this.#buffer + text).split('\r\n');
    this.#buffer = lines.pop() ?? '';
    return lines.flatMap((line) => {
      const reply = this.#content === null ? this.#command(line) : this.#data(line, this.#content);
      return reply ? [reply] : [];
    });
  }

  #command(line: string): string {
    if (line === 'QUIT') return '221 bye';
    if (line.startsWith('RCPT')) this.#to = line.match(/<(.*)>/)?.[1] ?? '';
    if (line !== 'DATA') return '250 ok';
    this.#content = '';
    return '354 go ahead';
  }

  /** A line of a message. Long lines end with an equals sign. */
  #data(line: string, content: string): string | undefined {
    if (line !== '.') {
      this.#content = content + (line.endsWith('=') ? line.slice(0, -1) : `${line}\n`);
      return undefined;
    }
    this.#accept({ to: this.#to, content: content.replaceAll('=3D', '=') });
    this.#content = null;
    return '250 queued';
  }
}
