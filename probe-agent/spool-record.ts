import { crc32 } from 'node:zlib'

/**
 * A record on disk: magic u16, unused u16, CRC32 u32 over the rest, length u32, sequence number u32, payload. A damaged
 * length would hide every later record, so the reader then searches the next magic with a matching CRC. The magic is
 * invalid UTF-8, so a payload cannot contain a forged record.
 */
export const headerBytes = 16
const magic = 0xd0_5e
const maxPayload = 1_000_000

export interface SpoolRecord {
  seq: number
  line: string
  /** Offset of the record. */
  at: number
}

export const recordBytes = (line: string) => headerBytes + Buffer.byteLength(line)

/** Writes a record and returns the offset of the next one. */
export function writeRecord(buffer: Buffer, at: number, seq: number, line: string): number {
  const length = buffer.write(line, at + headerBytes)
  const end = at + headerBytes + length
  buffer.writeUInt32BE((magic << 16) >>> 0, at)
  buffer.writeUInt32BE(length, at + 8)
  buffer.writeUInt32BE(seq, at + 12)
  buffer.writeUInt32BE(crc32(buffer.subarray(at + 8, end)), at + 4)
  return end
}

/** Which results are sent by the same owner: the shard, or the check for those of agents that did not write the shard. */
export type Key = number | string

/** The start of a result's line, as `writeResult` writes it. */
const keyPattern = /^\{"seq":\d+,(?:"shard":(\d+),)?"check":"([^"]+)"/
/** Longer than such a start. */
const keyBytes = 128

export function keyOf(line: string): Key {
  const [, shard, check = ''] = keyPattern.exec(line) ?? []
  return shard === undefined ? check : Number(shard)
}

export interface Place {
  seq: number
  key: Key
  /** Offsets of the record and of the next one. */
  at: number
  end: number
}

/** The first intact record at or after an offset. */
export function nextRecord(buffer: Buffer, from: number): Place | undefined {
  for (let at = from; at >= 0 && at < buffer.length; at = buffer.indexOf(magicBytes, at + 1)) {
    const end = recordEnd(buffer, at)
    if (end === undefined) continue
    const start = at + headerBytes
    const key = keyOf(buffer.toString('latin1', start, Math.min(end, start + keyBytes)))
    return { seq: buffer.readUInt32BE(at + 12), key, at, end }
  }
  return undefined
}

export const lineOf = (buffer: Buffer, { at, end }: Place) => buffer.toString('utf8', at + headerBytes, end)

function recordEnd(buffer: Buffer, at: number): number | undefined {
  if (at + headerBytes > buffer.length || buffer.readUInt16BE(at) !== magic) return
  const length = buffer.readUInt32BE(at + 8)
  const end = at + headerBytes + length
  if (length > maxPayload || end > buffer.length) return
  return crc32(buffer.subarray(at + 8, end)) === buffer.readUInt32BE(at + 4) ? end : undefined
}

export interface Reading {
  records: SpoolRecord[]
  /** Offset after the last intact record. */
  end: number
  /** Number of skipped records, derived from the gap in the sequence. */
  lost: number
}

/** The intact records from offset `from`, at most `limit`; the first has sequence number `expected`, if known. */
export function readRecords(buffer: Buffer, from = 0, limit = Infinity, expected?: number): Reading {
  const reading: Reading = { records: [], end: from, lost: 0 }
  let next = expected
  let at = from
  while (at < buffer.length && reading.records.length < limit) {
    const end = recordEnd(buffer, at)
    if (end === undefined) {
      at = buffer.indexOf(magicBytes, at + 1)
      if (at < 0) break
      continue
    }
    const seq = buffer.readUInt32BE(at + 12)
    if (at > reading.end) reading.lost += next === undefined || seq <= next ? 1 : seq - next
    reading.records.push({ seq, line: buffer.toString('utf8', at + headerBytes, end), at })
    next = seq + 1
    reading.end = end
    at = end
  }
  return reading
}

/**
 * Whether the bytes after the last intact record are a complete but damaged record, not one truncated while it was
 * written.
 */
export function isWholeRecord(tail: Buffer): boolean {
  return tail.length >= headerBytes && headerBytes + tail.readUInt32BE(8) <= tail.length
}

const magicBytes = Buffer.from([magic >> 8, magic & 0xff])
