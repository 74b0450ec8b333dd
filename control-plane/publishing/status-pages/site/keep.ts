import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Loop } from '#control-plane/base/loop.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { PageFolder } from './folder.ts'
import type { PageCache } from './page-cache.ts'

/** A page that no visitor asks for is written to the folder this often, and one that is gone leaves it. */
const everyMs = 30 * 60_000
/** Pages are read one after the other with a pause, so that visitors do not wait for it. */
const pauseMs = 50

interface PageKeeperOptions {
  platform: Pool
  cache: PageCache
  folder: PageFolder
  log: Logger
}

/** Keeps a recent state of every published page in the folder, also of those that are not asked for. */
export class PageKeeper {
  readonly #options: PageKeeperOptions
  readonly #loop: Loop
  readonly #stopping = new AbortController()

  constructor(options: PageKeeperOptions) {
    this.#options = options
    this.#loop = new Loop({
      everyMs,
      round: () => this.round(),
      log: options.log,
      failure: 'status page keeping failure',
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Changes may have been missed. */
  wake(): void {
    this.#loop.wake()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop.stop()
  }

  /** One page that cannot be read does not keep others from being written. */
  async round(): Promise<void> {
    const { platform, cache, folder, log } = this.#options
    const { signal } = this.#stopping
    const found = await rows(platform)<Row<'status_pages', 'slug'>>`
      select s.slug from status_pages s join tenants t on t.id = s.tenant_id
      where s.state = 'published' and t.deleted_at is null order by s.id`
    const published = new Set(found.map(({ slug }) => slug))
    for (const slug of await folder.slugs()) if (!published.has(slug)) await folder.remove(slug)
    const before = performance.now() - everyMs / 2
    for (const slug of published) {
      if (signal.aborted) return
      if ((cache.readAt(slug) ?? Number.NEGATIVE_INFINITY) > before) continue
      await cache.store(slug).catch(error => log.warn({ err: error, slug }, 'status page keeping failure'))
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}
