import { serverLimits } from '#contract/server-agent.ts'
import { malformed, tooLarge } from '#control-plane/base/refusal.ts'

const broken = () => malformed('The body is not the protobuf message it should be.')

/**
 * Reads the fields of one protobuf message. A length that is longer than the bytes is refused. The number of fields of
 * a message and of all messages within it is limited.
 */
export class Fields {
  readonly #bytes: Buffer
  readonly #end: number
  readonly #budget: { left: number }
  #at: number
  /** The number of the field that `next` read. */
  number = 0
  #wire = 0

  constructor(
    bytes: Buffer,
    at = 0,
    end = bytes.length,
    budget: { left: number } = { left: serverLimits.batchFields },
  ) {
    this.#budget = budget
    this.#bytes = bytes
    this.#at = at
    this.#end = end
  }

  /** Comes to the next field; what was not read of the last one is passed over. */
  next(): boolean {
    if (this.#wire !== -1 && this.number !== 0) this.#skip()
    if (this.#at >= this.#end) return false
    if (--this.#budget.left < 0) throw tooLarge()
    const tag = this.#varint()
    this.number = Math.floor(tag / 8)
    this.#wire = tag % 8
    if (this.number === 0) throw broken()
    return true
  }

  message(): Fields {
    const [from, to] = this.#span()
    return new Fields(this.#bytes, from, to, this.#budget)
  }

  /** Of a longer text so many bytes. */
  text(most = Number.POSITIVE_INFINITY): string {
    const [from, to] = this.#span()
    return this.#bytes.toString('utf8', from, Math.min(to, from + most))
  }

  /** A whole number; beyond 2^53 it is rounded. */
  int(): number {
    if (this.#wire !== 0) throw broken()
    const value = this.#varint()
    this.#wire = -1
    return value >= 2 ** 63 ? value - 2 ** 64 : value
  }

  /** Whole numbers of a repeated field, packed or one by one. */
  ints(): number[] {
    if (this.#wire === 0) return [this.int()]
    const [from, to] = this.#span()
    const numbers: number[] = []
    for (this.#at = from; this.#at < to; ) {
      if (--this.#budget.left < 0) throw tooLarge()
      numbers.push(this.#varint())
    }
    if (this.#at !== to) throw broken()
    return numbers
  }

  double(): number {
    const at = this.#eight()
    return this.#bytes.readDoubleLE(at)
  }

  fixed64(): number {
    const at = this.#eight()
    return this.#bytes.readUInt32LE(at) + this.#bytes.readUInt32LE(at + 4) * 2 ** 32
  }

  sfixed64(): number {
    const at = this.#eight()
    return this.#bytes.readUInt32LE(at) + this.#bytes.readInt32LE(at + 4) * 2 ** 32
  }

  #span(): [number, number] {
    if (this.#wire !== 2) throw broken()
    const length = this.#varint()
    const from = this.#at
    if (length > this.#end - from) throw broken()
    this.#at += length
    this.#wire = -1
    return [from, this.#at]
  }

  #eight(): number {
    if (this.#wire !== 1 || this.#end - this.#at < 8) throw broken()
    const at = this.#at
    this.#at += 8
    this.#wire = -1
    return at
  }

  #varint(): number {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw broken()
      const byte = this.#bytes[this.#at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw broken()
  }

  #skip(): void {
    if (this.#wire === 0) this.#varint()
    else if (this.#wire === 1) this.#eight()
    else if (this.#wire === 2) this.#span()
    else if (this.#wire === 5 && this.#end - this.#at >= 4) this.#at += 4
    else throw broken()
  }
}

/** Writes a message of whole numbers and texts: all our own answers hold. */
export function writeMessage(fields: readonly [number: number, value: number | string | Buffer][]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)]
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      return [varint(number * 8 + 2), varint(bytes.length), bytes]
    }),
  )
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.from([...bytes, rest])
}
