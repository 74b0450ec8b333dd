import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/**
 * A mail server in a process of its own, on loopback, which keeps only recipients and times. `GET /` of its second port
 * answers how many mails arrived, how many recipients got one twice, and
 * when each recipient named `alert-…` got its own.
 */
const seen = new Set<string>()
let twice = 0
let lastAt = 0
const alerts: Record<string, number> = {}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData(stream, session, done) {
    stream.on('data', () => undefined)
    stream.on('end', () => {
      lastAt = performance.timeOrigin + performance.now()
      for (const { address } of session.envelope.rcptTo) {
        if (address.startsWith('alert-')) alerts[address] = lastAt
        else if (seen.has(address)) twice++
        else seen.add(address)
      }
      done()
    })
  },
})
const figures = createServer((_, response) =>
  response.end(JSON.stringify({ arrived: seen.size, twice, lastAt, alerts })),
)
smtp.listen(0, '127.0.0.1', () => {
  figures.listen(0, '127.0.0.1', () => {
    const ports = [smtp.server.address(), figures.address()].map(address => (address as AddressInfo).port)
    console.log(ports.join(' '))
  })
})
