import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'

/** Files of another form are not read: they are written again at the next change. */
const version = 1

export const slugShape = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const fileShape = /^([a-z\d-]{1,63})\.json$/

/**
 * The last state of each page, a file each, from which it can be served without any store. Private pages are in it with
 * their content, the hash of their password and the key that signs cookies: only the service may read the folder.
 */
export class PageFolder {
  readonly #path: string
  readonly #made: Promise<unknown>
  #written = 0

  constructor(path: string) {
    this.#path = path
    this.#made = mkdir(path, { recursive: true, mode: 0o700 })
    this.#made.catch(() => undefined)
  }

  /** Null: there is none, or none that can be read. */
  async read(slug: string): Promise<PageModel | null> {
    if (!slugShape.test(slug)) return null
    try {
      const stored = JSON.parse(await readFile(this.#fileOf(slug), 'utf8'))
      return stored.version === version ? (stored.model as PageModel) : null
    } catch {
      return null
    }
  }

  /** Replaces the file as a whole: a process that ends meanwhile leaves the former one. */
  async write(model: PageModel): Promise<void> {
    await this.#made
    const temporary = join(this.#path, `.${model.slug}.${process.pid}.${++this.#written}`)
    await writeFile(temporary, JSON.stringify({ version, model }), { mode: 0o600 })
    await rename(temporary, this.#fileOf(model.slug))
  }

  async remove(slug: string): Promise<void> {
    if (slugShape.test(slug)) await rm(this.#fileOf(slug), { force: true })
  }

  async slugs(): Promise<string[]> {
    await this.#made
    return (await readdir(this.#path)).flatMap(name => fileShape.exec(name)?.[1] ?? [])
  }

  readonly #fileOf = (slug: string) => join(this.#path, `${slug}.json`)
}
