/** Markdown as text: `marks` are what its dialect reads as a format, a link or a mention; a line must begin no heading, list or quotation. */
export const escapeMarkdown = (text: string, marks: RegExp): string =>
  text
    .replace(marks, '\\$&')
    .replace(/^(\d+)\.(?=\s)/, '$1\\.')
    .replace(/^(?:#{1,6}|[-+>])(?=\s)/, '\\$&')
