import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import Router from '@koa/router'
import Koa from 'koa'

/** A Koa application that answers one text, and nothing else, on a thread of its own. It posts its port. */
const router = new Router()
router.get('/', context => {
  context.type = 'text/html; charset=utf-8'
  context.body = String(workerData)
})
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port)
})
