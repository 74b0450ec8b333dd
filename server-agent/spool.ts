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

/** A sample that waits to be acknowledged. Its name orders it in time, and is what the server knows it by. */
export interface Kept {
  name: string
  bytes: number
}

const isKept = /^\d{15}-[0-9a-f-]{36}\.json$/

/**
 * What was seen and not yet acknowledged, a small file a look: written beside, made durable, then named, so that a kill leaves whole files
 * only. When there is more than allowed the oldest goes first.
 */
export class Spool {
  readonly #folder: string
  readonly #maxBytes: number
  #kept: Kept[] = []
  #bytes = 0
  dropped = 0

  constructor(folder: string, maxBytes: number) {
    this.#folder = join(folder, 'spool')
    this.#maxBytes = maxBytes
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(this.#folder).sort()) {
      const path = join(this.#folder, name)
      if (isKept.test(name)) this.#add({ name, bytes: statSync(path).size })
      else rmSync(path, { force: true, recursive: true })
    }
  }

  get size(): number {
    return this.#kept.length
  }

  keep(sample: ServerSample): void {
    const name = `${String(Math.max(0, sample.at)).padStart(15, '0')}-${randomUUID()}.json`
    const text = JSON.stringify(sample)
    const path = join(this.#folder, name)
    writeDurably(`${path}.part`, text)
    renameSync(`${path}.part`, path)
    this.#add({ name, bytes: Buffer.byteLength(text) })
    while (this.#bytes > this.#maxBytes && this.#kept.length > 1) {
      this.dropped++
      this.forget(this.#kept.slice(0, 1))
    }
  }

  /** The oldest that are kept, so many at most. */
  oldest(count: number): Kept[] {
    return this.#kept.slice(0, count)
  }

  /** A sample's line as it was written; null when its file is not what was written. */
  read({ name }: Kept): string | null {
    try {
      const text = readFileSync(join(this.#folder, name), 'utf8')
      JSON.parse(text)
      return text
    } catch {
      return null
    }
  }

  forget(settled: readonly Kept[]): void {
    const names = new Set(settled.map(({ name }) => name))
    for (const { name, bytes } of this.#kept) {
      if (!names.has(name)) continue
      rmSync(join(this.#folder, name), { force: true })
      this.#bytes -= bytes
    }
    this.#kept = this.#kept.filter(({ name }) => !names.has(name))
  }

  #add(kept: Kept): void {
    this.#kept.push(kept)
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
