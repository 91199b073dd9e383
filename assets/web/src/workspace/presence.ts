/**
 * Announces the presence of this window to other users: at most five times per second, and every 15 seconds as a
 * heartbeat.
 */
import { announcePresence, type NewPresence } from '@/api/generated';
import { useSession } from '@/api/session';
import { useWorkspace } from './store';
import { CLIENT_ID } from './unsavedStorage';

/** Minimum interval between announcements in milliseconds. */
const MIN_INTERVAL_MS = 200;
const HEARTBEAT_MS = 15_000;

export type PresenceState = Omit<NewPresence, 'client'>;

/** Announces the presence in one workspace until stopped. */
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
    this.#heartbeat = setInterval(() => this.#send(), HEARTBEAT_MS);
    document.addEventListener('visibilitychange', this.#seen);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#seen);
  }

  /** Changes some of the announced values. */
  update(change: Partial<PresenceState>): void {
    this.#where = { ...this.#where, ...change };
    if (JSON.stringify(this.#where) !== this.#said) this.#schedule();
  }

  /** Announces the presence again after a server restart. */
  announceAgain(): void {
    this.#said = '';
    this.#schedule();
  }

  readonly #seen = (): void => {
    if (document.visibilityState === 'visible') this.announceAgain();
  };

  #schedule(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#send();
      },
      Math.max(0, this.#saidAt + MIN_INTERVAL_MS - Date.now()),
    );
  }

  #send(): void {
    // Hidden or disconnected windows are not announced.
    const isHere = document.visibilityState === 'visible' && useSession.getState().status === 'in';
    if (!isHere || this.#isStopped || useWorkspace.getState().connection !== 'live') return;
    if (this.#isSaying) {
      this.#schedule();
      return;
    }
    this.#isSaying = true;
    this.#saidAt = Date.now();
    this.#said = JSON.stringify(this.#where);
    announcePresence(this.#workspaceId, { client: CLIENT_ID, ...this.#where }, { timeout: 5_000 })
      .catch(() => {
        // The next movement or heartbeat announces it again.
      })
      .finally(() => {
        this.#isSaying = false;
      });
  }
}

let current: PresenceAnnouncer | null = null;

/** The announcer of the open workspace, for the screens that track the pointer. */
export function presenceAnnouncer(): PresenceAnnouncer | null {
  return current;
}

/** Starts announcing the presence in a workspace. Returns a function that stops it. */
export function startPresence(workspaceId: string): () => void {
  const mine = new PresenceAnnouncer(workspaceId);
  current = mine;
  const stop = useWorkspace.subscribe((state, before) => {
    if (state.connection === 'live' && before.connection !== 'live') mine.announceAgain();
  });
  return () => {
    stop();
    mine.stop();
    if (current === mine) current = null;
  };
}
