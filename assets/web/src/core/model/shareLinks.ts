/** Share links: their states, the code to embed them, and when they expire. */
import type { ShareLink, ShareLinkPatch, ShareState, SharingRules } from '@/api/generated';

const DAY = 24 * 60 * 60 * 1000;
/** Days until a link expires by default. */
const DEFAULT_DAYS = 90;
/** Days that can be chosen. */
const CHOICES = [7, 30, 90, 365];

/** The days until expiry that the rules allow; null is never. */
export function expiryChoices({ maxDays }: SharingRules): readonly (number | null)[] {
  if (maxDays === null) return [...CHOICES, null];
  const allowed = CHOICES.filter((days) => days < maxDays);
  return [...allowed, maxDays];
}

/** The default of `expiryChoices`. */
export function defaultExpiry({ maxDays }: SharingRules): number {
  return Math.min(DEFAULT_DAYS, maxDays ?? DEFAULT_DAYS);
}

/** The time of expiry in some days. */
export function expiryIn(days: number | null, now: number): number | null {
  return days === null ? null : now + days * DAY;
}

/** HTML that shows the page of a link in another page. */
export function embedCode({ url, name }: Pick<ShareLink, 'url' | 'name'>): string {
  return `<iframe src="${url}/embed" title="${escapeAttribute(name)}" width="960" height="600" loading="lazy"></iframe>`;
}

/** The address of an image that always shows the current state. */
export function imageUrl({ url }: Pick<ShareLink, 'url'>): string {
  return `${url}/image.svg`;
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The lines of a text, without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The fields of a patch that change a link. Absent fields are unchanged, a null password removes it. */
export function patchOf(before: ShareLink, after: ShareLinkPatch): ShareLinkPatch {
  const stored: Record<string, unknown> = { ...before };
  const isChanged = ([name, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(stored[name]);
  return Object.fromEntries(Object.entries(after).filter(isChanged));
}

interface StateText {
  name: string;
  tone: 'good' | 'warn' | 'plain';
  /** What to do about it. */
  meaning?: string;
}

export const SHARE_STATES: Readonly<Record<ShareState, StateText>> = {
  active: { name: 'Active', tone: 'good' },
  paused: {
    name: 'Paused',
    tone: 'warn',
    meaning: 'Its user is no longer an owner of this workspace. Adopt the link or revoke it.',
  },
  expired: { name: 'Expired', tone: 'plain', meaning: 'Extend the link or revoke it.' },
  blocked: {
    name: 'Blocked',
    tone: 'warn',
    meaning: 'The rules of an administrator do not allow this link. It does not work.',
  },
  gone: {
    name: 'Gone',
    tone: 'plain',
    meaning: 'What it shows was deleted. It works again when the deletion is undone.',
  },
};
