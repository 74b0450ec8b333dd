import { afterEach, expect, test } from 'vitest'
import { allShards } from '#control-plane/base/shards.ts'
import { CrawlCoordinator } from '#control-plane/engine/crawls/coordinator.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
let desk: CrawlCoordinator | undefined
afterEach(() => desk?.stop())

async function aRun(owner: CallerUnderTest): Promise<{ monitor: string; run: string }> {
  const monitor = await aMonitor(owner, { url: 'https://shop.example/' })
  return { monitor: monitor.id, run: (await owner.post(`/monitors/${monitor.id}/crawl-runs`)).body.data.id }
}

const quarantined = async (key: string) =>
  (await platform.query('select kind from quarantined_rows where key = $1', [key])).rows

test('a crawl that cannot begin is quarantined, and all others are handed out', async () => {
  const bad = await aRun(await given.tenant())
  const good = await aRun(await given.tenant())
  await platform.query(`update monitors set url = 'no address at all' where id = $1`, [bad.monitor])
  const asked: string[] = []
  desk = new CrawlCoordinator({
    services: app.services,
    find: () => undefined,
    shards: allShards,
    checksOf: () => [],
    regions: () => ['eu-west'],
    isListening: () => true,
    send(_, frame) {
      if (frame.type === 'crawl') asked.push(frame.run)
      return true
    },
  })
  desk.start()
  await expect.poll(() => asked).toContain(good.run)
  expect(asked).not.toContain(bad.run)
  await expect.poll(() => quarantined(bad.run)).toEqual([{ kind: 'crawl_run' }])

  await platform.query(`update monitors set url = 'https://shop.example/' where id = $1`, [bad.monitor])
  await desk.retry([bad.run])
  await expect.poll(() => asked).toContain(bad.run)
  expect(await quarantined(bad.run)).toEqual([])
})
