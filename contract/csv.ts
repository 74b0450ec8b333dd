export interface CsvRow {
  /** The line of the text that the row begins at, from 1. */
  line: number
  cells: string[]
}

/** Text after a quoted cell, a quote that is not closed, too many cells, or too long a one. */
export class CsvError extends Error {
  readonly line: number

  constructor(line: number, message = 'A quoted cell must be closed, and followed by a comma or a line end.') {
    super(message)
    this.line = line
  }
}

/** Cells of one row: more than any table has, so that one row is read at once. */
const mostCells = 1_000
/** Characters of one cell, with its quotes: more than any field takes, so that one cell is read at once too. */
const mostChars = 65_536

/**
 * The rows of a CSV text (RFC 4180), with either line end, with a byte order mark or without: one by one, as far as
 * they are asked for; undefined: an empty one.
 */
export function* csvRows(text: string): Generator<CsvRow | undefined> {
  const plain = /[^",\r\n]*/y
  let [at, line] = [text.startsWith('\ufeff') ? 1 : 0, 1]
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] }
    for (;;) {
      if (row.cells.length === mostCells) throw new CsvError(row.line, `A row has at most ${mostCells} cells.`)
      if (text[at] === '"') {
        const end = closingQuote(text, at, line)
        const quoted = text.slice(at + 1, end)
        line += quoted.match(/\n/g)?.length ?? 0
        row.cells.push(quoted.replaceAll('""', '"'))
        at = end + 1
      } else {
        plain.lastIndex = at
        const [cell = ''] = plain.exec(text) ?? []
        if (cell.length > mostChars) throw tooLong(line)
        row.cells.push(cell.trim())
        at += cell.length
      }
      if (text[at] !== ',') break
      at++
    }
    const [end] = /^(\r\n|\n|\r|$)/.exec(text.slice(at, at + 2)) ?? []
    if (end === undefined || (end === '' && at < text.length)) throw new CsvError(line)
    at += end.length
    line++
    yield row.cells.some(text => text !== '') ? row : undefined
  }
}

const tooLong = (line: number) => new CsvError(line, `A cell has at most ${mostChars} characters.`)

/** Where the cell ends that begins with the quote at `from`; two quotes are one of its text. */
function closingQuote(text: string, from: number, line: number): number {
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new CsvError(line)
    if (quote - from > mostChars) throw tooLong(line)
    if (text[quote + 1] !== '"') return quote
    at = quote + 2
  }
}

/** A program for tables would read such a cell as a formula. */
const formula = /^[=+\-@\t\r]/
const guard = "'"

/** Cells as one line of CSV, all in quotes. What begins like a formula gets a quote in front. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map(text => `"${(formula.test(text) ? guard + text : text).replaceAll('"', '""')}"`).join(',')}\r\n`

/** A cell as it was before `csvLine`. */
export const plainCell = (text: string): string =>
  text.startsWith(guard) && formula.test(text.slice(1)) ? text.slice(1) : text
