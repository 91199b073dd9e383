/** Whether the icon is an emoji. Emoji contain neither a slash nor a colon; other values are URLs or names. */

/** Whether the icon is an emoji, which has neither a slash nor a colon. Other values are URLs or names. */
export function isEmoji(icon: string): boolean {
  return icon !== '' && !/[/:]/.test(icon);
}

/** Whether the server can provide an image for the icon: one at a URL, or one uploaded to the wiki. */
export function isImage(icon: string): boolean {
  return icon.includes('://') || /^upload:[0-9a-f]{32}$/.test(icon);
}
