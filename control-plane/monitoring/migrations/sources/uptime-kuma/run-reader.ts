import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SourceError } from '#control-plane/monitoring/migrations/sources/source.ts'

/** Bounds of the process that reads a file. */
export const readerLimits = { wholeMs: 60_000, lineBytes: 4_194_304, outputBytes: 134_217_728, heapMb: 256 }

export interface TableRow {
  table: string
  row: Record<string, unknown>
}

const magic = Buffer.from('SQLite format 3\0')

/**
 * Reads a database in a process of its own, which is killed when it takes too long, writes too much or breaks. Nothing
 * of the file stays on disk.
 */
export async function readDatabase(file: Buffer, limits: typeof readerLimits = readerLimits): Promise<TableRow[]> {
  if (!file.subarray(0, magic.length).equals(magic)) throw new SourceError('The file is no SQLite database.')
  const folder = await mkdtemp(join(tmpdir(), 'vedette-kuma-'))
  try {
    const path = join(folder, 'kuma.db')
    const copy = Buffer.from(file)
    // the write-ahead log is not part of the upload: without it a file of that mode is read as it stands
    if (copy.length > 19 && copy[18] === 2) {
      copy[18] = 1
      copy[19] = 1
    }
    await writeFile(path, copy, { mode: 0o600 })
    return await run(path, limits)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(path: string, limits: typeof readerLimits): Promise<TableRow[]> {
  const program = join(import.meta.dirname, 'read-file.ts')
  const flags = [`--max-old-space-size=${limits.heapMb}`, '--disable-warning=ExperimentalWarning']
  // nothing of our environment: it holds keys
  const child = spawn(process.execPath, [...flags, program, path], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    const rows: TableRow[] = []
    let [bytes, isWhole, why, errors] = [0, false, '', '']
    const refuse = (reason: string) => {
      why ||= reason
      child.kill('SIGKILL')
    }
    const timer = setTimeout(
      () => refuse(`The file was not read within ${limits.wholeMs / 1_000} seconds.`),
      limits.wholeMs,
    )
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.outputBytes) refuse('The file holds more text than is read of one source.')
    })
    child.stderr.on('data', chunk => (errors = (errors + chunk).slice(-4_000)))
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.length > limits.lineBytes) return refuse('The file holds a record that is too long.')
      try {
        const read = JSON.parse(line)
        if (read.table === 'end') isWhole = true
        else rows.push(read)
      } catch {
        refuse('The file cannot be read.')
      }
    })
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      if (why === '' && isWhole) resolve(rows)
      else reject(new SourceError(why || meaningOf(errors)))
    })
  })
}

function meaningOf(errors: string): string {
  if (errors.includes('no table of monitors')) return 'The file is no database of Uptime Kuma: it has no monitors.'
  if (errors.includes('no plain table')) return 'The file is no database of Uptime Kuma: its tables are not plain ones.'
  if (/malformed|not a database|corrupt/i.test(errors)) return 'The database is damaged.'
  return 'The database cannot be read.'
}
