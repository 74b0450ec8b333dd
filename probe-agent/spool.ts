import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Disk, type DiskFile, realDisk, Seal } from './spool-disk.ts'
import { isWholeRecord, readRecords, recordBytes, type SpoolRecord, writeRecord } from './spool-record.ts'

export interface SpoolOptions {
  dir: string
  /** Names this run of the agent; its sequence numbers start at 1. */
  boot: string
  /** What the key of the disk is derived from. */
  secret: Buffer
  maxBytes: number
  /** How much of what is durable memory holds as well, to be sent first. */
  freshBytes?: number
  /** Bound of what waits in memory only, while the disk is ill. */
  memoryBytes?: number
  /** At least so long between two writes; a telling result waits less. */
  commitMs?: number
  /** How often an ill disk is tried again. */
  retryMs?: number
  /** A write that takes longer is an ill disk's. */
  stallMs?: number
  disk?: Disk
  /** Something may be taken. */
  onReady?: (telling: boolean) => void
  onIll?: (error: Error) => void
  onWell?: () => void
  /** What an earlier boot left could not be read. `isGone`: for the second time. */
  onUnreadable?: (segment: { name: string; error: Error; isGone: boolean }) => void
}

/** Results of one boot that go out together, and stay in the spool until `acknowledge`. */
export interface Batch {
  boot: string
  first: number
  last: number
  lines: string[]
  bytes: number
  entries: Entry[]
  lane: 'fresh' | 'backlog'
}

/** A telling result waits for the next write at most so long, with those that come in the same moment. */
const tellingCommitMs = 3

class Segment {
  readonly number: number
  readonly boot: string
  readonly path: string
  readonly seal: Seal
  /** Bytes and records that are durable. */
  size = 0
  records = 0
  /** Records that need it no more. */
  settled = 0
  isActive = false
  isGone = false

  constructor(dir: string, name: string, number: number, boot: string, secret: Buffer) {
    this.path = join(dir, name)
    this.number = number
    this.boot = boot
    this.seal = new Seal(secret, name)
  }
}

class Entry {
  readonly seq: number
  readonly line: string
  readonly bytes: number
  readonly isTelling: boolean
  /** Where it is durable; undefined while it is only in memory. */
  segment: Segment | undefined
  at = 0
  isOffered = false
  isDone = false

  constructor(seq: number, line: string, bytes: number, isTelling: boolean, segment?: Segment) {
    this.seq = seq
    this.line = line
    this.bytes = bytes
    this.isTelling = isTelling
    this.segment = segment
  }
}

export type { Entry }

/** Part of a segment that still has to be read and sent. */
interface Stretch {
  segment: Segment
  start: number
  end: number
  records: number
}

const namePattern = /^(\d{10})-(\d{10})-([0-9a-f-]{36})\.spool$/
/** A segment that could not be read is kept by this name until the next boot, which tries it once more; so many of them. */
const asideSuffix = '.unreadable'
const asideAtMost = 8

/**
 * Results on their way: durable on disk before they are sent, gone only when the server has them.
 *
 * Fresh results also stay in memory and go first; what memory does not hold (an outage, an earlier boot) is the backlog,
 * read back from disk, oldest first. Bounded twice: beyond `maxBytes` the oldest segment is dropped, so that the newest
 * is kept; while the disk is ill or full results live in memory only, and beyond `memoryBytes` the oldest of them are
 * dropped. Everything dropped is counted. A segment of an earlier boot that cannot be read is set aside, and removed if
 * the next boot cannot read it either.
 */
export class Spool {
  readonly #options: SpoolOptions
  readonly #disk: Disk
  readonly #segmentBytes: number
  readonly #freshBytes: number
  readonly #memoryBytes: number
  readonly #segments: Segment[] = []
  readonly #stretches: Stretch[] = []
  /** Newest due of the grid for each check, of what earlier boots left behind. */
  readonly #newestDues = new Map<string, number>()

  #seq = 0
  #nextNumber = 1
  #diskBytes = 0
  #active: { segment: Segment; file: DiskFile; encrypt: (data: Buffer) => Buffer } | undefined

  /** Not yet written; with an ill disk also what waits in `#fresh` already. */
  #pending: Entry[] = []
  #fresh: Entry[] = []
  #freshHead = 0
  #inMemory = 0
  #loaded: { stretch: Stretch; data: Buffer } | undefined
  /** Is being read, or has been: what is demoted now goes into another one. */
  #reading: Stretch | undefined

  #commitTimer: NodeJS.Timeout | undefined
  #commitDue = 0
  #lastCommit = 0
  #committing: Promise<void> | undefined
  /** Removals under way. */
  readonly #tidying = new Set<Promise<void>>()
  #isIll = false
  #isClosed = false

  #unsettled = 0
  #dropped = 0
  #corrupt = 0
  #torn = 0
  #unreadable = 0

  private constructor(options: SpoolOptions) {
    this.#options = options
    this.#disk = options.disk ?? realDisk
    this.#segmentBytes = Math.min(Math.max(Math.floor(options.maxBytes / 16), 65_536), 4_194_304)
    this.#freshBytes = options.freshBytes ?? 4_000_000
    this.#memoryBytes = options.memoryBytes ?? 16_000_000
  }

  static async open(options: SpoolOptions): Promise<Spool> {
    const spool = new Spool(options)
    await spool.#load()
    return spool
  }

  /** Results that are here and not yet acknowledged. */
  get spooled() {
    return this.#unsettled
  }
  get dropped() {
    return this.#dropped
  }
  /** Records that were damaged on disk and skipped. */
  get corrupt() {
    return this.#corrupt
  }
  /** Segments whose end had been cut off while it was written. */
  get torn() {
    return this.#torn
  }
  /** Segments of earlier boots that could not be read. */
  get unreadable() {
    return this.#unreadable
  }
  get diskBytes() {
    return this.#diskBytes
  }
  get memoryBytes() {
    return this.#inMemory
  }
  get isIll() {
    return this.#isIll
  }
  get hasFresh() {
    return this.#freshHead < this.#fresh.length
  }
  get freshCount() {
    return this.#fresh.length - this.#freshHead
  }
  get hasBacklog() {
    return this.#stretches.length > 0
  }
  newestDue(check: string): number | undefined {
    return this.#newestDues.get(check)
  }

  nextSeq() {
    return ++this.#seq
  }

  /** Takes one result in. `line` is its JSON, with this `seq`. A telling one is written and offered without delay. */
  append(seq: number, line: string, isTelling: boolean) {
    if (this.#isClosed) return
    const entry = new Entry(seq, line, recordBytes(line), isTelling)
    this.#unsettled++
    this.#inMemory += entry.bytes
    this.#pending.push(entry)
    if (this.#isIll) {
      this.#offer([entry])
      this.#shed()
      this.#retrySoon()
    } else this.#commitSoon(isTelling)
  }

  /** Resolves when all that was taken so far is written, or cannot be. */
  async flush() {
    await this.#committing
    if (this.#pending.length > 0) await this.#commit()
  }

  #commitSoon(isTelling: boolean) {
    if (this.#committing) return
    const now = performance.now()
    const due = this.#lastCommit + (isTelling ? tellingCommitMs : (this.#options.commitMs ?? 100))
    if (this.#commitTimer) {
      if (due >= this.#commitDue) return
      clearTimeout(this.#commitTimer)
    }
    this.#commitDue = due
    this.#commitTimer = setTimeout(() => void this.#commit(), Math.max(0, due - now))
  }

  #commit(): Promise<void> {
    clearTimeout(this.#commitTimer)
    this.#commitTimer = undefined
    this.#committing ??= this.#commitPending().finally(() => {
      this.#committing = undefined
      if (this.#isClosed || this.#pending.length === 0) return
      if (this.#isIll) this.#retrySoon()
      else this.#commitSoon(this.#pending.some(entry => entry.isTelling))
    })
    return this.#committing
  }

  #retrySoon() {
    this.#commitTimer ??= setTimeout(() => void this.#commit(), this.#options.retryMs ?? 1_000)
  }

  async #commitPending() {
    this.#lastCommit = performance.now()
    const group = this.#pending.filter(entry => !entry.isDone)
    this.#pending = []
    const watch = setTimeout(() => this.#stall(group), this.#options.stallMs ?? 5_000)
    const left = await this.#writeAll(group)
    clearTimeout(watch)
    const wasIll = this.#isIll
    this.#isIll = left.length > 0
    this.#pending = left.length > 0 ? [...left, ...this.#pending] : this.#pending
    // What a sick disk cannot hold goes out from memory.
    this.#offer(this.#isIll ? [...group, ...this.#pending] : group)
    if (wasIll && !this.#isIll) this.#options.onWell?.()
    this.#shed()
  }

  /** The disk neither takes nor refuses: what waits for it goes on in memory. */
  #stall(group: Entry[]) {
    if (this.#isIll) return
    this.#isIll = true
    this.#options.onIll?.(new Error('The disk does not answer.'))
    this.#offer([...group, ...this.#pending])
    this.#shed()
  }

  #offer(entries: Entry[]) {
    let isTelling = false
    for (const entry of entries) {
      if (entry.isOffered) continue
      entry.isOffered = true
      this.#fresh.push(entry)
      isTelling ||= entry.isTelling
    }
    this.#options.onReady?.(isTelling)
  }

  /** Returns what could not be made durable. */
  async #writeAll(entries: Entry[]): Promise<Entry[]> {
    let from = 0
    while (from < entries.length) {
      let to = from
      let bytes = 0
      while (to < entries.length && (bytes === 0 || bytes + entries[to]!.bytes <= 1_000_000))
        bytes += entries[to++]!.bytes
      const group = entries.slice(from, to)
      try {
        await this.#write(group, bytes)
        from = to
      } catch (error) {
        await this.#abandonActive()
        // A full disk is answered like a full spool: the oldest makes room for the newest.
        if (isDiskFull(error) && (await this.#dropOldest())) continue
        if (!this.#isIll) this.#options.onIll?.(error instanceof Error ? error : new Error(String(error)))
        return entries.slice(from)
      }
    }
    return []
  }

  async #write(group: Entry[], bytes: number) {
    if (this.#active && this.#active.segment.size + bytes > this.#segmentBytes && this.#active.segment.size > 0)
      await this.#abandonActive()
    while (this.#diskBytes + bytes > this.#options.maxBytes && (await this.#dropOldest()));
    this.#active ??= await this.#newSegment(group[0]!.seq)
    const { segment, file, encrypt } = this.#active
    const plain = Buffer.allocUnsafe(bytes)
    let end = 0
    for (const entry of group) {
      entry.at = segment.size + end
      end = writeRecord(plain, end, entry.seq, entry.line)
    }
    const data = encrypt(plain)
    let written = 0
    while (written < data.length) {
      const count = await file.write(data, written, segment.size + written)
      if (count <= 0) throw Object.assign(new Error('The disk took no more bytes.'), { code: 'ENOSPC' })
      written += count
    }
    await file.sync()
    for (const entry of group) {
      entry.segment = segment
      if (entry.isDone) segment.settled++
    }
    segment.size += bytes
    segment.records += group.length
    this.#diskBytes += bytes
  }

  async #newSegment(seq: number) {
    const number = this.#nextNumber++
    const name = `${pad(number)}-${pad(seq)}-${this.#options.boot}.spool`
    const segment = new Segment(this.#options.dir, name, number, this.#options.boot, this.#options.secret)
    const file = await this.#disk.create(segment.path)
    segment.isActive = true
    this.#segments.push(segment)
    return { segment, file, encrypt: segment.seal.writer() }
  }

  /** Closes the active segment where it is sound. After an error its last bytes are cut off: what they hold is written again elsewhere. */
  async #abandonActive() {
    const active = this.#active
    if (!active) return
    this.#active = undefined
    active.segment.isActive = false
    await active.file.close().catch(() => {})
    if (!active.segment.isGone) await this.#disk.truncate(active.segment.path, active.segment.size).catch(() => {})
    await this.#removeIfSettled(active.segment)
  }

  #tidy(work: Promise<void>) {
    const done = work.finally(() => this.#tidying.delete(done))
    this.#tidying.add(done)
  }

  async #removeIfSettled(segment: Segment) {
    if (segment.isActive || segment.isGone || segment.settled < segment.records) return
    await this.#remove(segment)
  }

  async #remove(segment: Segment) {
    segment.isGone = true
    this.#diskBytes -= segment.size
    this.#segments.splice(this.#segments.indexOf(segment), 1)
    if (this.#loaded?.stretch.segment === segment) this.#loaded = undefined
    for (let index = this.#stretches.length - 1; index >= 0; index--)
      if (this.#stretches[index]!.segment === segment) this.#stretches.splice(index, 1)
    await this.#disk.remove(segment.path).catch(() => {})
  }

  /** False when there is nothing left to drop. */
  async #dropOldest(): Promise<boolean> {
    let segment = this.#segments[0]
    if (!segment) return false
    if (segment.isActive) {
      if (segment.records === 0) return false
      await this.#abandonActive()
      if (segment.isGone) return true
      segment = this.#segments[0]!
    }
    let lost = 0
    for (const stretch of this.#stretches) if (stretch.segment === segment) lost += stretch.records
    this.#dropped += lost
    this.#unsettled -= lost
    // Those still in memory live on there.
    for (let index = this.#freshHead; index < this.#fresh.length; index++) {
      const entry = this.#fresh[index]!
      if (entry.segment === segment) entry.segment = undefined
    }
    await this.#remove(segment)
    return true
  }

  /** Keeps memory bounded: what is durable can be read back later; of the rest the oldest is dropped. */
  #shed() {
    if (this.#inMemory <= Math.min(this.#freshBytes, this.#memoryBytes)) return
    const kept: Entry[] = []
    for (let index = this.#freshHead; index < this.#fresh.length; index++) {
      const entry = this.#fresh[index]!
      if (entry.segment && this.#inMemory > this.#freshBytes) this.#demote(entry, entry.segment)
      else if (!entry.segment && this.#inMemory > this.#memoryBytes) this.#drop(entry)
      else kept.push(entry)
    }
    this.#fresh = kept
    this.#freshHead = 0
    if (this.#isIll) this.#pending = this.#pending.filter(entry => !entry.isDone)
  }

  #demote(entry: Entry, segment: Segment) {
    this.#inMemory -= entry.bytes
    const last = this.#stretches.at(-1)
    if (last && last.segment === segment && last.end === entry.at && this.#reading !== last) {
      last.end += entry.bytes
      last.records++
    } else this.#stretches.push({ segment, start: entry.at, end: entry.at + entry.bytes, records: 1 })
  }

  #drop(entry: Entry) {
    entry.isDone = true
    this.#inMemory -= entry.bytes
    this.#dropped++
    this.#unsettled--
  }

  /** The oldest fresh results, to be sent in this order. */
  takeFresh(maxRecords: number, maxBytes: number): Batch | undefined {
    const entries: Entry[] = []
    let bytes = 0
    while (this.#freshHead < this.#fresh.length && entries.length < maxRecords) {
      const entry = this.#fresh[this.#freshHead]!
      if (entries.length > 0 && bytes + entry.bytes > maxBytes) break
      this.#freshHead++
      entries.push(entry)
      bytes += entry.bytes
    }
    if (this.#freshHead === this.#fresh.length) {
      this.#fresh = []
      this.#freshHead = 0
    } else if (this.#freshHead > 10_000) {
      this.#fresh = this.#fresh.slice(this.#freshHead)
      this.#freshHead = 0
    }
    return entries.length > 0 ? batchOf(this.#options.boot, entries, bytes, 'fresh') : undefined
  }

  /** The oldest results that are on disk only. */
  async takeBacklog(maxRecords: number, maxBytes: number): Promise<Batch | undefined> {
    for (;;) {
      const loaded = await this.#loadStretch()
      if (!loaded) return
      const { stretch, data } = loaded
      const base = stretch.end - data.length
      const { records, end } = readRecords(data, stretch.start - base, maxRecords)
      const entries: Entry[] = []
      let bytes = 0
      let stop = end
      for (const record of records) {
        const size = recordBytes(record.line)
        if (entries.length > 0 && bytes + size > maxBytes) {
          stop = record.at
          break
        }
        entries.push(new Entry(record.seq, record.line, size, false, stretch.segment))
        bytes += size
      }
      stretch.records -= entries.length
      stretch.start = base + stop
      if (entries.length < maxRecords && stop === end) this.#finishStretch(stretch)
      if (entries.length > 0) return batchOf(stretch.segment.boot, entries, bytes, 'backlog')
    }
  }

  #finishStretch(stretch: Stretch) {
    this.#loaded = undefined
    this.#reading = undefined
    const index = this.#stretches.indexOf(stretch)
    if (index >= 0) this.#stretches.splice(index, 1)
    // Sound when it was counted, damaged now.
    this.#corrupt += stretch.records
    this.#unsettled -= stretch.records
    stretch.segment.settled += stretch.records
    this.#tidy(this.#removeIfSettled(stretch.segment))
  }

  async #loadStretch() {
    while (!this.#loaded) {
      const stretch = this.#stretches[0]
      if (!stretch) return
      if (stretch.records <= 0) {
        this.#finishStretch(stretch)
        continue
      }
      this.#reading = stretch
      try {
        const data = stretch.segment.seal.open(await this.#disk.read(stretch.segment.path))
        // Dropped while it was being read.
        if (this.#stretches[0] !== stretch) continue
        this.#loaded = { stretch, data: padTo(data, stretch.end).subarray(stretch.start, stretch.end) }
      } catch (error) {
        if (this.#stretches[0] !== stretch) continue
        this.#options.onIll?.(error instanceof Error ? error : new Error(String(error)))
        this.#finishStretch(stretch)
      }
    }
    return this.#loaded
  }

  /** The server has them, or will never take them. */
  acknowledge(batch: Batch) {
    const touched = new Set<Segment>()
    for (const entry of batch.entries) {
      if (entry.isDone) continue
      entry.isDone = true
      this.#unsettled--
      if (batch.lane === 'fresh') this.#inMemory -= entry.bytes
      if (!entry.segment || entry.segment.isGone) continue
      entry.segment.settled++
      touched.add(entry.segment)
    }
    for (const segment of touched) {
      if (segment.settled < segment.records) continue
      if (segment.isActive && segment.size >= 65_536 && !this.#committing) this.#tidy(this.#abandonActive())
      else this.#tidy(this.#removeIfSettled(segment))
    }
  }

  /** Writes what there is, and lets go of the files. What was not acknowledged is sent by the next boot. */
  async close() {
    this.#isClosed = true
    clearTimeout(this.#commitTimer)
    this.#commitTimer = undefined
    const patience = new AbortController()
    await Promise.race([this.#finish(), sleep(2_000, undefined, { signal: patience.signal }).catch(() => {})])
    patience.abort()
    // What is in memory only ends with the process.
    for (let index = this.#freshHead; index < this.#fresh.length; index++)
      if (!this.#fresh[index]!.segment) this.#drop(this.#fresh[index]!)
  }

  async #finish() {
    await this.#committing
    if (this.#pending.length > 0) await this.#commitPending()
    await this.#abandonActive()
    await Promise.all(this.#tidying)
  }

  async #load() {
    const { dir, secret } = this.#options
    const listed = await this.#disk.list(dir)
    const aside = new Set(
      listed.filter(name => name.endsWith(asideSuffix)).map(name => name.slice(0, -asideSuffix.length)),
    )
    for (const name of aside) await this.#disk.rename(join(dir, name + asideSuffix), join(dir, name)).catch(() => {})
    const names = [...new Set([...listed, ...aside])].filter(name => namePattern.test(name)).sort()
    let setAside = 0
    for (const [index, name] of names.entries()) {
      const [, number = '', first = '', boot = ''] = namePattern.exec(name) ?? []
      this.#nextNumber = Number(number) + 1
      const segment = new Segment(dir, name, Number(number), boot, secret)
      const [, , nextFirst = '', nextBoot = ''] = namePattern.exec(names[index + 1] ?? '') ?? []
      try {
        await this.#scan(segment, Number(first), nextBoot === boot ? Number(nextFirst) : undefined)
      } catch (error) {
        const isGone = aside.has(name) || setAside++ >= asideAtMost
        await this.#leaveUnread(name, isGone, error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  /** Not left where it is: the disk would fill with what nobody reads, and no bound would count it. */
  async #leaveUnread(name: string, isGone: boolean, error: Error) {
    this.#unreadable++
    this.#options.onUnreadable?.({ name, error, isGone })
    const path = join(this.#options.dir, name)
    await (isGone ? this.#disk.remove(path) : this.#disk.rename(path, path + asideSuffix)).catch(() => {})
  }

  async #scan(segment: Segment, first: number, next: number | undefined) {
    const data = segment.seal.open(await this.#disk.read(segment.path))
    const { records, end, lost } = readRecords(data, 0, Infinity, first)
    this.#corrupt += lost
    if (end < data.length) {
      const after = (records.at(-1)?.seq ?? first - 1) + 1
      if (next !== undefined) this.#corrupt += Math.max(0, next - after)
      else if (isWholeRecord(data.subarray(end))) this.#corrupt++
      else this.#torn++
      await this.#disk.truncate(segment.path, end).catch(() => {})
    }
    segment.size = end
    segment.records = records.length
    this.#segments.push(segment)
    this.#diskBytes += end
    if (records.length === 0) return this.#remove(segment)
    this.#unsettled += records.length
    this.#stretches.push({ segment, start: 0, end, records: records.length })
    for (const record of records) this.#remember(record)
  }

  #remember({ line }: SpoolRecord) {
    const [, check = '', due = '', attempt] = keyPattern.exec(line) ?? []
    if (attempt === '0') this.#newestDues.set(check, Math.max(this.#newestDues.get(check) ?? 0, Number(due)))
  }
}

/** The head of a result's line, as `writeResult` writes it. */
const keyPattern = /^\{"seq":\d+,"check":"([^"]+)","kind":"[^"]*","due":(\d+),"attempt":(\d+)/

const pad = (number: number) => String(number).padStart(10, '0')
const padTo = (data: Buffer, size: number) =>
  data.length < size ? Buffer.concat([data, Buffer.alloc(size - data.length)]) : data
const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

const batchOf = (boot: string, entries: Entry[], bytes: number, lane: Batch['lane']): Batch => ({
  boot,
  first: entries[0]!.seq,
  last: entries.at(-1)!.seq,
  lines: entries.map(entry => entry.line),
  bytes,
  entries,
  lane,
})
