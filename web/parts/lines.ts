/** The entries of a field that takes one a line, or several between commas. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
