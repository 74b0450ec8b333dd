import { expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aWindow } from './windows.ts'

const path = '/maintenance-windows'

async function monitors(team: CallerUnderTest) {
  const make = async (name: string, tags: string[] = []) => {
    const { body } = await team.post('/monitors', { name, url: 'https://shop.example.com/', tags })
    await app.services.platform.query(`update monitors set status = 'down' where id = $1`, [body.data.id])
    return body.data.id as string
  }
  return { named: await make('named'), tagged: await make('tagged', ['shop']), other: await make('other') }
}
const statusOf = async (team: CallerUnderTest, id: string) => (await team.get(`/monitors/${id}`)).body.data.status
const listed = async (team: CallerUnderTest, status: string) =>
  (await team.get(`/monitors?status=${status}&sort=name`)).body.data.map((row: { name: string }) => row.name)

test('monitors of an active window show maintenance, by id and by tag, and no others', async () => {
  const team = await given.tenant()
  const { named, tagged, other } = await monitors(team)
  const window = await aWindow(team, { scope: { monitor_ids: [named], tags: ['shop'] } })
  expect(await statusOf(team, named)).toBe('down')
  const { data: started } = (await team.post(`${path}/${window.id}/start`)).body
  for (const id of [named, tagged]) expect(await statusOf(team, id)).toBe('maintenance')
  expect(await statusOf(team, other)).toBe('down')
  expect((await team.get(`/monitors/${named}`)).body.data.status_changed_at).toBe(started.actual_started_at)
  expect(await listed(team, 'maintenance')).toEqual(['named', 'tagged'])
  expect(await listed(team, 'down')).toEqual(['other'])
  expect(await listed(team, 'down,maintenance')).toEqual(['named', 'other', 'tagged'])
  expect((await team.get('/dashboard/stats')).body.data.monitors).toMatchObject({ total: 3, maintenance: 2, down: 1 })
  await team.post(`${path}/${window.id}/stop`)
  expect(await listed(team, 'maintenance')).toEqual([])
  expect(await listed(team, 'down')).toEqual(['named', 'other', 'tagged'])
})

test('a paused monitor shows paused also while a window is active', async () => {
  const team = await given.tenant()
  const { named } = await monitors(team)
  const { id } = await aWindow(team)
  await team.post(`${path}/${id}/start`)
  await team.post(`/monitors/${named}/disable`)
  expect(await statusOf(team, named)).toBe('paused')
  expect(await listed(team, 'paused')).toEqual(['named'])
  expect(await listed(team, 'maintenance')).toEqual(['other', 'tagged'])
  expect(await listed(team, 'paused,maintenance')).toEqual(['named', 'other', 'tagged'])
})

test('a window covers no monitor of another team', async () => {
  const [team, other] = [await given.tenant(), await given.tenant()]
  const { named } = await monitors(other)
  const { id } = await aWindow(team)
  await team.post(`${path}/${id}/start`)
  expect(await statusOf(other, named)).toBe('down')
})
