import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Kept = z.object({ given: z.string(), owners: z.array(z.url()).max(64) })

/**
 * The last list of owners, in `owners.json` of the data folder: an agent that starts while the address it was given is
 * away begins with them. Of another given address the list is not used.
 */
export class KeptOwners {
  readonly #path: string
  readonly #given: string
  #written = ''

  constructor(dataDir: string, given: string) {
    this.#path = join(dataDir, 'owners.json')
    this.#given = given
  }

  /** Empty where none was kept, or it cannot be read. */
  async read(): Promise<readonly string[]> {
    try {
      const { given, owners } = Kept.parse(JSON.parse(await readFile(this.#path, 'utf8')))
      return given === this.#given ? owners : []
    } catch {
      return []
    }
  }

  /** Writes the list if it has changed. */
  async write(owners: readonly string[]): Promise<void> {
    const text = `${JSON.stringify({ given: this.#given, owners })}\n`
    if (text === this.#written) return
    const draft = `${this.#path}.${randomUUID()}`
    try {
      await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
      await rename(draft, this.#path)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      throw error
    }
    this.#written = text
  }
}
