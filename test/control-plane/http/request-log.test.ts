import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '#cli/serve/log.ts'
import { requestLog } from '#control-plane/http/request-log.ts'

const request = { requestId: randomUUID(), method: 'GET', route: '/api/v1/monitors/{monitor}', status: 200, ms: 12.345 }

test('a request line has the format and the stream of the log', async () => {
  let text = ''
  const log = createLog('info', {
    write(lines) {
      text += lines
    },
  })
  const write = requestLog(log)
  const whose = { tokenId: randomUUID(), tenantId: randomUUID() }
  const from = Date.now()
  write('info', request)
  write('debug', request)
  write('info', { ...request, ...whose })
  log.info({ request_id: request.requestId }, 'request')
  await turn()
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toHaveLength(3)
  const [likeAny, plain, known] = lines
  expect(plain).toEqual({
    level: 'info',
    time: expect.any(String),
    request_id: request.requestId,
    method: 'GET',
    route: request.route,
    status: 200,
    ms: 12.3,
    msg: 'request',
  })
  expect(known).toMatchObject({ token_id: whose.tokenId, tenant_id: whose.tenantId })
  expect(new Date(plain.time).toISOString()).toBe(plain.time)
  expect(Date.parse(plain.time)).toBeGreaterThanOrEqual(from)
  expect(Object.keys(likeAny).slice(0, 3)).toEqual(Object.keys(plain).slice(0, 3))
})
