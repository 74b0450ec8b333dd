import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import packet, { type Answer, type Packet } from 'dns-packet'

/**
 * `raw`: these very bytes, made of the question's. `long`: too much for a datagram, so that the asker comes again by
 * TCP.
 */
export type Reply =
  | Answer[]
  | 'nxdomain'
  | 'servfail'
  | 'silent'
  | { raw: (question: Buffer) => Buffer }
  | { long: Answer[] }

/** A name server of the test's own, on loopback. Its answers are set by the test and computed for each query. */
export class DnsServer {
  readonly asked: { name: string; type: string }[] = []
  /** How often each name was asked for: a search of `asked` would take ever longer. */
  readonly #times = new Map<string, number>()
  readonly #socket = createSocket('udp4')
  #tcp: Server | undefined
  readonly #connections = new Set<Socket>()
  readonly #answer: (name: string, type: string, nth: number) => Reply

  private constructor(answer: (name: string, type: string, nth: number) => Reply) {
    this.#answer = answer
    this.#socket.on('message', (message, from) =>
      this.#reply(message, true, bytes => this.#socket.send(bytes, from.port, from.address)),
    )
  }

  static async open(
    answer: (name: string, type: string, nth: number) => Reply,
    port = 0,
    host = '127.0.0.1',
  ): Promise<DnsServer> {
    const server = new DnsServer(answer)
    server.#socket.bind(port, host)
    await once(server.#socket, 'listening')
    return server
  }

  /** Answers over TCP too, on the same port. */
  async openTcp(): Promise<void> {
    this.#tcp = createServer(socket => {
      this.#connections.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#connections.delete(socket))
      socket.on('data', (chunk: Buffer) => {
        this.#reply(chunk.subarray(2), false, bytes => {
          const length = Buffer.alloc(2)
          length.writeUInt16BE(bytes.length)
          socket.write(Buffer.concat([length, bytes]))
        })
      })
    })
    const { address, port } = this.#socket.address()
    this.#tcp.listen(port, address)
    await once(this.#tcp, 'listening')
  }

  get address(): string {
    const { address, port } = this.#socket.address()
    return `${address}:${port}`
  }

  count(name: string, type: string): number {
    return this.asked.filter(each => each.name === name && each.type === type).length
  }

  close() {
    this.#socket.close()
    this.#tcp?.close()
    for (const socket of this.#connections) socket.destroy()
  }

  #reply(message: Buffer, isDatagram: boolean, send: (bytes: Buffer) => void) {
    const query = packet.decode(message)
    const { name = '', type = 'A' } = query.questions?.[0] ?? {}
    const key = `${name.toLowerCase()} ${type}`
    const nth = this.#times.get(key) ?? 0
    this.#times.set(key, nth + 1)
    this.asked.push({ name: name.toLowerCase(), type })
    const reply = this.#answer(name.toLowerCase(), type, nth)
    if (reply === 'silent') return
    if (typeof reply === 'object' && 'raw' in reply) return send(reply.raw(message))
    const isCut = typeof reply === 'object' && 'long' in reply && isDatagram
    const codes = { nxdomain: 3, servfail: 2 }
    const answer: Packet = {
      type: 'response',
      id: query.id ?? 0,
      flags:
        packet.RECURSION_DESIRED |
        packet.RECURSION_AVAILABLE |
        (typeof reply === 'string' ? codes[reply] : 0) |
        (isCut ? packet.TRUNCATED_RESPONSE : 0),
      questions: query.questions ?? [],
      answers: typeof reply === 'string' || isCut ? [] : 'long' in reply ? reply.long : reply,
    }
    send(packet.encode(answer))
  }
}

export const a = (name: string, ...addresses: string[]): Answer[] =>
  addresses.map(data => ({ type: 'A', name, ttl: 0, data }))
export const aaaa = (name: string, ...addresses: string[]): Answer[] =>
  addresses.map(data => ({ type: 'AAAA', name, ttl: 0, data }))
