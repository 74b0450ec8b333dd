import { createServer } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { draw } from '#control-plane/monitoring/badges/draw.ts'

/** The baseline: Koa, a router and one route with the bytes of a badge. Sends its port to the parent. */
const body = draw({
  form: 'large',
  style: 'default',
  labelColor: '555555',
  textColor: 'ffffff',
  message: '99.98%',
  tone: 'bright',
})
const router = new Router()
router.get('/api/badges/:monitor', context => {
  context.type = 'image/svg+xml'
  context.body = body
})
const app = new Koa()
app.use(router.routes())
const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : 0)
})
process.on('disconnect', () => process.exit())
