import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import packet, { type Answer, type Packet } from 'dns-packet'

export type Reply = Answer[] | 'nxdomain' | 'servfail' | 'silent'

/** A name server of the test's own, on loopback. It answers whatever it is told to, each time anew. */
export class DnsServer {
  readonly asked: { name: string; type: string }[] = []
  readonly #socket = createSocket('udp4')
  readonly #answer: (name: string, type: string, nth: number) => Reply

  private constructor(answer: (name: string, type: string, nth: number) => Reply) {
    this.#answer = answer
    this.#socket.on('message', (message, from) => this.#reply(message, from))
  }

  static async open(answer: (name: string, type: string, nth: number) => Reply, port = 0, host = '127.0.0.1'): Promise<DnsServer> {
    const server = new DnsServer(answer)
    server.#socket.bind(port, host)
    await once(server.#socket, 'listening')
    return server
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
  }

  #reply(message: Buffer, from: RemoteInfo) {
    const query = packet.decode(message)
    const { name = '', type = 'A' } = query.questions?.[0] ?? {}
    const nth = this.count(name.toLowerCase(), type)
    this.asked.push({ name: name.toLowerCase(), type })
    const reply = this.#answer(name.toLowerCase(), type, nth)
    if (reply === 'silent') return
    const codes = { nxdomain: 3, servfail: 2 }
    const answer: Packet = {
      type: 'response',
      id: query.id ?? 0,
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | (typeof reply === 'string' ? codes[reply] : 0),
      questions: query.questions ?? [],
      answers: typeof reply === 'string' ? [] : reply,
    }
    this.#socket.send(packet.encode(answer), from.port, from.address)
  }
}

export const a = (name: string, ...addresses: string[]): Answer[] => addresses.map(data => ({ type: 'A', name, ttl: 0, data }))
export const aaaa = (name: string, ...addresses: string[]): Answer[] => addresses.map(data => ({ type: 'AAAA', name, ttl: 0, data }))
