/** Text as XML has it. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or an attribute. What XML cannot hold at all (control characters, half a character) is left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not have
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
