import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto'
import { z } from 'zod'

/** How the key of a backup is made of what the operator gives; the fields of `crypto.scrypt`. */
export const KeyDerivation = z.object({
  cipher: z.literal('aes-256-gcm'),
  kdf: z.literal('scrypt'),
  salt: z.base64url().length(22),
  cost: z.literal(65_536),
  block: z.literal(8),
})
export type KeyDerivation = z.infer<typeof KeyDerivation>

export const newDerivation = (): KeyDerivation => ({
  cipher: 'aes-256-gcm',
  kdf: 'scrypt',
  salt: randomBytes(16).toString('base64url'),
  cost: 65_536,
  block: 8,
})

/** The key that the keys of all files of a backup are derived from. */
export const deriveKey = (given: string, { salt, cost, block }: KeyDerivation): Buffer =>
  scryptSync(given, Buffer.from(salt, 'base64url'), 32, { N: cost, r: block, maxmem: 256 * cost * block })

/** A file that this key does not open, or that was changed, cut or renamed. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

const saltBytes = 16
const tagBytes = 16
const chunkBytes = 65_536

/** A key of one file alone: no two files are encrypted with the same key and nonce. `name`: of the file. */
const keyOfFile = (key: Buffer, salt: Buffer, name: string) =>
  Buffer.from(hkdfSync('sha256', key, salt, `vedette backup v1\0${name}`, 32))

/** The number of a chunk, then whether it is the last: chunks cannot be reordered, nor the end cut off. */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream into pieces of one size; the last may be shorter, and is there also where nothing came. */
async function* piecesOf(source: AsyncIterable<Buffer>, bytes: number) {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let index = 0
  for await (const given of source) {
    waiting.push(given)
    waitingBytes += given.length
    // whether a piece is the last is known at the end: one is always kept back
    if (waitingBytes <= bytes) continue
    let all = Buffer.concat(waiting)
    for (; all.length > bytes; all = all.subarray(bytes))
      yield { piece: all.subarray(0, bytes), index: index++, isLast: false }
    waiting = [all]
    waitingBytes = all.length
  }
  yield { piece: Buffer.concat(waiting), index, isLast: true }
}

/** A step of a `pipeline`. */
export type Step = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>

/** Encrypts a stream. `name` is bound to it: the file must be read again under the same name. */
export const encryption = (key: Buffer, name: string): Step =>
  async function* (source) {
    const salt = randomBytes(saltBytes)
    const ofFile = keyOfFile(key, salt, name)
    yield salt
    for await (const { piece, index, isLast } of piecesOf(source, chunkBytes)) {
      const cipher = createCipheriv('aes-256-gcm', ofFile, nonceOf(index, isLast))
      yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
    }
  }

/** Decrypts a stream of `encryption`; fails with `UnreadableFile`. What came out before a failure is authentic. */
export const decryption = (key: Buffer, name: string): Step =>
  async function* (source) {
    const bytes = source[Symbol.asyncIterator]()
    const { head, rest } = await readHead(bytes)
    if (head.length < saltBytes) throw new UnreadableFile(`${name} was cut off.`)
    const ofFile = keyOfFile(key, head, name)
    for await (const { piece, index, isLast } of piecesOf(followed(rest, bytes), chunkBytes + tagBytes)) {
      if (piece.length < tagBytes) throw new UnreadableFile(`${name} was cut off.`)
      const decipher = createDecipheriv('aes-256-gcm', ofFile, nonceOf(index, isLast), { authTagLength: tagBytes })
      decipher.setAuthTag(piece.subarray(-tagBytes))
      try {
        yield Buffer.concat([decipher.update(piece.subarray(0, -tagBytes)), decipher.final()])
      } catch {
        throw new UnreadableFile(`${name} is not opened by this key, or was changed.`)
      }
    }
  }

async function readHead(bytes: AsyncIterator<Buffer>): Promise<{ head: Buffer; rest: Buffer }> {
  let read: Buffer = Buffer.alloc(0)
  while (read.length < saltBytes) {
    const { value, done } = await bytes.next()
    if (done) break
    read = Buffer.concat([read, value])
  }
  return { head: read.subarray(0, saltBytes), rest: read.subarray(saltBytes) }
}

async function* followed(first: Buffer, bytes: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value
}
