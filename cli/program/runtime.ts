import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Part of the bundle alone: it lets bundled code read files beside its source, and names sources in stacks of errors.
 * The folder of the bundle is two folders below the root.
 */

const root = join(import.meta.dirname, '..', '..')

/** What `import.meta` says in the source at this path. */
export function metaOf(path: string) {
  const filename = join(root, path)
  const url = pathToFileURL(filename).href
  return {
    filename,
    url,
    dirname: dirname(filename),
    resolve: (name: string) => (name.startsWith('.') ? new URL(name, url).href : import.meta.resolve(name)),
  }
}

/** Where the lines of a bundled file come from. `places`: line, column, index of the source, its line; in order. */
interface Lines {
  sources: string[]
  places: Int32Array
}

const filesOfBundle = pathToFileURL(join(import.meta.dirname, '/')).href
const linesByFile = new Map<string, Lines | undefined>()
const keptMs = 60_000

/** Reads it at the first error of a file; it is forgotten soon, because it takes megabytes. */
function linesOf(file: string): Lines | undefined {
  if (linesByFile.has(file)) return linesByFile.get(file)
  let lines: Lines | undefined
  try {
    const bytes = readFileSync(fileURLToPath(`${file}.lines`))
    const length = bytes.readInt32LE(0)
    const places = new Int32Array(new Uint8Array(bytes.subarray(4, 4 + length)).buffer)
    lines = { places, sources: JSON.parse(bytes.toString('utf8', 4 + length)) }
  } catch {
    // the place in the bundle is said then
  }
  linesByFile.set(file, lines)
  setTimeout(() => linesByFile.delete(file), keptMs).unref()
  return lines
}

const width = 4

function placeOf(file: string, line: number, column: number): string | undefined {
  const { sources, places } = linesOf(file) ?? {}
  if (!sources || !places) return
  let [low, high] = [0, places.length / width]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = places[middle * width]!
    if (at < line || (at === line && places[middle * width + 1]! < column)) low = middle + 1
    else high = middle
  }
  const found = (low - 1) * width
  if (places[found] !== line) return
  return `${pathToFileURL(join(root, sources[places[found + 2]!]!)).href}:${places[found + 3]}`
}

const place = /(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/

const inSources = (frame: string): string =>
  frame.replace(place, (whole, file: string, line: string, column: string) =>
    file.startsWith(filesOfBundle) ? (placeOf(file, Number(line), Number(column)) ?? whole) : whole,
  )

Error.prepareStackTrace = (error, frames) =>
  [Error.prototype.toString.call(error), ...frames.map(frame => `    at ${inSources(String(frame))}`)].join('\n')
