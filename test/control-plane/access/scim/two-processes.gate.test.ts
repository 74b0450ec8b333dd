import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { startApi } from '#test/support/worker.ts'
import { aTeamWithDirectory, patchOf, scim } from './directory.ts'

let other: Awaited<ReturnType<typeof startApi>>
beforeAll(async () => {
  other = await startApi(app.services.config)
})
afterAll(() => other?.stop())

async function there({ token, ip }: CallerUnderTest, path: string): Promise<number> {
  const { status, body } = await fetch(`http://127.0.0.1:${other.port}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': ip },
  })
  await body?.cancel()
  return status
}

test('who is deactivated here is refused by the very next request there: session, personal token and key', async () => {
  const { owner, directory } = await aTeamWithDirectory()
  for (let round = 0; round < 20; round++) {
    const session = await given.colleague(owner, 'admin')
    const personal = await given.token(session, 'sk', ['monitors:read'])
    const { body } = await session.post('/api-keys', { name: 'x', scopes: ['monitors:read'] })
    const key = new CallerUnderTest(owner.tenantId, null, body.plain_text_token)
    const calls = [session, personal, key]
    const statuses = () => Promise.all(calls.map(caller => there(caller, '/monitors')))
    expect(await statuses()).toEqual([200, 200, 200])
    const path = `${scim}/Users/${session.userId}`
    await directory.patch(path, patchOf({ op: 'Replace', path: 'active', value: 'False' }))
    expect(await statuses()).toEqual([401, 401, 401])
    await directory.patch(path, patchOf({ op: 'Replace', path: 'active', value: 'True' }))
    expect(await statuses(), 'sessions have ended, keys work again').toEqual([401, 200, 200])
    await directory.delete(path)
    expect(await statuses()).toEqual([401, 401, 401])
  }
})
