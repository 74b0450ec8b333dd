import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { System } from '#test/support/system.ts'
import { claim, round } from './figures.ts'
import { memoryOf, usageOf } from './processes.ts'

/**
 * What a small installation costs that has next to nothing to do: everything embedded on one machine, 50 monitors
 * every 60 s that are all up. Processor time is counted over minutes, and memory with shared pages once (PSS), both of
 * every process the start has made. The site that is checked is not counted.
 *
 * `IDLE_AFTER` (seconds from the start until counting begins, 600) and `IDLE_SECONDS` (how long is counted, 180)
 * shorten it; `IDLE_ONLY=three` or `small` picks one.
 */
const after = Number(process.env.IDLE_AFTER ?? 600)
const seconds = Number(process.env.IDLE_SECONDS ?? 180)
const monitors = 50
const kinds = [
  { name: 'three', title: 'three regions', regions: ['eu-west', 'us-east', 'ap-south'], args: [], cpu: 5, mb: 700 },
  { name: 'small', title: 'one region, --small', regions: ['eu-west'], args: ['--small'], cpu: 3, mb: 450 },
].filter(({ name }) => name === (process.env.IDLE_ONLY ?? name))

const site = createServer((_request, response) => response.end('all is well')).listen(0, '127.0.0.1')
await once(site, 'listening')
const { port } = site.address() as AddressInfo
for (const kind of kinds) await measure(kind)
site.close()
site.closeAllConnections()

async function measure({ title, regions, args, cpu, mb }: (typeof kinds)[number]): Promise<void> {
  const system = await System.start({ regions, args })
  try {
    const batch = Array.from({ length: monitors }, (_, i) => ({
      name: `m${i}`,
      url: `http://127.0.0.1:${port}/${i}`,
      check_interval: 60,
      timeout: 5,
    }))
    const { status, body } = await system.post('/monitors/bulk', { monitors: batch })
    if (status !== 201) throw new Error(`bulk create answered ${status}: ${JSON.stringify(body).slice(0, 400)}`)
    await sleep(after * 1_000)
    const [before, began] = [usageOf(system.pid), performance.now()]
    const results = await resultsOf(system)
    await sleep(seconds * 1_000)
    const usage = usageOf(system.pid)
    const tookS = (performance.now() - began) / 1_000
    const judged = (await resultsOf(system)) - results
    console.log(`\n${title}, ${monitors} monitors every 60 s, ${Math.round(tookS)} s counted after ${after} s:`)
    for (const [part, processes] of usage.byPart) {
      const earlier = before.byPart.get(part) ?? []
      const cpuS = sum(processes.map(({ cpuS }) => cpuS)) - sum(earlier.map(({ cpuS }) => cpuS))
      const memory = memoryOf(processes)
      console.log(
        `      ${part.padEnd(14)} ${((cpuS / tookS) * 100).toFixed(2)} % of a core, ${round(memory.pss / 1e6)} MB ` +
          `(${processes.length} process${processes.length === 1 ? '' : 'es'})`,
      )
    }
    claim(`${title}: processor, of one core`, ((usage.cpuS - before.cpuS) / tookS) * 100, 'under', cpu, ' %')
    claim(`${title}: resident memory of all processes (shared pages once)`, usage.pss / 1e6, 'under', mb, ' MB')
    claim(
      `${title}: results taken, of those due`,
      judged / ((monitors * regions.length * tookS) / 60),
      'at least',
      0.95,
    )
  } finally {
    await system.stop()
  }
}

/** How many results the control plane has taken since it started. */
async function resultsOf(system: System): Promise<number> {
  const figures = [...(await system.metrics())].filter(([name]) => name.startsWith('vedette_results_ingested_total'))
  return sum(figures.map(([, count]) => count))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
