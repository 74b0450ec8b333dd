/**
 * Escapes a text for Markdown. `marks` are the characters that the dialect reads as a format, a link or a mention.
 * Beginnings of headings, lists and quotations are escaped as well.
 */
export const escapeMarkdown = (text: string, marks: RegExp): string =>
  text
    .replace(marks, '\\$&')
    .replace(/^(\d+)\.(?=\s)/, '$1\\.')
    .replace(/^(?:#{1,6}|[-+>])(?=\s)/, '\\$&')
