import { expect, test } from 'vitest'
import { createLog } from '#cli/serve/log.ts'
import { mintSecret } from '#control-plane/base/token-secret.ts'

const written = (work: (log: ReturnType<typeof createLog>) => void): string => {
  let text = ''
  work(
    createLog('info', {
      write(line) {
        text += line
      },
    }),
  )
  return text
}

test('secrets and addresses are written nowhere, wherever they turn up', () => {
  const { plain } = mintSecret('rk')
  const text = written(log => {
    log.info({ token: plain, deep: { password: 'hunter2', email: 'ann@example.test' } }, `signed in with ${plain}`)
    log.error(
      {
        err: new Error(
          `Key (email)=(ann@example.test) exists; postgres://me:hunter2@db/x; Bearer eyJhbGciOiJI.eyJzdWIiOiIx.c2ln`,
        ),
      },
      'failed',
    )
  })
  for (const secret of [plain, 'hunter2', 'ann@example', 'eyJzdWIiOiIx']) expect(text).not.toContain(secret)
  for (const line of text.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})

test('what is no secret stays readable', () => {
  const text = written(log => log.info({ region: 'eu-west', ms: 12.5, route: '/api/v1/monitors/{monitor}' }, 'request'))
  expect(JSON.parse(text)).toMatchObject({
    level: 'info',
    region: 'eu-west',
    ms: 12.5,
    route: '/api/v1/monitors/{monitor}',
    msg: 'request',
  })
})

test('the row that PostgreSQL complains of is not written', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "tenants_slug_key"'), {
    code: '23505',
    constraint: 'tenants_slug_key',
    detail: 'Key (name)=(Acme Rockets) already exists.',
  })
  const text = written(log => log.error({ err: error }, 'request failed'))
  expect(text).not.toContain('Acme Rockets')
  expect(JSON.parse(text).err).toMatchObject({ type: 'Error', code: '23505', constraint: 'tenants_slug_key' })
})
