import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ServerSample } from '#contract/server-agent.ts'

/** A sample that waits to be acknowledged. Its file name is its time and its id for the server. */
export interface StoredSample {
  name: string
  bytes: number
}

const isStored = /^\d{15}-[0-9a-f-]{36}\.json$/

/**
 * Unacknowledged samples, one small file each: written to a temporary file, synced, then renamed, so that a crash
 * leaves no partial file. Beyond the limit the oldest is removed.
 */
export class Spool {
  readonly #folder: string
  readonly #maxBytes: number
  #stored: StoredSample[] = []
  #bytes = 0
  dropped = 0

  constructor(folder: string, maxBytes: number) {
    this.#folder = join(folder, 'spool')
    this.#maxBytes = maxBytes
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(this.#folder).sort()) {
      const path = join(this.#folder, name)
      if (isStored.test(name)) this.#add({ name, bytes: statSync(path).size })
      else rmSync(path, { force: true, recursive: true })
    }
  }

  get size(): number {
    return this.#stored.length
  }

  store(sample: ServerSample): void {
    const name = `${String(Math.max(0, sample.at)).padStart(15, '0')}-${randomUUID()}.json`
    const text = JSON.stringify(sample)
    const path = join(this.#folder, name)
    writeDurably(`${path}.part`, text)
    renameSync(`${path}.part`, path)
    this.#add({ name, bytes: Buffer.byteLength(text) })
    while (this.#bytes > this.#maxBytes && this.#stored.length > 1) {
      this.dropped++
      this.forget(this.#stored.slice(0, 1))
    }
  }

  /** The oldest samples, at most so many. */
  oldest(count: number): StoredSample[] {
    return this.#stored.slice(0, count)
  }

  /** The line of a sample; null when its file is damaged. */
  read({ name }: StoredSample): string | null {
    try {
      const text = readFileSync(join(this.#folder, name), 'utf8')
      JSON.parse(text)
      return text
    } catch {
      return null
    }
  }

  forget(settled: readonly StoredSample[]): void {
    const names = new Set(settled.map(({ name }) => name))
    for (const { name, bytes } of this.#stored) {
      if (!names.has(name)) continue
      rmSync(join(this.#folder, name), { force: true })
      this.#bytes -= bytes
    }
    this.#stored = this.#stored.filter(({ name }) => !names.has(name))
  }

  #add(kept: StoredSample): void {
    this.#stored.push(kept)
    this.#bytes += kept.bytes
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
