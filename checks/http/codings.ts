import {
  constants,
  createBrotliDecompress,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  inflateSync,
} from 'node:zlib'

export type Decoder = NodeJS.ReadWriteStream & { destroy(): unknown; readonly bytesWritten: number }

/** A decoder, and how many bytes at the start it is not to be given. */
interface Begun {
  decoder: Decoder
  skips: number
}

/** `more`: the decoder is chosen by more bytes. `broken`: this is not the coding that was declared. */
type Start = Begun | 'more' | 'broken'

const flush = { finishFlush: constants.Z_SYNC_FLUSH }
const begun = (decoder: Decoder, skips = 0): Start => ({ decoder, skips })

const starts: Record<string, (head: Buffer) => Start> = {
  gzip: beginGzip,
  'x-gzip': beginGzip,
  deflate: head => (head.length < 2 ? 'more' : begun(isZlib(head) ? createInflate(flush) : createInflateRaw(flush))),
  br: () => begun(createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })),
  zstd: () => begun(createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })),
}

/** More than any server applies. */
export const maxCodings = 5

/**
 * The content codings of an answer, the one to undo first at the front (RFC 9110, 8.4). Words that are no coding are
 * left out, as browsers do: with `Content-Encoding: UTF-8` they show the body as it is.
 */
export const codingsOf = (header: string | undefined): string[] =>
  header === undefined
    ? []
    : header
        .toLowerCase()
        .split(',')
        .map(name => name.trim())
        .filter(name => Object.hasOwn(starts, name))
        .toReversed()

/** Chooses the decoder for a body that begins with these bytes. */
export const beginCoding = (coding: string, head: Buffer): Start => starts[coding]?.(head) ?? 'broken'

const gzipMagic = Buffer.from([0x1f, 0x8b, 8])
const maxGzipHead = 65_536

/**
 * The header of gzip (RFC 1952) is read here and the rest decoded as bare deflate: as in browsers, what comes behind
 * the first member is left alone, be it padding or noise, and a wrong checksum does not matter.
 */
function beginGzip(head: Buffer): Start {
  if (!head.subarray(0, 3).equals(gzipMagic.subarray(0, head.length))) return 'broken'
  if (head.length < 10) return 'more'
  const [flags = 0] = head.subarray(3)
  if (flags & 0xe0) return 'broken'
  let at = 10
  if (flags & 4) at += 2 + (at + 2 <= head.length ? head.readUInt16LE(at) : 0)
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue
    const end = head.indexOf(0, at)
    if (end === -1) return head.length > maxGzipHead ? 'broken' : 'more'
    at = end + 1
  }
  if (flags & 2) at += 2
  return at <= head.length ? begun(createInflateRaw(flush), at) : 'more'
}

/** Whether another frame of Zstandard begins here: a body may have several (RFC 8878, 3.1). */
export const isZstdFrame = (body: Buffer) => body.length >= 4 && body.readUInt32LE() === 0xfd2fb528

/**
 * Whether `deflate` means what it should, the format of zlib. Servers often leave out its wrapper (RFC 9110, 8.4.1.2).
 * Two bytes show that nearly always, and decoding the start shows the rest.
 */
function isZlib(head: Buffer): boolean {
  const [first, second] = [head[0]!, head[1]!]
  if ((first & 0x0f) !== 8 || first >> 4 > 7 || (first * 256 + second) % 31 !== 0) return false
  try {
    inflateSync(head.subarray(0, 64), { ...flush, maxOutputLength: 131_072 })
    return true
  } catch (error) {
    return error instanceof RangeError
  }
}
