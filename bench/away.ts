import { AwayScene, type AwayStore, awayStores, inTimeMs } from '#test/faults/away.ts'
import { claim, quantile, round } from './figures.ts'

/**
 * The time to an alert while a store is away that no alert needs: 30 sites in three regions, each store away in turn,
 * an outage every minute. `AWAY_MINUTES` says how long each is away, `AWAY_STORES` which ones, a comma list. All of
 * them take some four hours.
 */
const minutes = Number(process.env.AWAY_MINUTES ?? 30)
const stores = (process.env.AWAY_STORES?.split(',') as AwayStore[] | undefined) ?? awayStores

const scene = await AwayScene.open(30)
try {
  for (const store of stores) {
    const tally = await scene.suffer({ store, minutes, everyS: Math.min(60, minutes * 20) })
    const { outages, expected, drainedMs } = tally
    console.log(`-- ${store}, ${minutes} min: ${outages} outages, ${expected} results due`)
    for (const [what, times] of [
      ['incident', tally.found],
      ['webhook', tally.notified],
      ['mail', tally.mailed],
    ] as const) {
      claim(`outages with ${what}`, times.length, 'at least', outages)
      claim(
        `${what} after, p50 ${round(quantile(times, 0.5))} ms, slowest`,
        Math.max(...times),
        'under',
        inTimeMs,
        ' ms',
      )
    }
    claim('results missing', tally.missing, 'under', 1)
    claim('results doubled', tally.doubled, 'under', 1)
    claim('false incidents', tally.falseIncidents, 'under', 1)
    console.log(`all stored ${round(drainedMs / 1_000)} s after its return`)
  }
} finally {
  await scene.close()
}
