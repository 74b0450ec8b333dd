/*
 * ClickHouse's native format: blocks of columns, so that numbers are used without copying and repeated texts are parsed
 * once. Supports only the types that our statements select.
 */

export type Numbers = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array
const widths = {
  Float64: Float64Array,
  Float32: Float32Array,
  UInt32: Uint32Array,
  UInt16: Uint16Array,
  UInt8: Uint8Array,
} as const
type Width = keyof typeof widths
const isWidth = (type: string): type is Width => Object.hasOwn(widths, type)

/** A column of texts: each distinct text once, and an index for each row. */
export class Texts {
  readonly of: Numbers
  readonly #bytes: Buffer
  readonly #places: Uint32Array

  constructor(bytes: Buffer, places: Uint32Array, of: Numbers) {
    this.#bytes = bytes
    this.#places = places
    this.of = of
  }

  text(index: number): string {
    return this.#bytes.toString('utf8', this.#places[2 * index], this.#places[2 * index + 1])
  }
}

export class Block {
  readonly rows: number
  readonly #columns: ReadonlyMap<string, Numbers | Texts>

  constructor(rows: number, columns: ReadonlyMap<string, Numbers | Texts>) {
    this.rows = rows
    this.#columns = columns
  }

  numbers(name: string): Numbers {
    const column = this.#columns.get(name)
    if (!column || column instanceof Texts) throw new Error(`ClickHouse sent no numbers called ${name}`)
    return column
  }

  texts(name: string): Texts {
    const column = this.#columns.get(name)
    if (!(column instanceof Texts)) throw new Error(`ClickHouse sent no texts called ${name}`)
    return column
  }
}

export function* nativeBlocks(bytes: Buffer): Generator<Block> {
  const reader = new Reader(bytes)
  while (!reader.isAtEnd) {
    const block = reader.block()
    if (block.rows > 0) yield block
  }
}

/** A dictionary comes with each block; these are the only flags supported. */
const ownKeys = 1 << 9
const sharedKeys = 1 << 8
const keyWidths: readonly Width[] = ['UInt8', 'UInt16', 'UInt32']

class Reader {
  readonly #bytes: Buffer
  #place = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#bytes.length
  }

  block(): Block {
    const [width, rows] = [this.#length(), this.#length()]
    const columns = new Map<string, Numbers | Texts>()
    for (let index = 0; index < width; index++) {
      const [name, type] = [this.#text(), this.#text()]
      columns.set(name, rows === 0 ? new Uint8Array() : this.#column(type, rows))
    }
    return new Block(rows, columns)
  }

  #column(type: string, rows: number): Numbers | Texts {
    if (isWidth(type)) return this.#numbers(type, rows)
    if (type === 'LowCardinality(String)') return this.#texts()
    throw new Error(`ClickHouse sent a column of type ${type}`)
  }

  #texts(): Texts {
    this.#word() // the only version of key encoding
    const flags = this.#word()
    const width = keyWidths[flags & 0xff]
    if (!width || (flags & ownKeys) === 0 || (flags & sharedKeys) !== 0)
      throw new Error('ClickHouse sent texts in a way unknown')
    const places = new Uint32Array(2 * this.#word())
    for (let index = 0; index < places.length; index += 2) {
      const length = this.#length()
      places[index] = this.#place
      this.#place += length
      places[index + 1] = this.#place
    }
    return new Texts(this.#bytes, places, this.#numbers(width, this.#word()))
  }

  #numbers(type: Width, rows: number): Numbers {
    const kind = widths[type]
    const start = this.#place
    this.#place += rows * kind.BYTES_PER_ELEMENT
    if (this.#place > this.#bytes.length) throw new Error('ClickHouse sent less than it said')
    // copied, because numbers must be aligned to their width
    return new kind(new Uint8Array(this.#bytes.subarray(start, this.#place)).buffer)
  }

  #text(): string {
    const length = this.#length()
    this.#place += length
    return this.#bytes.toString('utf8', this.#place - length, this.#place)
  }

  #word(): number {
    const value = this.#bytes.readUInt32LE(this.#place) + this.#bytes.readUInt32LE(this.#place + 4) * 4_294_967_296
    this.#place += 8
    return value
  }

  /** Seven bits a byte, the lowest first. */
  #length(): number {
    for (let value = 0, unit = 1; ; unit *= 128) {
      const byte = this.#bytes.readUInt8(this.#place++)
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
}
