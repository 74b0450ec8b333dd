import { utimesSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, System } from '#test/support/system.ts'

let system: System
beforeAll(async () => {
  system = await System.start({ command: 'dev', regions: ['eu-west'] })
}, 180_000)
afterAll(() => system?.stop())

const get = async (path: string) => {
  const answer = await fetch(`${system.local.base_url}${path}`, { redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
}

test('npm run dev serves the app from its sources, and all else as the control plane answers it', async () => {
  // the page for a screen on a wall needs no session
  const page = await get('/app/wall')
  expect(page.status).toBe(200)
  expect(page.text).toContain('/web/@vite/client')
  const [, script = ''] = /src="(\/web\/main\.tsx[^"]*)"/.exec(page.text) ?? []
  expect((await get(script)).text).toContain('createRoot')
  expect(await get('/app')).toMatchObject({ status: 303, location: '/login?next=%2Fapp' })
  expect((await get('/login')).status).toBe(200)
  expect((await get('/api/v1/monitors')).status).toBe(401)
})

test('npm run dev starts the control plane again when one of its sources changes, and no agent', async () => {
  const before = { plane: system.partPid('control-plane'), agent: system.partPid('agent-eu-west') }
  const now = new Date()
  utimesSync('control-plane/platform/info/get.ts', now, now)
  await eventually('a new control plane', async () => {
    const pid = system.partPid('control-plane')
    return pid !== 0 && pid !== before.plane
  })
  await eventually('it answers', async () => (await get('/api/v1/monitors')).status === 401)
  expect(system.partPid('agent-eu-west')).toBe(before.agent)
})
