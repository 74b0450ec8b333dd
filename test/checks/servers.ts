import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import type { KeyAndCert } from '#test/checks/certificates.ts'

/** A server on loopback that takes its connections with it when it is closed. */
export interface Local {
  port: number
  sockets: Set<Socket>
  [Symbol.asyncDispose](): Promise<void>
}

async function open(server: Server, host: string, port: number): Promise<Local> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const http = (listener: RequestListener, host = '127.0.0.1', port = 0) =>
  open(createHttp({ keepAlive: true }, listener), host, port)
export const https = (identity: KeyAndCert, listener: RequestListener, host = '127.0.0.1', port = 0) =>
  open(createHttps({ ciphers: 'DEFAULT@SECLEVEL=0', ...identity }, listener), host, port)
export const tcp = (listener: (socket: Socket) => void, host = '127.0.0.1', port = 0) =>
  open(createTcp(listener), host, port)

/** Answers every request with these very bytes, then closes the connection, unless it is to stay open. */
export const raw = (bytes: string | Buffer | Buffer[], { stays = false } = {}) =>
  tcp(socket => {
    socket.once('data', async () => {
      for (const part of Array.isArray(bytes) ? bytes : [bytes]) {
        socket.write(part)
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      if (!stays) socket.end()
    })
  })
