import { createServer } from 'node:net'

/**
 * A hostile target: it accepts connections and never answers, drips single bytes, or resets at once. Sends its port.
 */
const mood = process.env.HOG_MOOD ?? 'hang'

const server = createServer(socket => {
  socket.on('error', () => undefined)
  if (mood === 'reset') return void socket.once('data', () => socket.resetAndDestroy())
  socket.on('data', () => undefined)
  if (mood !== 'drip') return
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
  const timer = setInterval(() => socket.write('.'), 500)
  socket.on('close', () => clearInterval(timer))
})
server.listen(0, '127.0.0.1', 8_192, () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
