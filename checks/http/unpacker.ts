import { createGunzip, type Gunzip } from 'node:zlib'
import { decoders } from './body.ts'
import type { AnswerHeaders } from './exchange.ts'

type Decoder = ReturnType<(typeof decoders)[string]>

/** Decompresses a text as a stream, both the content coding and a gzip file within it, holding one chunk at a time. */
export class Unpacker {
  readonly #maxBytes: number
  readonly #onText: (text: string) => boolean
  readonly #text = new TextDecoder()
  #first: Decoder | undefined
  #second: Gunzip | undefined
  #hasBegun = false
  #hasEnded = false
  #bytes = 0
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
    return this.#second !== undefined
  }

  readonly take = async (part: Buffer, headers: AnswerHeaders): Promise<boolean> => {
    const copy = Buffer.from(part)
    const coding = headers.get('content-encoding')?.trim().toLowerCase()
    if (!this.#hasBegun && coding && coding !== 'identity')
      this.#first = this.#decode(decoders[coding]?.(), bytes => this.#inner(bytes))
    this.#hasBegun = true
    if (this.#first) await write(this.#first, copy)
    else await this.#inner(copy)
    return this.#state === 'reading'
  }

  /** Waits for pending chunks. */
  async end(): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    if (this.#first && this.#state === 'reading') await finish(this.#first)
    if (this.#second && this.#state === 'reading') await finish(this.#second)
    this.#first?.destroy()
    this.#second?.destroy()
    if (this.#state === 'reading') this.#onText(this.#text.decode())
  }

  #decode<D extends Decoder>(decoder: D | undefined, onBytes: (bytes: Buffer) => void): D | undefined {
    if (!decoder) this.#state = 'broken'
    decoder?.on('data', onBytes)
    decoder?.on('error', () => this.#stop('broken'))
    return decoder
  }

  /** A gzip file begins with its magic number. */
  async #inner(bytes: Buffer): Promise<void> {
    if (this.#bytes === 0 && !this.#second && bytes[0] === 0x1f && bytes[1] === 0x8b)
      this.#second = this.#decode(createGunzip(), plain => this.#plain(plain))
    if (this.#second) await write(this.#second, bytes)
    else this.#plain(bytes)
  }

  #plain(bytes: Buffer) {
    if (this.#state !== 'reading') return
    this.#bytes += bytes.length
    if (this.#bytes > this.#maxBytes) return this.#stop('too_large')
    if (!this.#onText(this.#text.decode(bytes, { stream: true }))) this.#stop('enough')
  }

  #stop(state: 'enough' | 'too_large' | 'broken') {
    if (this.#state === 'reading') this.#state = state
    this.#first?.destroy()
    this.#second?.destroy()
  }
}

const write = (decoder: Decoder, bytes: Buffer) =>
  new Promise<void>(resolve => {
    decoder.once('close', resolve)
    decoder.write(bytes, () => {
      decoder.removeListener('close', resolve)
      resolve()
    })
  })

const finish = (decoder: Decoder) =>
  new Promise<void>(resolve => {
    decoder.once('close', resolve)
    decoder.once('end', resolve)
    decoder.end()
  })
