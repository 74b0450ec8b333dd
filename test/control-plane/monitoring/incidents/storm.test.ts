import { expect, test } from 'vitest'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { applySuppression } from '#control-plane/engine/suppression/watch.ts'
import { aMonitor, goDownOfHost } from '#test/control-plane/alerting/escalation-policies/escalated.ts'
import { app, given } from '#test/support/app.ts'

const { platform, log } = app.services
const settled = { ...defaultSuppression, host: { ...defaultSuppression.host, settleS: -3_600 } }

test('an incident has the storm of its host once people are notified of it, and one of another host has none', async () => {
  const team = await given.tenant()
  const host = `${team.tenantId}.example.com`
  const monitors = await Promise.all(Array.from({ length: 5 }, () => aMonitor(team)))
  const [first, second, third, other] = monitors
  const detailOf = async ({ id }: { id: string }) => {
    const [incident] = (await team.get(`/incidents?monitor_id=${id}`)).body.data
    return (await team.get(`/incidents/${incident.id}`)).body.data
  }
  await goDownOfHost(host, [first!.check])
  await goDownOfHost(host, [second!.check])
  expect(await detailOf(second!)).toMatchObject({ storm_id: null, storm: null })
  await goDownOfHost(host, [third!.check])
  await goDownOfHost(`other-${host}`, [other!.check])
  await applySuppression({ platform, log }, settled)
  for (const one of [first!, second!, third!]) {
    const { storm, storm_id } = await detailOf(one)
    expect(storm).toMatchObject({ id: storm_id, host, monitors_count: 3, down_count: 3, resolved_at: null })
    expect(storm.notified_at).toEqual(expect.any(String))
  }
  expect(await detailOf(other!)).toMatchObject({ storm_id: null, storm: null })
})
