import { inflateSync } from 'node:zlib'

const headerBytes = 44
const entryBytes = 20
const recordBytes = 16

/**
 * The font within a WOFF file (W3C, version 1.0), as a TrueType or OpenType font: each of its tables is compressed by
 * itself. Made once, as fontkit unpacks a whole table again for each glyph.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is no WOFF font.')
  const count = woff.readUInt16BE(12)
  const directoryBytes = 12 + count * recordBytes
  const directory = Buffer.alloc(directoryBytes)
  woff.copy(directory, 0, 4, 8)
  const power = Math.floor(Math.log2(count))
  const range = 2 ** power * recordBytes
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(range, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(count * recordBytes - range, 10)
  const tables: Buffer[] = []
  let offset = directoryBytes
  for (let n = 0; n < count; n++) {
    const entry = headerBytes + n * entryBytes
    const [from, packed, length] = [4, 8, 12].map(at => woff.readUInt32BE(entry + at)) as [number, number, number]
    const stored = woff.subarray(from, from + packed)
    const table = packed < length ? inflateSync(stored, { maxOutputLength: length }) : stored
    const record = 12 + n * recordBytes
    woff.copy(directory, record, entry, entry + 4)
    woff.copy(directory, record + 4, entry + 16, entry + 20)
    directory.writeUInt32BE(offset, record + 8)
    directory.writeUInt32BE(length, record + 12)
    const padding = -length & 3
    tables.push(table, Buffer.alloc(padding))
    offset += length + padding
  }
  return Buffer.concat([directory, ...tables])
}
