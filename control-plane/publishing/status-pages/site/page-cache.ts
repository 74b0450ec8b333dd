import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import type { PageFolder } from './folder.ts'

/** A page in memory. */
export interface CachedPage {
  model: PageModel
  /** Rendered documents of this model, by their form; they are dropped with it. */
  documents: Map<string, unknown>
  /** By the monotonic clock. */
  readAt: number
}

interface Entry {
  /** Null: there is no such page. */
  page: CachedPage | null
  until: number
  /** From then on it is out of date, and a request for it waits for the new state. */
  dirtyAt: number
}

export interface PageCacheOptions {
  /** Reads a page from the stores; rejects while they are unavailable. Without it, the folder is all there is. */
  read?: (slug: string) => Promise<PageModel | null>
  folder?: PageFolder
  log: Logger
  /** Bytes of models in memory, about. */
  maxBytes?: number
  nowMs?: () => number
}

/** A page is read again when it is asked for after this time, or at once after a change. */
const freshMs = 60_000
/** An older page that is asked for is still answered at once, while it is read again. */
const usableMs = 120_000
const missingMs = 5_000
/** A page whose monitors changed is read again at most this often, however many of them do. */
const shownMs = 2_000
/** Without stores, the folder is read again after this time. */
const folderMs = 5_000
/** A request waits so long for the stores; then it gets the last state, if there is one. */
const timeoutMs = 1_500
const longPatienceMs = 10_000
/** After a failure the stores are left alone for this long. */
const pauseMs = 2_000
const maxEntries = 20_000
const mostDocuments = 64

/**
 * The pages of this process: each is read once for all who ask at the same time, again after a minute or a change, and
 * kept on disk. When the stores fail, the last state is served, from memory or from the folder.
 */
export class PageCache {
  readonly #read: PageCacheOptions['read']
  readonly #folder: PageFolder | undefined
  readonly #log: Logger
  readonly #now: () => number
  readonly #entries: LRUCache<string, Entry>
  readonly #reading = new Map<string, Promise<CachedPage | null | undefined>>()
  /** Those whose monitors changed while they were read. */
  readonly #shownMeanwhile = new Set<string>()
  /** Those whose monitors changed, to be written to the folder. */
  readonly #toStore = new Set<string>()
  #storeTimer: ReturnType<typeof setTimeout> | undefined
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor({ read, folder, log, maxBytes = 192_000_000, nowMs = () => performance.now() }: PageCacheOptions) {
    this.#read = read
    this.#folder = folder
    this.#log = log
    this.#now = nowMs
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      maxEntrySize: maxBytes,
      sizeCalculation: ({ page }) => (page === null ? 200 : sizeOf(page.model)),
    })
  }

  /** Pages in memory, and the bytes counted for them. */
  get size(): { pages: number; bytes: number } {
    return { pages: this.#entries.size, bytes: this.#entries.calculatedSize }
  }

  /** The page at once where it is fresh; null: there is none; undefined: the stores fail, and it was never read. */
  find(slug: string): CachedPage | null | undefined | Promise<CachedPage | null | undefined> {
    const entry = this.#entries.get(slug)
    const now = this.#now()
    const isDirty = entry !== undefined && now >= entry.dirtyAt
    if (entry && !isDirty && now < entry.until) return entry.page
    if (now < this.#pausedUntil) return entry ? entry.page : this.#fromFolder(slug)
    const reading = this.#readOnce(slug)
    if (entry?.page && !isDirty && now < entry.page.readAt + usableMs) {
      reading.catch(() => undefined)
      return entry.page
    }
    return this.#within(slug, reading)
  }

  /** A page was changed: the next request gets the new state. One that is in use is read at once. */
  changed(slug: string): void {
    const entry = this.#entries.peek(slug)
    const wasReading = this.#reading.delete(slug)
    if (!entry && !wasReading) {
      // the folder must not keep what is no longer published, nor a former password
      if (this.#folder)
        this.store(slug).catch(error => this.#log.warn({ err: error, slug }, 'status page file failure'))
      return
    }
    if (entry) entry.dirtyAt = Number.NEGATIVE_INFINITY
    if (this.#read) this.#readOnce(slug).catch(() => undefined)
  }

  /** Any page may have changed. */
  allChanged(): void {
    this.#reading.clear()
    for (const entry of this.#entries.values()) entry.dirtyAt = Number.NEGATIVE_INFINITY
  }

  /** What a page shows has changed by itself, as the state of a monitor does. */
  shown(slug: string): void {
    if (this.#reading.has(slug)) this.#shownMeanwhile.add(slug)
    const entry = this.#entries.peek(slug)
    if (entry) entry.dirtyAt = Math.min(entry.dirtyAt, Math.max(this.#now(), (entry.page?.readAt ?? 0) + shownMs))
    if (!this.#folder || !this.#read) return
    this.#toStore.add(slug)
    this.#storeTimer ??= setTimeout(() => void this.#storeShown(), shownMs).unref()
  }

  /** The same of the pages in memory of a team, or of a reseller's teams. */
  shownByOwner(tenant: string): void {
    for (const [slug, { page }] of this.#entries.entries()) if (page?.model.owners?.includes(tenant)) this.shown(slug)
  }

  async #storeShown(): Promise<void> {
    const slugs = [...this.#toStore]
    this.#toStore.clear()
    for (const slug of slugs)
      await this.store(slug).catch(error => this.#log.warn({ err: error, slug }, 'status page file failure'))
    this.#storeTimer = undefined
    if (this.#toStore.size > 0) this.#storeTimer = setTimeout(() => void this.#storeShown(), shownMs).unref()
  }

  /** Marks the pages in memory that have this id: their address may have changed. */
  changedById(id: string): void {
    for (const [slug, { page }] of this.#entries.entries()) if (page?.model.id === id) this.changed(slug)
  }

  /** Reads a page now and writes it to the folder. It takes no place in memory from those that are asked for. */
  async store(slug: string): Promise<void> {
    if (this.#entries.peek(slug)) {
      await this.#readOnce(slug)
      return
    }
    if (!this.#read) return
    await this.#write(slug, await this.#read(slug))
  }

  /** When a page was last read, by the monotonic clock; undefined: not since the start, or it left the memory. */
  readAt = (slug: string): number | undefined => this.#entries.peek(slug)?.page?.readAt

  /** Waits a while for the stores; where there is a last state, not for long. */
  async #within(slug: string, reading: Promise<CachedPage | null | undefined>) {
    const first = await settledWithin(reading, timeoutMs)
    if (first.isRead) return first.page
    const entry = this.#entries.get(slug)
    const last = entry ? entry.page : await this.#fromFolder(slug)
    if (last !== undefined) {
      this.#pausedUntil = this.#now() + pauseMs
      return last
    }
    return (await settledWithin(reading, longPatienceMs)).page
  }

  /** The state on disk; it is kept in memory until the stores can be read again. */
  async #fromFolder(slug: string): Promise<CachedPage | null | undefined> {
    const model = await this.#folder?.read(slug)
    // without stores to ask, a page that is not in the folder does not exist
    if (!model) return this.#read ? undefined : null
    const until = this.#read ? Number.NEGATIVE_INFINITY : this.#now() + folderMs
    const known = this.#entries.peek(slug)
    if (known?.page && known.page.model.asOf >= model.asOf) {
      known.until = until
      return known.page
    }
    const page: CachedPage = { model, documents: new Map(), readAt: Number.NEGATIVE_INFINITY }
    this.#entries.set(slug, { page, until, dirtyAt: Number.POSITIVE_INFINITY })
    return page
  }

  #readOnce(slug: string): Promise<CachedPage | null | undefined> {
    const known = this.#reading.get(slug)
    if (known) return known
    const reading: Promise<CachedPage | null | undefined> = this.#readNow(
      slug,
      () => this.#reading.get(slug) === reading,
    )
    this.#reading.set(slug, reading)
    const done = () => {
      if (this.#reading.get(slug) === reading) this.#reading.delete(slug)
    }
    reading.then(done, done)
    return reading
  }

  async #readNow(slug: string, isCurrent: () => boolean): Promise<CachedPage | null | undefined> {
    await Promise.resolve()
    if (!this.#read) return this.#fromFolder(slug)
    const startedAt = this.#now()
    let model: PageModel | null
    try {
      model = await this.#read(slug)
    } catch (error) {
      if (isCurrent()) this.#pausedUntil = this.#now() + pauseMs
      this.#log.warn({ err: error, slug }, 'status page read failure')
      throw error
    }
    const page = model && { model, documents: new Map(), readAt: startedAt }
    // a page that was changed meanwhile is read again
    if (isCurrent()) {
      const dirtyAt = this.#shownMeanwhile.delete(slug) ? startedAt + shownMs : Number.POSITIVE_INFINITY
      this.#entries.set(slug, { page, until: startedAt + (page ? freshMs : missingMs), dirtyAt })
      this.#store(slug, model)
    }
    return page
  }

  #store(slug: string, model: PageModel | null): void {
    this.#write(slug, model)?.catch(error => this.#log.warn({ err: error, slug }, 'status page file failure'))
  }

  /** A page has one file, whose name is its address: a former one leads to it from memory alone. */
  #write(slug: string, model: PageModel | null): Promise<void> | undefined {
    return model?.slug === slug ? this.#folder?.write(model) : this.#folder?.remove(slug)
  }
}

/** What was read, unless that failed or takes longer. */
async function settledWithin(
  reading: Promise<CachedPage | null | undefined>,
  ms: number,
): Promise<{ isRead: boolean; page: CachedPage | null | undefined }> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const missed = { isRead: false, page: undefined }
  try {
    return await Promise.race([
      reading.then(
        page => ({ isRead: true, page }),
        () => missed,
      ),
      late.then(() => missed),
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** A document of a page: made once for each form of it. */
export function documentOf<Document>(page: Pick<CachedPage, 'documents'>, key: string, make: () => Document): Document {
  const known = page.documents.get(key)
  if (known !== undefined) return known as Document
  if (page.documents.size >= mostDocuments) page.documents.clear()
  const made = make()
  page.documents.set(key, made)
  return made
}

/** About the bytes of a model with the documents that are usually made of it. */
function sizeOf({ groups, posts }: PageModel): number {
  const components = groups.flatMap(group => group.components)
  const days = components.reduce((sum, { days }) => sum + (days?.length ?? 0), 0)
  const texts = posts.reduce((sum, { updates }) => sum + updates.reduce((all, { body }) => all + body.length, 500), 0)
  return 30_000 + components.length * 2_500 + days * 20 + texts * 4
}
