import { createServer } from 'node:http'

/** The least a server can do: answers 200. */
createServer((_, response) =>
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 }).end('{}'),
).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'))
