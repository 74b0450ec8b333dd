import { createGunzip, type Gunzip } from 'node:zlib'
import { beginCoding, codingsOf, type Decoder, maxCodings } from './codings.ts'
import type { AnswerHeaders } from './exchange.ts'

/** One content coding: its decoder is chosen by the first bytes. */
interface Layer {
  coding: string
  head: Buffer
  decoder: Decoder | undefined
}

/** Decompresses a text as a stream, both its content codings and a gzip file within them, holding one chunk at a time. */
export class Unpacker {
  readonly #maxBytes: number
  readonly #onText: (text: string) => boolean
  readonly #text = new TextDecoder()
  #layers: Layer[] | undefined
  #file: Gunzip | undefined
  #hasEnded = false
  #bytes = 0
  #error: unknown
  #state: 'reading' | 'enough' | 'too_large' | 'broken' = 'reading'

  /** `onText` returns whether it wants more. */
  constructor(maxBytes: number, onText: (text: string) => boolean) {
    this.#maxBytes = maxBytes
    this.#onText = onText
  }

  get state() {
    return this.#state
  }

  /** Decompressed bytes read so far. */
  get bytes() {
    return this.#bytes
  }

  get isGzip() {
    return this.#file !== undefined
  }

  readonly take = async (part: Buffer, headers: AnswerHeaders): Promise<boolean> => {
    const copy = Buffer.from(part)
    this.#layers ??= codingsOf(headers.get('content-encoding')).map(coding => ({
      coding,
      head: Buffer.alloc(0),
      decoder: undefined,
    }))
    if (this.#layers.length > maxCodings) this.#stop('broken')
    else await this.#feed(0, copy)
    return this.#state === 'reading'
  }

  /** Waits for pending chunks. Throws what `onText` threw. */
  async end(): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const layer of this.#layers ?? []) {
      if (this.#state !== 'reading') break
      if (layer.decoder) await finish(layer.decoder)
      else if (layer.head.length > 0) this.#stop('broken')
    }
    if (this.#file && this.#state === 'reading') await finish(this.#file)
    this.#destroy()
    if (this.#state === 'reading') this.#onText(this.#text.decode())
    if (this.#error !== undefined) throw this.#error
  }

  async #feed(level: number, bytes: Buffer): Promise<void> {
    const layer = this.#layers?.[level]
    if (!layer) return this.#unwrap(bytes)
    if (layer.decoder) return write(layer.decoder, bytes)
    layer.head = Buffer.concat([layer.head, bytes])
    const start = beginCoding(layer.coding, layer.head)
    if (start === 'more') return
    if (start === 'broken') return this.#stop('broken')
    layer.decoder = this.#watch(start.decoder, part => this.#feed(level + 1, part))
    await write(layer.decoder, layer.head.subarray(start.skips))
  }

  #watch<D extends NodeJS.ReadWriteStream>(decoder: D, onBytes: (bytes: Buffer) => unknown): D {
    decoder.on('data', onBytes)
    decoder.on('error', () => this.#stop('broken'))
    return decoder
  }

  /** A gzip file begins with its magic number. */
  async #unwrap(bytes: Buffer): Promise<void> {
    if (this.#bytes === 0 && !this.#file && bytes[0] === 0x1f && bytes[1] === 0x8b)
      this.#file = this.#watch(createGunzip(), plain => this.#plain(plain))
    if (this.#file) await write(this.#file, bytes)
    else this.#plain(bytes)
  }

  #plain(bytes: Buffer) {
    if (this.#state !== 'reading') return
    this.#bytes += bytes.length
    if (this.#bytes > this.#maxBytes) return this.#stop('too_large')
    try {
      if (!this.#onText(this.#text.decode(bytes, { stream: true }))) this.#stop('enough')
    } catch (error) {
      // thrown into a decoder it would end the process
      this.#error ??= error
      this.#stop('broken')
    }
  }

  #stop(state: 'enough' | 'too_large' | 'broken') {
    if (this.#state === 'reading') this.#state = state
    this.#destroy()
  }

  #destroy() {
    for (const { decoder } of this.#layers ?? []) decoder?.destroy()
    this.#file?.destroy()
  }
}

const write = (decoder: NodeJS.ReadWriteStream, bytes: Buffer) =>
  new Promise<void>(resolve => {
    decoder.once('close', resolve)
    decoder.write(bytes, () => {
      decoder.removeListener('close', resolve)
      resolve()
    })
  })

const finish = (decoder: NodeJS.ReadWriteStream) =>
  new Promise<void>(resolve => {
    decoder.once('close', resolve)
    decoder.once('end', resolve)
    decoder.end()
  })
