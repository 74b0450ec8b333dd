/** What may open or close something where it is read, in front of what somebody injects. */
export const injected = ['"', "'", '>', '-->', '{{', '${', '\\', '%0d%0a', '&lt;', '\t', '</title>', ']]>', '*', '](', '|', '\u200f', '#']
