/** A text with names and values between backticks. */
export function CodeText({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal, and the text never changes
    at % 2 === 1 ? <code key={at}>{part}</code> : part,
  );
}
