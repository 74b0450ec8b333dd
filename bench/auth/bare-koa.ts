import { createServer } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { describedResellerScopes } from '#contract/scope-descriptions.ts'

/**
 * The baseline: Koa, a router and two routes with the same bytes as the two endpoints. Sends its port to the parent.
 */
const scopes = JSON.stringify({ data: describedResellerScopes })
const nothing = JSON.stringify({ data: { is_nothing: true } })
const router = new Router()
router.get('/api/v1/reseller/tokens/scopes', context => {
  context.type = 'application/json'
  context.body = scopes
})
router.get('/api/v1/nothing', context => {
  context.type = 'application/json'
  context.body = nothing
})
const app = new Koa()
app.use(router.routes())
const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.({ statements: 0, cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
