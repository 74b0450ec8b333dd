/** Tags from a text that separates them by commas. */
export const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map(tag => tag.trim())
    .filter(tag => tag !== '')
