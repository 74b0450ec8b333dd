import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { shardCount } from '#contract/shards.ts'
import { Backlog, type Piece } from './spool-backlog.ts'
import { type Disk, type DiskFile, realDisk, Seal } from './spool-disk.ts'
import { FreshQueue } from './spool-queue.ts'
import {
  isWholeRecord,
  type Key,
  keyOf,
  lineOf,
  nextRecord,
  readRecords,
  recordBytes,
  type SpoolRecord,
  writeRecord,
} from './spool-record.ts'

/** What sends results to the ingest process that owns their shards: a session. */
export type Owner = object

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
  /** There are results to take, of the shards of this owner. */
  onReady?: (urgent: boolean, owner: Owner | undefined) => void
  /** The owner of a check, for the results of agents that did not write the shard. Undefined: none at the moment. */
  ownerOfCheck?: (check: string) => Owner | undefined
  onDegraded?: (error: Error) => void
  onRecovered?: () => void
  /** A segment of an earlier boot could not be read. `isGone`: for the second time, and was removed. */
  onUnreadable?: (segment: { name: string; error: Error; isGone: boolean }) => void
}

/**
 * Results of one boot that are sent together and stay in the spool until `acknowledge`, or return by `putBack` or
 * `keepToStore`.
 */
export interface Batch {
  boot: string
  first: number
  last: number
  lines: string[]
  bytes: number
  entries: Entry[]
  /** Where results in memory were taken from; undefined: they are of a backlog. */
  queue: FreshQueue<Entry> | undefined
  /** The server has decided on these results: they are to be stored alone. */
  isDecided: boolean
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
  /** Records in the backlog. */
  waiting = 0
  /** Records of the backlog that are being sent: they are nowhere else. */
  taken = 0
  /** Where the newest record of each key ends. */
  readonly ends = new Map<Key, number>()
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
  readonly key: Key
  readonly line: string
  readonly bytes: number
  readonly isUrgent: boolean
  /** Its segment; undefined while the result is in memory only. */
  segment: Segment | undefined
  /** Offset of its record, and the end of the one before it with the same key; -1 for the first. */
  at = 0
  follows = -1
  isOffered = false
  isDone = false
  /** -1: not read from its line yet. */
  #due = -1

  constructor(seq: number, key: Key, line: string, bytes: number, isUrgent: boolean, segment?: Segment) {
    this.seq = seq
    this.key = key
    this.line = line
    this.bytes = bytes
    this.isUrgent = isUrgent
    this.segment = segment
  }

  get due(): number {
    if (this.#due === -1) this.#due = dueOf(this.line)?.due ?? 0
    return this.#due
  }
}

export type { Entry }

/** The data of a segment as far as it was written when it was read. */
interface Loaded {
  segment: Segment
  data: Buffer
  size: number
}

const namePattern = /^(\d{10})-(\d{10})-([0-9a-f-]{36})\.spool$/
/** Suffix of an unreadable segment, which is kept until the next boot tries it once more; at most this many. */
const asideSuffix = '.unreadable'
const asideAtMost = 8
/** Segments of the backlog kept in memory while they are sent: owners may be at different ones. */
const loadedAtMost = 4

/**
 * Queue of results: durable on disk before they are sent, removed only when the server has stored them.
 *
 * Fresh results also stay in memory and are sent first; the others (after an outage, from an earlier boot) are the
 * backlog, read back from disk, oldest first. Results that the server has decided on and could not store are a
 * backlog of their own, which delays neither; after a restart they are decided on again, as replays. All are sent by
 * the owner of their shards: fresh results wait in a queue of each owner, and one more for shards without an owner;
 * an owner reads from the backlogs only what is its own. So an owner that is away delays no other. Two bounds: beyond
 * `maxBytes` the oldest segment is dropped, so that the newest is kept; while the disk is degraded or full, results
 * are kept in memory only, and beyond `memoryBytes` the oldest of them are dropped. On a full disk a segment whose
 * results are all in memory too makes room, and one with results that are on disk alone only once memory is full.
 * Dropped results are counted. A segment of an earlier boot that cannot be read is set aside, and removed if the next
 * boot cannot read it either.
 */
export class Spool {
  readonly #options: SpoolOptions
  readonly #disk: Disk
  readonly #segmentBytes: number
  readonly #freshBytes: number
  readonly #memoryBytes: number
  readonly #segments: Segment[] = []
  /** What is on disk only: to be decided on, and to be stored. */
  readonly #backlog = new Backlog<Segment>()
  readonly #toStore = new Backlog<Segment>()
  /** What is to be stored, while the disk does not take it. */
  readonly #toStoreInMemory = new FreshQueue<Entry>(undefined)
  readonly #loaded: Loaded[] = []
  /** Newest scheduled due time of each check in the results of earlier boots. */
  readonly #newestDues = new Map<string, number>()

  #seq = 0
  #nextNumber = 1
  #diskBytes = 0
  #active: { segment: Segment; file: DiskFile; encrypt: (data: Buffer) => Buffer } | undefined

  /** Not yet written; with a degraded disk these are offered too. */
  #pending: Entry[] = []
  #queues = new Map<Owner | undefined, FreshQueue<Entry>>()
  #byShard: FreshQueue<Entry>[]
  #inMemory = 0

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
    const queue = new FreshQueue<Entry>(undefined)
    this.#queues.set(undefined, queue)
    this.#byShard = Array(shardCount).fill(queue)
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
  /** Of this owner; without one, of the shards that have none. */
  hasFresh(owner?: Owner) {
    return this.freshCount(owner) > 0
  }
  freshCount(owner?: Owner) {
    return this.#queues.get(owner)?.size ?? 0
  }
  hasBacklog(owner?: Owner) {
    return this.#backlog.has(this.#isOf(owner))
  }
  /** Whether results of this owner were decided on and not stored. */
  hasToStore(owner?: Owner) {
    const isOwn = this.#isOf(owner)
    if (this.#toStore.has(isOwn)) return true
    for (const { key } of this.#toStoreInMemory) if (isOwn(key)) return true
    return false
  }
  /** The due time of the oldest result in a backlog. */
  get waitingSince(): number | undefined {
    const since = [this.#backlog.since, this.#toStore.since, ...[...this.#toStoreInMemory].map(({ due }) => due)]
    const known = since.filter(due => due !== undefined)
    return known.length > 0 ? Math.min(...known) : undefined
  }
  newestDue(check: string): number | undefined {
    return this.#newestDues.get(check)
  }

  nextSeq() {
    return ++this.#seq
  }

  /**
   * Adds one result. `line` is its JSON, with this `seq` and, if any, this shard. An urgent one is written and offered
   * without delay.
   */
  append(seq: number, line: string, isUrgent: boolean, key: Key = keyOf(line)) {
    if (this.#isClosed) return
    const entry = new Entry(seq, key, line, recordBytes(line), isUrgent)
    this.#unsettled++
    this.#inMemory += entry.bytes
    this.#pending.push(entry)
    if (this.#isDegraded) {
      this.#offer([entry])
      this.#shed()
      this.#retrySoon()
    } else this.#commitSoon(isUrgent)
  }

  /** From now on each shard's results are taken by its owner. */
  assignShards(ownerOf: (shard: number) => Owner | undefined) {
    const before = this.#byShard
    const queues = new Map<Owner | undefined, FreshQueue<Entry>>()
    const queueOf = (owner: Owner | undefined) => {
      const queue = queues.get(owner) ?? this.#queues.get(owner) ?? new FreshQueue<Entry>(owner)
      queues.set(owner, queue)
      return queue
    }
    queueOf(undefined)
    this.#byShard = before.map((_, shard) => queueOf(ownerOf(shard)))
    this.#queues = queues
    const changed = new Set(this.#byShard.flatMap((queue, shard) => (queue === before[shard] ? [] : [before[shard]!])))
    this.#enqueue(
      [...changed].flatMap(queue => {
        const entries = queue.takeAll()
        for (const { bytes } of entries) queue.bytes -= bytes
        return entries
      }),
    )
  }

  #queueOf(key: Key): FreshQueue<Entry> {
    return this.#byShard[typeof key === 'number' ? key : 0]!
  }

  #isOf(owner: Owner | undefined) {
    return (key: Key) => this.#ownerOf(key) === owner
  }

  #ownerOf(key: Key): Owner | undefined {
    return typeof key === 'number' ? this.#byShard[key]!.owner : this.#options.ownerOfCheck?.(key)
  }

  /** Adds results to the queues of their owners, in order of their sequence numbers. */
  #enqueue(entries: Entry[]) {
    const groups = Map.groupBy(entries, entry => this.#queueOf(entry.key))
    for (const [queue, group] of groups) {
      for (const { bytes } of group) queue.bytes += bytes
      queue.replace([...group, ...queue.takeAll()].sort((a, b) => a.seq - b.seq))
      this.#options.onReady?.(
        group.some(({ isUrgent }) => isUrgent),
        queue.owner,
      )
    }
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
    const ready = new Map<FreshQueue<Entry>, boolean>()
    let last: FreshQueue<Entry> | undefined
    let isUrgent = false
    for (const entry of entries) {
      if (entry.isOffered) continue
      entry.isOffered = true
      // room was made meanwhile for results after it
      if (entry.segment?.isGone) entry.segment = undefined
      const queue = this.#queueOf(entry.key)
      queue.push(entry)
      if (queue !== last) {
        if (last) ready.set(last, isUrgent)
        isUrgent = ready.get(queue) ?? false
        last = queue
      }
      isUrgent ||= entry.isUrgent
    }
    if (last) ready.set(last, isUrgent)
    for (const [{ owner }, isUrgent] of ready) this.#options.onReady?.(isUrgent, owner)
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
        if (isDiskFull(error) && (await this.#dropOldest(this.#inMemory < this.#memoryBytes))) continue
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
      entry.follows = segment.ends.get(entry.key) ?? -1
      segment.ends.set(entry.key, entry.at + entry.bytes)
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
    this.#unload(segment)
    if (segment.waiting > 0) for (const backlog of [this.#backlog, this.#toStore]) backlog.removeSegment(segment)
    segment.waiting = 0
    await this.#disk.remove(segment.path).catch(() => {})
  }

  /** False when there is nothing left to drop. `isSparing`: results that are on disk alone stay there. */
  async #dropOldest(isSparing = false): Promise<boolean> {
    const segment = this.#segments.find(({ waiting, taken }) => !isSparing || waiting + taken === 0)
    if (!segment) return false
    if (segment.isActive) {
      if (segment.records === 0) return false
      await this.#abandonActive()
      if (segment.isGone) return true
    }
    this.#dropped += segment.waiting
    this.#unsettled -= segment.waiting
    // Results that are still in memory stay there.
    for (const queue of [...this.#queues.values(), this.#toStoreInMemory])
      for (const entry of queue) if (entry.segment === segment) entry.segment = undefined
    await this.#remove(segment)
    return true
  }

  /**
   * Keeps memory bounded: durable results can be read back later; of the others the oldest are dropped. Owners have
   * equal shares: the results of one that takes none must not displace those of another.
   */
  #shed() {
    if (this.#inMemory <= Math.min(this.#freshBytes, this.#memoryBytes)) return
    const queues = [...this.#queues.values()]
    const share = this.#freshBytes / Math.max(1, queues.filter(({ bytes }) => bytes > 0).length)
    for (const queue of queues)
      queue.keep(entry => {
        if (!entry.segment || this.#inMemory <= this.#freshBytes || (share < this.#freshBytes && queue.bytes <= share))
          return true
        this.#inMemory -= entry.bytes
        queue.bytes -= entry.bytes
        this.#backlog.add(entry, entry.segment)
        return false
      })
    if (this.#inMemory > this.#memoryBytes) this.#dropFromMemory([...queues, this.#toStoreInMemory])
    if (this.#isDegraded) this.#pending = this.#pending.filter(entry => !entry.isDone)
  }

  /** Drops the oldest results that are in memory only; those first that were decided on. */
  #dropFromMemory(queues: FreshQueue<Entry>[]) {
    const entries = queues.flatMap(queue =>
      [...queue].flatMap(entry => (entry.segment ? [] : { entry, queue, isDecided: queue === this.#toStoreInMemory })),
    )
    entries.sort((a, b) => Number(b.isDecided) - Number(a.isDecided) || a.entry.seq - b.entry.seq)
    for (const { entry, queue } of entries) {
      if (this.#inMemory <= this.#memoryBytes) break
      queue.bytes -= entry.bytes
      this.#drop(entry)
    }
    for (const queue of queues) queue.keep(({ isDone }) => !isDone)
  }

  #drop(entry: Entry) {
    entry.isDone = true
    this.#inMemory -= entry.bytes
    this.#dropped++
    this.#unsettled--
  }

  /** The oldest fresh results of this owner, in order; without one, of the shards that have none. */
  takeFresh(maxRecords: number, maxBytes: number, owner?: Owner): Batch | undefined {
    const queue = this.#queues.get(owner)
    const entries = queue?.take(maxRecords, maxBytes) ?? []
    return entries.length > 0 ? batchOf(this.#options.boot, entries, { queue, isDecided: false }) : undefined
  }

  /** The oldest results of this owner that are on disk only and not decided on. */
  takeBacklog(maxRecords: number, maxBytes: number, owner?: Owner): Promise<Batch | undefined> {
    return this.#takeFrom(this.#backlog, maxRecords, maxBytes, owner)
  }

  /** The oldest results of this owner that were decided on and not stored. */
  async takeToStore(maxRecords: number, maxBytes: number, owner?: Owner): Promise<Batch | undefined> {
    return (
      (await this.#takeFrom(this.#toStore, maxRecords, maxBytes, owner)) ??
      this.#takeFromMemory(maxRecords, maxBytes, owner)
    )
  }

  #takeFromMemory(maxRecords: number, maxBytes: number, owner: Owner | undefined): Batch | undefined {
    const queue = this.#toStoreInMemory
    if (queue.size === 0) return
    const isOwn = this.#isOf(owner)
    const entries: Entry[] = []
    let bytes = 0
    queue.keep(entry => {
      if (!isOwn(entry.key) || entries.length === maxRecords || bytes + entry.bytes > maxBytes) return true
      bytes += entry.bytes
      entries.push(entry)
      return false
    })
    entries.sort((a, b) => a.seq - b.seq)
    return entries.length > 0 ? batchOf(this.#options.boot, entries, { queue, isDecided: true }) : undefined
  }

  async #takeFrom(
    backlog: Backlog<Segment>,
    maxRecords: number,
    maxBytes: number,
    owner: Owner | undefined,
  ): Promise<Batch | undefined> {
    const isOwn = this.#isOf(owner)
    for (;;) {
      const oldest = backlog.oldest(isOwn)
      if (!oldest) return
      const { segment, to } = oldest
      const data = await this.#dataOf(segment, to)
      // The segment may have been dropped, and the shards may have moved, while it was being read.
      const entries = data ? this.#readPieces(backlog, segment, data, { maxRecords, maxBytes, isOwn }) : []
      if (entries.length > 0)
        return batchOf(segment.boot, entries, { queue: undefined, isDecided: backlog === this.#toStore })
    }
  }

  /**
   * Reads and removes the oldest records of these keys of a segment. A record that is missing was intact when the
   * segment was scanned and is damaged now.
   */
  #readPieces(
    backlog: Backlog<Segment>,
    segment: Segment,
    data: Buffer,
    { maxRecords, maxBytes, isOwn }: { maxRecords: number; maxBytes: number; isOwn: (key: Key) => boolean },
  ): Entry[] {
    const byKey = backlog.of(segment, isOwn)
    const pieces = [...byKey.values()].flat()
    const ends = new Map<Piece<Segment>, number>()
    // Results may have been added after the data was read.
    const until = Math.min(data.length, Math.max(...pieces.map(({ to }) => to)))
    const entries: Entry[] = []
    let bytes = 0
    let stop = until
    for (let at = Math.min(...pieces.map(({ from }) => from)); at < until; ) {
      const record = nextRecord(data, at)
      if (!record || record.at >= until) break
      at = record.end
      const piece = byKey.get(record.key)?.find(({ from, to }) => from <= record.at && record.at < to)
      if (!piece) continue
      const size = record.end - record.at
      if (entries.length === maxRecords || (entries.length > 0 && bytes + size > maxBytes)) {
        stop = record.at
        break
      }
      const entry = new Entry(record.seq, record.key, lineOf(data, record), size, false, segment)
      entry.at = record.at
      entry.follows = ends.get(piece) ?? -1
      ends.set(piece, record.end)
      entries.push(entry)
      bytes += size
      piece.since = entry.due
      piece.records--
      segment.waiting--
      segment.taken++
    }
    for (const piece of pieces) {
      piece.from = Math.max(piece.from, stop)
      if (piece.from >= piece.to) this.#loseRest(piece)
    }
    backlog.prune()
    this.#removeIfRead(segment)
    return entries
  }

  #loseRest(piece: Piece<Segment>) {
    const { segment, records } = piece
    piece.from = piece.to
    piece.records = 0
    this.#corrupt += records
    this.#unsettled -= records
    segment.settled += records
    segment.waiting -= records
  }

  /** Removes a segment that is no longer needed. */
  #removeIfRead(segment: Segment) {
    if (segment.waiting > 0) return
    this.#unload(segment)
    this.#tidy(this.#removeIfSettled(segment))
  }

  /** The data of a segment up to an offset at least. Undefined: it was dropped, or cannot be read, which loses it. */
  async #dataOf(segment: Segment, to: number): Promise<Buffer | undefined> {
    const known = this.#loaded.find(loaded => loaded.segment === segment)
    if (known && known.size >= to) return known.data
    const { size } = segment
    try {
      const data = padTo(segment.seal.open(await this.#disk.read(segment.path)), size).subarray(0, size)
      if (segment.isGone) return
      this.#unload(segment)
      this.#loaded.unshift({ segment, data, size })
      this.#loaded.splice(loadedAtMost)
      return data
    } catch (error) {
      if (segment.isGone) return
      this.#options.onDegraded?.(error instanceof Error ? error : new Error(String(error)))
      for (const backlog of [this.#backlog, this.#toStore]) {
        for (const piece of backlog.piecesIn(segment)) this.#loseRest(piece)
        backlog.prune()
      }
      this.#tidy(this.#removeIfSettled(segment))
      return
    }
  }

  #unload(segment: Segment) {
    const index = this.#loaded.findIndex(loaded => loaded.segment === segment)
    if (index >= 0) this.#loaded.splice(index, 1)
  }

  /** Returns the results of a batch that were not acknowledged: they are taken again, by the owner of their shards. */
  putBack(batch: Batch) {
    if (batch.isDecided) return this.keepToStore(batch)
    const left = batch.entries.filter(({ isDone }) => !isDone)
    const { queue } = batch
    if (!queue) {
      for (const entry of left) this.#putBackTaken(entry, this.#backlog)
      return
    }
    for (const entry of left) {
      queue.bytes -= entry.bytes
      if (entry.segment?.isGone) entry.segment = undefined
    }
    this.#enqueue(left)
  }

  /** The server has decided on these results and has not stored them: they wait to be stored, on disk where possible. */
  keepToStore({ entries, queue }: Batch) {
    for (const entry of entries) {
      if (entry.isDone) continue
      if (!queue) {
        this.#putBackTaken(entry, this.#toStore)
        continue
      }
      queue.bytes -= entry.bytes
      if (entry.segment?.isGone) entry.segment = undefined
      if (entry.segment) {
        this.#inMemory -= entry.bytes
        this.#putBackRecord(entry, this.#toStore)
      } else this.#toStoreInMemory.push(entry)
    }
  }

  #putBackTaken(entry: Entry, backlog: Backlog<Segment>) {
    if (entry.segment) entry.segment.taken--
    this.#putBackRecord(entry, backlog)
  }

  #putBackRecord(entry: Entry, backlog: Backlog<Segment>) {
    entry.isDone = true // it is read again, as another entry
    const { segment } = entry
    if (segment && !segment.isGone) return backlog.add(entry, segment)
    this.#dropped++
    this.#unsettled--
  }

  /** The server has stored these results, or will never accept them. */
  acknowledge(batch: Batch) {
    const touched = new Set<Segment>()
    for (const entry of batch.entries) {
      if (entry.isDone) continue
      entry.isDone = true
      this.#unsettled--
      if (batch.queue) {
        this.#inMemory -= entry.bytes
        batch.queue.bytes -= entry.bytes
      } else if (entry.segment) entry.segment.taken--
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
    const waiting = new AbortController()
    await Promise.race([this.#finish(), sleep(2_000, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
    // Results that are only in memory are lost with the process.
    for (const queue of [...this.#queues.values(), this.#toStoreInMemory])
      for (const entry of queue) if (!entry.segment) this.#drop(entry)
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
    const ends = new Map<Key, number>()
    for (const record of records) {
      const key = keyOf(record.line)
      const bytes = recordBytes(record.line)
      const due = this.#remember(record)
      this.#backlog.add({ key, at: record.at, bytes, follows: ends.get(key) ?? -1, due }, segment)
      ends.set(key, record.at + bytes)
    }
  }

  #remember({ line }: SpoolRecord): number {
    const found = dueOf(line)
    if (found?.attempt === 0)
      this.#newestDues.set(found.check, Math.max(this.#newestDues.get(found.check) ?? 0, found.due))
    return found?.due ?? 0
  }
}

/** The start of a result's line, as `writeResult` writes it. */
const duePattern = /^\{"seq":\d+,(?:"shard":\d+,)?"check":"([^"]+)","kind":"[^"]*","due":(\d+),"attempt":(\d+)/

function dueOf(line: string): { check: string; due: number; attempt: number } | undefined {
  const [, check, due, attempt] = duePattern.exec(line) ?? []
  return check === undefined ? undefined : { check, due: Number(due), attempt: Number(attempt) }
}

const pad = (number: number) => String(number).padStart(10, '0')
const padTo = (data: Buffer, size: number) =>
  data.length < size ? Buffer.concat([data, Buffer.alloc(size - data.length)]) : data
const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

const batchOf = (boot: string, entries: Entry[], from: Pick<Batch, 'queue' | 'isDecided'>): Batch => ({
  boot,
  first: entries[0]!.seq,
  last: entries.at(-1)!.seq,
  lines: entries.map(entry => entry.line),
  bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
  entries,
  ...from,
})
