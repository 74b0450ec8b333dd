import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/support/system.ts'
import { AwayScene, type AwayStore, inTimeMs } from './away.ts'

/** `AWAY_MINUTES` lengthens it; `npm run bench -- away` has every store away for half an hour. */
const minutes = Number(process.env.AWAY_MINUTES ?? 1)
const stores = (process.env.AWAY_STORES?.split(',') ?? [
  'ClickHouse refused',
  'ClickHouse frozen',
  'Temporal frozen',
]) as AwayStore[]

let scene: AwayScene
beforeAll(async () => {
  scene = await AwayScene.open(30)
}, 240_000)
afterAll(() => scene?.close(), 60_000)

for (const store of stores)
  test(
    `${store} for ${minutes} minutes: each outage is an incident, a webhook and a mail within ${inTimeMs / 1_000} s, and nothing is missing afterwards`,
    async () => {
      const tally = await scene.suffer({ store, minutes, everyS: 20 })
      const { outages, found, notified, mailed, ...rest } = tally
      console.log(
        `away ${store}: ${outages} outages; found ${ofMost(found)}, webhook ${ofMost(notified)}, mail ${ofMost(mailed)}; ` +
          JSON.stringify(rest),
      )
      for (const times of [found, notified, mailed]) {
        expect(times).toHaveLength(outages)
        expect(Math.max(...times)).toBeLessThan(inTimeMs)
      }
      expect(rest).toMatchObject({ missing: 0, doubled: 0, falseIncidents: 0 })
    },
    (minutes + 5) * 60_000,
  )

const ofMost = (times: readonly number[]) => `${times.length} within ${Math.round(Math.max(...times))} ms`

test('a control plane that is killed while ClickHouse is frozen comes back, and finds outages before ClickHouse does', async () => {
  const tally = await scene.suffer({
    store: 'ClickHouse frozen',
    minutes: 1.5,
    everyS: 45,
    async meanwhile({ system }) {
      await sleep(30_000)
      const killedAt = performance.now()
      await system.kill('control-plane')
      const ready = () => fetch(`${system.local.base_url}/readyz`).catch(() => undefined)
      await eventually('ready', async () => (await ready())?.ok, 60_000, 100)
      console.log(`away restart: ready ${Math.round(performance.now() - killedAt)} ms after kill -9`)
    },
  })
  expect(tally.found).toHaveLength(tally.outages)
  expect(Math.max(...tally.found)).toBeLessThan(inTimeMs)
  expect(tally).toMatchObject({ missing: 0, doubled: 0, falseIncidents: 0 })
}, 480_000)
