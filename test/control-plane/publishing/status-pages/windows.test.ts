import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newWindow } from '#test/control-plane/monitoring/maintenance-windows/windows.ts'
import { app, given } from '#test/support/app.ts'
import { aPage, isOf, path } from './pages.ts'

const windows = '/maintenance-windows'
const errorFields = ({ body }: { body: { errors?: object } }) => Object.keys(body.errors ?? {})

test('a window names the pages that announce it, also while it is active', async () => {
  const team = await given.tenant()
  const [one, two] = [await aPage(team), await aPage(team)]
  const created = (await team.post(windows, newWindow({ status_page_ids: [two.id, one.id] }))).body.data
  expect(created.status_page_ids).toEqual([two.id, one.id])
  const place = `${windows}/${created.id}`
  await team.post(`${place}/start`)
  expect((await team.patch(place, { status_page_ids: [one.id] })).body.data.status_page_ids).toEqual([one.id])
  await team.delete(`${path}/${one.id}`)
  expect((await team.get(place)).body.data.status_page_ids).toEqual([])
})

test('a window names no page of another team, none twice, and at most fifty', async () => {
  const [team, other] = [await given.tenant(), await given.tenant()]
  const [mine, foreign] = [await aPage(team), await aPage(other)]
  const create = (status_page_ids: string[]) => team.post(windows, newWindow({ status_page_ids }))
  expect(errorFields(await create([mine.id, foreign.id]))).toEqual(['status_page_ids.1'])
  expect(errorFields(await create([mine.id, mine.id]))).toEqual(['status_page_ids'])
  expect(errorFields(await create(Array.from({ length: 51 }, () => randomUUID())))).toEqual(['status_page_ids'])
  const { body } = await create([mine.id])
  const answer = await team.patch(`${windows}/${body.data.id}`, { status_page_ids: [foreign.id] })
  expect([answer.status, errorFields(answer)]).toEqual([422, ['status_page_ids.0']])
})

test('pages are notified when a window that they announce is created, begins, moves and ends', async () => {
  const team = await given.tenant()
  const { id } = await aPage(team)
  const notices: string[] = []
  const stop = app.services.listener.on('status_pages', payload => notices.push(payload))
  const notified = async (count: number) =>
    expect.poll(() => notices.filter(payload => isOf(id, payload)).length).toBe(count)
  const { body } = await team.post(windows, newWindow({ status_page_ids: [id] }))
  await notified(1)
  await team.post(`${windows}/${body.data.id}/start`)
  await notified(2)
  await team.post(`${windows}/${body.data.id}/extend`, { minutes: 5 })
  await notified(3)
  await team.post(`${windows}/${body.data.id}/stop`)
  await notified(4)
  stop()
})
