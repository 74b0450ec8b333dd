import { connect, type Socket } from 'node:net'
import { quantile } from '../figures.ts'

/*
 * Sends pings at a steady rate over connections that stay open, whatever the answers take (an open loop): how long
 * one took is counted from the moment it was due. The addresses arrive on standard input, the figures leave on
 * standard output, as JSON.
 */
interface Order {
  port: number
  rate: number
  seconds: number
  paths: string[]
}

const connections = 48
const order: Order = JSON.parse(await text())
const delays: number[] = []
const statuses: Record<string, number> = {}
const due: number[] = []
let sent = 0

class Line {
  readonly #socket: Socket
  #dueAt = 0
  isBusy = false

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.setEncoding('latin1')
    let buffered = ''
    this.#socket.on('data', chunk => {
      buffered += chunk
      const head = buffered.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 0)
      if (buffered.length < head + 4 + length) return
      const status = buffered.slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      delays.push(performance.now() - this.#dueAt)
      buffered = ''
      this.isBusy = false
      const next = due.shift()
      if (next !== undefined) this.send(next)
    })
  }

  send(dueAt: number): void {
    this.isBusy = true
    this.#dueAt = dueAt
    this.#socket.write(`GET ${order.paths[sent++ % order.paths.length]} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  }

  end(): void {
    this.#socket.destroy()
  }
}

const lines = Array.from({ length: connections }, () => new Line(order.port))
const began = performance.now()
const total = order.rate * order.seconds
let planned = 0
await new Promise<void>(resolve => {
  const timer = setInterval(() => {
    const now = performance.now()
    for (; planned < total && began + (planned * 1_000) / order.rate <= now; planned++) {
      const dueAt = began + (planned * 1_000) / order.rate
      const free = lines.find(line => !line.isBusy)
      if (free) free.send(dueAt)
      else due.push(dueAt)
    }
    if (delays.length < total && now - began < order.seconds * 1_000 + 20_000) return
    clearInterval(timer)
    resolve()
  }, 1)
})
const tookS = (performance.now() - began) / 1_000
for (const line of lines) line.end()
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    tookS,
    cpuS: (user + system) / 1e6,
    statuses,
    answered: delays.length,
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    slowest: delays.reduce((most, delay) => Math.max(most, delay), 0),
  }),
)

async function text(): Promise<string> {
  let all = ''
  for await (const chunk of process.stdin) all += chunk
  return all
}
