/** Tells others where this window looks: at most five times a second, and every 15 seconds that it is still here. */
import { announcePresence, type NewPresence } from '@/api/generated';
import { useSession } from '@/api/session';
import { useWorkspace } from './store';
import { CLIENT_ID } from './unsavedStorage';

/** Milliseconds between two announcements. */
const MIN_INTERVAL_MS = 200;
const HEARTBEAT_MS = 15_000;

export type PresenceState = Omit<NewPresence, 'client'>;

/** Announces one workspace until it is stopped. */
class PresenceAnnouncer {
  readonly #workspaceId: string;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #where: PresenceState = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saidAt = 0;
  #said = '';
  #isSaying = false;
  #isStopped = false;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
    this.#heartbeat = setInterval(() => this.#say(), HEARTBEAT_MS);
    document.addEventListener('visibilitychange', this.#seen);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#seen);
  }

  /** Changes what is told; the rest stays as it was. */
  tell(change: Partial<PresenceState>): void {
    this.#where = { ...this.#where, ...change };
    if (JSON.stringify(this.#where) !== this.#said) this.#soon();
  }

  /** Tells it again, to a server that has forgotten. */
  again(): void {
    this.#said = '';
    this.#soon();
  }

  readonly #seen = (): void => {
    if (document.visibilityState === 'visible') this.again();
  };

  #soon(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#say();
      },
      Math.max(0, this.#saidAt + MIN_INTERVAL_MS - Date.now()),
    );
  }

  #say(): void {
    // Nobody sees a window that is hidden, and nobody hears one that is not connected.
    const isHere = document.visibilityState === 'visible' && useSession.getState().status === 'in';
    if (!isHere || this.#isStopped || useWorkspace.getState().connection !== 'live') return;
    if (this.#isSaying) {
      this.#soon();
      return;
    }
    this.#isSaying = true;
    this.#saidAt = Date.now();
    this.#said = JSON.stringify(this.#where);
    announcePresence(this.#workspaceId, { client: CLIENT_ID, ...this.#where }, { timeout: 5_000 })
      .catch(() => {
        // It is told again with the next movement, or the next heartbeat.
      })
      .finally(() => {
        this.#isSaying = false;
      });
  }
}

let current: PresenceAnnouncer | null = null;

/** The announcer of the open workspace, for the parts of the screen that know where the hand is. */
export function presenceAnnouncer(): PresenceAnnouncer | null {
  return current;
}

/** Begins to announce a workspace. Answers a way to stop. */
export function startPresence(workspaceId: string): () => void {
  const mine = new PresenceAnnouncer(workspaceId);
  current = mine;
  const stop = useWorkspace.subscribe((state, before) => {
    if (state.connection === 'live' && before.connection !== 'live') mine.again();
  });
  return () => {
    stop();
    mine.stop();
    if (current === mine) current = null;
  };
}
