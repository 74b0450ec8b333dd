import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** A site of a customer whose every answer is the dearest there is for the check that asks for it. */
const head = (type: string, more = '') => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${more}`
const whole = (type: string, body: Buffer, more = '') =>
  Buffer.concat([Buffer.from(`${head(type, more)}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`), body])

const tags = gzipSync(Buffer.from(`<urlset>${'<a/>'.repeat(12_000_000)}`))
const chunks = Buffer.concat([
  Buffer.from(`${head('text/html', 'Transfer-Encoding: chunked\r\n')}\r\n`),
  Buffer.from('1\r\nX\r\n'.repeat(1_000_000)),
])
const answers: Record<string, Buffer> = {
  '/sitemap.xml': whole('application/xml', tags, 'Content-Encoding: gzip\r\n'),
  '/robots.txt': whole('text/plain', Buffer.from(`User-agent: *\n${'Disallow: /a\n'.repeat(39_000)}`)),
  '/chunks': chunks,
  '/letters': whole('text/plain', Buffer.alloc(1_048_000, 'a')),
  '/list': whole('application/json', Buffer.from(`{"list":[${Array(250_000).fill('"a"').join(',')}]}`)),
  '/health': whole('application/json', Buffer.from(`{"checks":[${Array(500_000).fill('1').join(',')}]}`)),
  '/cookies': whole(
    'text/html',
    Buffer.from('<a>'.repeat(300_000)),
    `${'Set-Cookie: a=1; ;;;;;;;;;;;;;;;;;;;;;;;;;;;\r\n'.repeat(1_200)}Content-Security-Policy: ${'a b;'.repeat(1_000)}\r\n`,
  ),
}

const drip = (socket: Socket) => {
  socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
  const timer = setInterval(() => socket.write('x'.repeat(40)), 1)
  socket.once('close', () => clearInterval(timer))
}

const server = createServer(socket => {
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.once('data', asked => {
    const path = asked.toString('latin1').split(' ')[1] ?? '/'
    if (path === '/drip') return drip(socket)
    socket.end(answers[path] ?? whole('text/html', Buffer.from('ok')))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})
process.once('message', () => process.exit(0))
