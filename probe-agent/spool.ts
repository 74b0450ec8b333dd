import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Disk, type DiskFile, realDisk, Seal } from './spool-disk.ts'
import { isWholeRecord, readRecords, recordBytes, type SpoolRecord, writeRecord } from './spool-record.ts'

export interface SpoolOptions {
  dir: string
  /** Identifies this process; its sequence numbers start at 1. */
  boot: string
  /** The secret from which the disk's key is derived. */
  secret: Buffer
  maxBytes: number
  /** Bytes of durable results that are also kept in memory, to be sent first. */
  freshBytes?: number
  /** Most bytes of results in memory only, while the disk is degraded. */
  memoryBytes?: number
  /** Shortest time between two writes; an urgent result waits less. */
  commitMs?: number
  /** Interval of retries on a degraded disk. */
  retryMs?: number
  /** A write that takes longer degrades the disk. */
  stallMs?: number
  disk?: Disk
  /** There are results to take. */
  onReady?: (urgent: boolean) => void
  onDegraded?: (error: Error) => void
  onRecovered?: () => void
  /** A segment of an earlier boot could not be read. `isGone`: for the second time, and was removed. */
  onUnreadable?: (segment: { name: string; error: Error; isGone: boolean }) => void
}

/** Results of one boot that are sent together and stay in the spool until `acknowledge`. */
export interface Batch {
  boot: string
  first: number
  last: number
  lines: string[]
  bytes: number
  entries: Entry[]
  queue: 'fresh' | 'backlog'
}

/** Longest wait of an urgent result for the next write, so that it shares the write with others. */
const urgentCommitMs = 3

class Segment {
  readonly number: number
  readonly boot: string
  readonly path: string
  readonly seal: Seal
  /** Durable bytes and records. */
  size = 0
  records = 0
  /** Records that were acknowledged or dropped. */
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
  readonly isUrgent: boolean
  /** Its segment; undefined while the result is in memory only. */
  segment: Segment | undefined
  at = 0
  isOffered = false
  isDone = false

  constructor(seq: number, line: string, bytes: number, isUrgent: boolean, segment?: Segment) {
    this.seq = seq
    this.line = line
    this.bytes = bytes
    this.isUrgent = isUrgent
    this.segment = segment
  }
}

export type { Entry }

/** Part of a segment that still has to be read and sent. */
interface SegmentRange {
  segment: Segment
  start: number
  end: number
  records: number
}

const namePattern = /^(\d{10})-(\d{10})-([0-9a-f-]{36})\.spool$/
/** Suffix of an unreadable segment, which is kept until the next boot tries it once more; at most this many. */
const asideSuffix = '.unreadable'
const asideAtMost = 8

/**
 * Queue of results: durable on disk before they are sent, removed only when the server has stored them.
 *
 * Fresh results also stay in memory and are sent first; the others (after an outage, from an earlier boot) are the
 * backlog, read back from disk, oldest first. Two bounds: beyond `maxBytes` the oldest segment is dropped, so that the
 * newest is kept; while the disk is degraded or full, results are kept in memory only, and beyond `memoryBytes` the
 * oldest of them are dropped. Dropped results are counted. A segment of an earlier boot that cannot be read is set
 * aside, and removed if the next boot cannot read it either.
 */
export class Spool {
  readonly #options: SpoolOptions
  readonly #disk: Disk
  readonly #segmentBytes: number
  readonly #freshBytes: number
  readonly #memoryBytes: number
  readonly #segments: Segment[] = []
  readonly #ranges: SegmentRange[] = []
  /** Newest scheduled due time of each check in the results of earlier boots. */
  readonly #newestDues = new Map<string, number>()

  #seq = 0
  #nextNumber = 1
  #diskBytes = 0
  #active: { segment: Segment; file: DiskFile; encrypt: (data: Buffer) => Buffer } | undefined

  /** Not yet written; with a degraded disk these are in `#fresh` too. */
  #pending: Entry[] = []
  #fresh: Entry[] = []
  #freshHead = 0
  #inMemory = 0
  #loaded: { range: SegmentRange; data: Buffer } | undefined
  /** The range being read or already read: newly demoted results go into another one. */
  #reading: SegmentRange | undefined

  #commitTimer: NodeJS.Timeout | undefined
  #commitDue = 0
  #lastCommit = 0
  #committing: Promise<void> | undefined
  /** Removals in progress. */
  readonly #tidying = new Set<Promise<void>>()
  #isDegraded = false
  #isClosed = false

  #unsettled = 0
  #dropped = 0
  #corrupt = 0
  #truncated = 0
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

  /** Number of unacknowledged results. */
  get spooled() {
    return this.#unsettled
  }
  get dropped() {
    return this.#dropped
  }
  /** Number of damaged records that were skipped. */
  get corrupt() {
    return this.#corrupt
  }
  /** Number of segments whose end was truncated while it was written. */
  get truncated() {
    return this.#truncated
  }
  /** Number of unreadable segments of earlier boots. */
  get unreadable() {
    return this.#unreadable
  }
  get diskBytes() {
    return this.#diskBytes
  }
  get memoryBytes() {
    return this.#inMemory
  }
  get isDegraded() {
    return this.#isDegraded
  }
  get hasFresh() {
    return this.#freshHead < this.#fresh.length
  }
  get freshCount() {
    return this.#fresh.length - this.#freshHead
  }
  get hasBacklog() {
    return this.#ranges.length > 0
  }
  newestDue(check: string): number | undefined {
    return this.#newestDues.get(check)
  }

  nextSeq() {
    return ++this.#seq
  }

  /** Adds one result. `line` is its JSON, with this `seq`. An urgent one is written and offered without delay. */
  append(seq: number, line: string, isUrgent: boolean) {
    if (this.#isClosed) return
    const entry = new Entry(seq, line, recordBytes(line), isUrgent)
    this.#unsettled++
    this.#inMemory += entry.bytes
    this.#pending.push(entry)
    if (this.#isDegraded) {
      this.#offer([entry])
      this.#shed()
      this.#retrySoon()
    } else this.#commitSoon(isUrgent)
  }

  /** Resolves when every result added so far is written or has failed to be written. */
  async flush() {
    await this.#committing
    if (this.#pending.length > 0) await this.#commit()
  }

  #commitSoon(isUrgent: boolean) {
    if (this.#committing) return
    const now = performance.now()
    const due = this.#lastCommit + (isUrgent ? urgentCommitMs : (this.#options.commitMs ?? 100))
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
      if (this.#isDegraded) this.#retrySoon()
      else this.#commitSoon(this.#pending.some(entry => entry.isUrgent))
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
    const wasDegraded = this.#isDegraded
    this.#isDegraded = left.length > 0
    this.#pending = left.length > 0 ? [...left, ...this.#pending] : this.#pending
    // Results that a degraded disk cannot store are sent from memory.
    this.#offer(this.#isDegraded ? [...group, ...this.#pending] : group)
    if (wasDegraded && !this.#isDegraded) this.#options.onRecovered?.()
    this.#shed()
  }

  /** The disk does not respond: results that wait for it continue in memory. */
  #stall(group: Entry[]) {
    if (this.#isDegraded) return
    this.#isDegraded = true
    this.#options.onDegraded?.(new Error('The disk does not respond.'))
    this.#offer([...group, ...this.#pending])
    this.#shed()
  }

  #offer(entries: Entry[]) {
    let isUrgent = false
    for (const entry of entries) {
      if (entry.isOffered) continue
      entry.isOffered = true
      this.#fresh.push(entry)
      isUrgent ||= entry.isUrgent
    }
    this.#options.onReady?.(isUrgent)
  }

  /** Returns the results that could not be made durable. */
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
        // A full disk is handled like a full spool: the oldest segment makes room for the newest.
        if (isDiskFull(error) && (await this.#dropOldest())) continue
        if (!this.#isDegraded) this.#options.onDegraded?.(error instanceof Error ? error : new Error(String(error)))
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
      if (count <= 0) throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })
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

  /**
   * Closes the active segment after its last intact record. After an error the rest is truncated: those results are
   * written again to another segment.
   */
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
    if (this.#loaded?.range.segment === segment) this.#loaded = undefined
    for (let index = this.#ranges.length - 1; index >= 0; index--)
      if (this.#ranges[index]!.segment === segment) this.#ranges.splice(index, 1)
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
    for (const range of this.#ranges) if (range.segment === segment) lost += range.records
    this.#dropped += lost
    this.#unsettled -= lost
    // Results that are still in memory stay there.
    for (let index = this.#freshHead; index < this.#fresh.length; index++) {
      const entry = this.#fresh[index]!
      if (entry.segment === segment) entry.segment = undefined
    }
    await this.#remove(segment)
    return true
  }

  /** Keeps memory bounded: durable results can be read back later; of the others the oldest are dropped. */
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
    if (this.#isDegraded) this.#pending = this.#pending.filter(entry => !entry.isDone)
  }

  #demote(entry: Entry, segment: Segment) {
    this.#inMemory -= entry.bytes
    const last = this.#ranges.at(-1)
    if (last && last.segment === segment && last.end === entry.at && this.#reading !== last) {
      last.end += entry.bytes
      last.records++
    } else this.#ranges.push({ segment, start: entry.at, end: entry.at + entry.bytes, records: 1 })
  }

  #drop(entry: Entry) {
    entry.isDone = true
    this.#inMemory -= entry.bytes
    this.#dropped++
    this.#unsettled--
  }

  /** The oldest fresh results, in order. */
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
      const loaded = await this.#loadRange()
      if (!loaded) return
      const { range, data } = loaded
      const base = range.end - data.length
      const { records, end } = readRecords(data, range.start - base, maxRecords)
      const entries: Entry[] = []
      let bytes = 0
      let stop = end
      for (const record of records) {
        const size = recordBytes(record.line)
        if (entries.length > 0 && bytes + size > maxBytes) {
          stop = record.at
          break
        }
        entries.push(new Entry(record.seq, record.line, size, false, range.segment))
        bytes += size
      }
      range.records -= entries.length
      range.start = base + stop
      if (entries.length < maxRecords && stop === end) this.#finishRange(range)
      if (entries.length > 0) return batchOf(range.segment.boot, entries, bytes, 'backlog')
    }
  }

  #finishRange(range: SegmentRange) {
    this.#loaded = undefined
    this.#reading = undefined
    const index = this.#ranges.indexOf(range)
    if (index >= 0) this.#ranges.splice(index, 1)
    // The segment was intact when it was scanned and is damaged now.
    this.#corrupt += range.records
    this.#unsettled -= range.records
    range.segment.settled += range.records
    this.#tidy(this.#removeIfSettled(range.segment))
  }

  async #loadRange() {
    while (!this.#loaded) {
      const range = this.#ranges[0]
      if (!range) return
      if (range.records <= 0) {
        this.#finishRange(range)
        continue
      }
      this.#reading = range
      try {
        const data = range.segment.seal.open(await this.#disk.read(range.segment.path))
        // The segment was dropped while it was being read.
        if (this.#ranges[0] !== range) continue
        this.#loaded = { range, data: padTo(data, range.end).subarray(range.start, range.end) }
      } catch (error) {
        if (this.#ranges[0] !== range) continue
        this.#options.onDegraded?.(error instanceof Error ? error : new Error(String(error)))
        this.#finishRange(range)
      }
    }
    return this.#loaded
  }

  /** The server has stored these results, or will never accept them. */
  acknowledge(batch: Batch) {
    const touched = new Set<Segment>()
    for (const entry of batch.entries) {
      if (entry.isDone) continue
      entry.isDone = true
      this.#unsettled--
      if (batch.queue === 'fresh') this.#inMemory -= entry.bytes
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

  /** Writes pending results and closes the files. Unacknowledged results are sent by the next boot. */
  async close() {
    this.#isClosed = true
    clearTimeout(this.#commitTimer)
    this.#commitTimer = undefined
    const patience = new AbortController()
    await Promise.race([this.#finish(), sleep(2_000, undefined, { signal: patience.signal }).catch(() => {})])
    patience.abort()
    // Results that are only in memory are lost with the process.
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

  /** Renamed: an unreadable segment in place would use space that no bound counts. */
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
      else this.#truncated++
      await this.#disk.truncate(segment.path, end).catch(() => {})
    }
    segment.size = end
    segment.records = records.length
    this.#segments.push(segment)
    this.#diskBytes += end
    if (records.length === 0) return this.#remove(segment)
    this.#unsettled += records.length
    this.#ranges.push({ segment, start: 0, end, records: records.length })
    for (const record of records) this.#remember(record)
  }

  #remember({ line }: SpoolRecord) {
    const [, check = '', due = '', attempt] = keyPattern.exec(line) ?? []
    if (attempt === '0') this.#newestDues.set(check, Math.max(this.#newestDues.get(check) ?? 0, Number(due)))
  }
}

/** The start of a result's line, as `writeResult` writes it. */
const keyPattern = /^\{"seq":\d+,"check":"([^"]+)","kind":"[^"]*","due":(\d+),"attempt":(\d+)/

const pad = (number: number) => String(number).padStart(10, '0')
const padTo = (data: Buffer, size: number) =>
  data.length < size ? Buffer.concat([data, Buffer.alloc(size - data.length)]) : data
const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

const batchOf = (boot: string, entries: Entry[], bytes: number, queue: Batch['queue']): Batch => ({
  boot,
  first: entries[0]!.seq,
  last: entries.at(-1)!.seq,
  lines: entries.map(entry => entry.line),
  bytes,
  entries,
  queue,
})
