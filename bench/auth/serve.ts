import { createServer } from 'node:http'
import { z } from 'zod'
import { openApi } from '#cli/serve/api.ts'
import { createLog } from '#cli/serve/log.ts'
import { createServices } from '#cli/serve/services.ts'
import { readConfig } from '#control-plane/config.ts'
import { endpoints } from '#control-plane/endpoints.ts'
import { dispatcher, type Table } from '#control-plane/http/dispatch.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { RouteTable } from '#control-plane/http/route-table.ts'

/**
 * The API with one endpoint more: under a tenant's guard, doing nothing. Says its port and, when asked, how many
 * statements it has sent.
 */
const nothing = Object.freeze({ data: Object.freeze({ is_nothing: true }) })
const cheapest = endpoint({
  method: 'GET',
  path: '/nothing',
  summary: 'Answer nothing in particular',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  detached: true,
  returns: ok({ data: z.object({ is_nothing: z.boolean() }) }),
  handle: () => nothing,
})

const services = createServices(readConfig(), createLog('info'))
let statements = 0
for (const pool of [services.platform, services.accessPool]) {
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown
  pool.query = ((...given: unknown[]) => {
    statements++
    return query(...given)
  }) as typeof pool.query
}

await services.clock.start(services.platform)
await services.listener.start()
await services.rate.join()
const table: Table = new RouteTable()
const { koa } = await openApi(services, table, [...endpoints, cheapest])
const server = createServer(dispatcher(table, koa))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.({ statements, cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
