/** What the icon of a page elsewhere is, by the text that the server has of it. */

/** Whether it is shown as it is. An emoji has neither a slash nor a colon; what has one is an address, or names something. */
export function isEmoji(icon: string): boolean {
  return icon !== '' && !/[/:]/.test(icon);
}

/** Whether the server has, or can get, a picture: at an address, or of what was uploaded to the wiki. */
export function isImage(icon: string): boolean {
  return icon.includes('://') || /^upload:[0-9a-f]{32}$/.test(icon);
}
