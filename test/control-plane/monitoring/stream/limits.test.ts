import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { anonymous } from '#control-plane/base/caller.ts'
import type { Refusal } from '#control-plane/base/refusal.ts'
import { StreamClient } from '#control-plane/monitoring/stream/client.ts'
import { StreamHub, streamLimits } from '#control-plane/monitoring/stream/hub.ts'
import { app, given } from '#test/support/app.ts'
import { EventStreamUnderTest } from '#test/support/event-stream.ts'

let hub: StreamHub | undefined
let server: Server | undefined
afterEach(async () => {
  await hub?.stop()
  server?.close()
  server?.closeAllConnections()
})

/** A hub with these limits, and a way to open a stream with a token of this name. */
async function hubWith(limits: typeof streamLimits) {
  const { tenantId } = await given.tenant()
  const opened = new StreamHub(app.services, limits)
  hub = opened
  server = createServer(async (request, response) => {
    const client: StreamClient = new StreamClient({
      request,
      response,
      headers: ['Content-Type', 'text/event-stream'],
      tenantId,
      caller: { ...anonymous, tokenId: request.url ?? '' },
      topics: { monitors: true, incidents: false, runs: [] },
      lastId: null,
      verify: async () => undefined,
      onEnd: reason => opened.ended(client, reason),
    })
    try {
      await opened.open(client)
    } catch (error) {
      const { status, code } = error as Refusal
      response.writeHead(status).end(code)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return (token: string) => EventStreamUnderTest.open(`http://127.0.0.1:${port}/${token}`, { headers: {} })
}

test('a process has at most two thousand streams, and a token three', () => {
  expect(streamLimits).toEqual({ ofToken: 3, ofProcess: 2_000 })
})

test('a process refuses the stream beyond its limit, whose place is free once another has ended', async () => {
  const open = await hubWith({ ofToken: 3, ofProcess: 2 })
  const [first] = [await open('a'), await open('b')]
  expect((await open('c')).status).toBe(503)
  first.leave()
  await expect.poll(async () => (await open('c')).status).toBe(200)
})

test('a process that stops opens none, and ends one that waits to be opened', async () => {
  const open = await hubWith({ ofToken: 3, ofProcess: 10 })
  const stream = await open('a')
  await hub?.stop()
  await stream.ended()
  expect((await open('b')).status).toBe(503)
})
