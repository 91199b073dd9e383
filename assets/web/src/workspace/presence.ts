/**
 * Announces the presence of this window to other users: at most five times per second, and every 15 seconds as a
 * heartbeat.
 */
import { type NewPresence, updatePresence } from '@/api/generated';
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
  #presence: PresenceState = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastSentAt = 0;
  #lastSent = '';
  #isSending = false;
  #isStopped = false;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
    this.#heartbeat = setInterval(() => this.#send(), HEARTBEAT_MS);
    document.addEventListener('visibilitychange', this.#handleVisibility);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#handleVisibility);
  }

  /** Changes some of the announced values. */
  update(change: Partial<PresenceState>): void {
    this.#presence = { ...this.#presence, ...change };
    if (JSON.stringify(this.#presence) !== this.#lastSent) this.#schedule();
  }

  /** Announces the presence again after a server restart. */
  announceAgain(): void {
    this.#lastSent = '';
    this.#schedule();
  }

  readonly #handleVisibility = (): void => {
    if (document.visibilityState === 'visible') this.announceAgain();
  };

  #schedule(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#send();
      },
      Math.max(0, this.#lastSentAt + MIN_INTERVAL_MS - Date.now()),
    );
  }

  #send(): void {
    // Hidden or disconnected windows are not announced.
    const isActive = document.visibilityState === 'visible' && useSession.getState().status === 'in';
    if (!isActive || this.#isStopped || useWorkspace.getState().connection !== 'live') return;
    if (this.#isSending) {
      this.#schedule();
      return;
    }
    this.#isSending = true;
    this.#lastSentAt = Date.now();
    this.#lastSent = JSON.stringify(this.#presence);
    updatePresence(this.#workspaceId, { client: CLIENT_ID, ...this.#presence }, { timeout: 5_000 })
      .catch(() => {
        // The next movement or heartbeat announces it again.
      })
      .finally(() => {
        this.#isSending = false;
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
  const announcer = new PresenceAnnouncer(workspaceId);
  current = announcer;
  const stop = useWorkspace.subscribe((state, before) => {
    if (state.connection === 'live' && before.connection !== 'live') announcer.announceAgain();
  });
  return () => {
    stop();
    announcer.stop();
    if (current === announcer) current = null;
  };
}
