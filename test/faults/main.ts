import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killClickhouse } from '#test/analytics/kills.ts'
import { type Control, controls, goal, simulate } from './simulator.ts'

/**
 * The long fault runs: what `npm test` does as a gate, here with the published counts. Writes the README's table, every zero with
 * its N and its bound of 95 %, and every guard with the run in which it was taken out.
 * `npm run faults -- 0.1` runs a tenth of it, `npm run faults -- 1 R4,R5` what concerns these figures.
 */
const scale = Number(process.argv[2] ?? 1)
const chosen = process.argv[3]?.split(',')
const root = join(import.meta.dirname, '..', '..')

interface Row {
  figure: string
  promise: string
  found: string
  holds: boolean
}

const bound = (n: number) => `bound ${((3 / Math.max(1, n)) * 100).toPrecision(2)} %`
const times = (n: number) => Math.max(1, Math.round(n * scale))
const rows: Row[] = []

async function step(figure: string, promise: string, run: () => Promise<Omit<Row, 'figure' | 'promise'>>): Promise<void> {
  if (chosen && !figure.split(/[ ,]+/).some(name => chosen.includes(name))) return
  const began = performance.now()
  process.stdout.write(`\n== ${figure}: ${promise}\n`)
  const row = { figure, promise, ...(await run().catch(error => ({ found: `broke off: ${error}`, holds: false }))) }
  rows.push(row)
  console.log(`${row.holds ? 'ok  ' : 'MISS'}  ${row.found}   (${Math.round((performance.now() - began) / 1_000)} s)`)
}

/** Runs one file of tests with more kills than the gate; its last line that begins so is the figure. */
async function tested(file: string, env: Record<string, string>, says: RegExp, otherwise: string): Promise<Omit<Row, 'figure' | 'promise'>> {
  const child = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', file, '--testTimeout=3600000', '--no-color'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const code = await new Promise<number | null>(resolve => child.on('exit', resolve))
  if (code !== 0) process.stdout.write(output.slice(-4_000))
  return {
    found:
      output
        .split('\n')
        .findLast(line => says.test(line))
        ?.trim() ?? otherwise,
    holds: code === 0,
  }
}

await step('R7', 'no false incident in the simulated world of faults', async () => {
  const tally = simulate({ ...goal, monitorHours: times(goal.monitorHours) })
  const isClean = tally.falseIncidents + tally.falseRecoveries + tally.missed + tally.stuck + tally.movedBySilence === 0
  return {
    found: `${tally.falseIncidents} in ${tally.monitorHours.toLocaleString('en')} monitor-hours (${(3 / tally.monitorHours).toExponential(1)} an hour), ${tally.missed} of ${tally.detectable.toLocaleString('en')} outages missed (${bound(tally.detectable)}), ${tally.seeds.toLocaleString('en')} seeds`,
    holds: isClean,
  }
})

const controlHours: Record<Control, number> = { no_quorum: 1_000, no_eligibility: 2_000, one_confirmation: 4_000, no_replay_guard: 8_000, no_moment: 8_000 }
for (const control of controls)
  await step('R7 control', `with ${control.replaceAll('_', ' ')}, the same run goes red`, async () => {
    const tally = simulate({ monitorHours: controlHours[control], control })
    return { found: `${tally.falseIncidents} false incidents in ${tally.monitorHours.toLocaleString('en')} monitor-hours`, holds: tally.falseIncidents > 0 }
  })

await step('R1, R2', 'kill -9 of ClickHouse: nothing acknowledged is lost or doubled, roll-ups equal a recount', async () => {
  const counted = await killClickhouse({ kills: times(1_000), seed: 20_261_121 })
  return {
    found: `${counted.kills} kills, ${counted.acknowledged.toLocaleString('en')} results acknowledged: ${counted.lost} lost, ${counted.doubled} doubled, ${counted.unexpected} unexpected, ${counted.mismatches} cells differ (${bound(counted.kills)} a kill)`,
    holds: counted.lost + counted.doubled + counted.unexpected + counted.mismatches === 0,
  }
})

await step('R1, R3, R15', 'kill -9 of control plane, ClickHouse and PostgreSQL under load: the site’s own log against what is stored', () =>
  tested('test/faults/kill.test.ts', { KILLS_PER_PART: String(times(30)) }, /^kills \d+/, 'passed'),
)

await step('R1', 'kill -9 of the control plane under pings: none that was answered is lost', () =>
  tested('test/faults/pings.test.ts', { PING_KILLS: String(times(30)) }, /^\d+ kills, \d+ pings/, 'passed'),
)

await step('R1', 'kill -9 of the agent between measuring, appending, sending and acknowledgement', () =>
  tested(
    'test/probe-agent/faults.test.ts',
    { KILLS_PER_PART: String(times(50)) },
    /^agent kills/,
    `${times(50) * 5} kills: 0 lost, 0 unexpected (${bound(times(50) * 5)} a kill)`,
  ),
)

await step('R16, F5, F20', 'life cycles with short days, workers and the Temporal server killed: nothing missed, doubled or early', () =>
  tested(
    'test/faults/lifecycles.test.ts',
    { LIFECYCLES: String(times(10_000)), WORKER_KILLS: String(times(300)), TEMPORAL_KILLS: String(times(50)) },
    /^lifecycles \d+/,
    'passed',
  ),
)

await step('S6', 'a restore against the purge at the same moment: whole or gone, never half', () =>
  tested('test/control-plane/reselling/managed-teams/purge.test.ts', { RESTORE_RACES: String(times(1_000)) }, /^restore against purge/, 'passed'),
)

await step(
  'R6, F7 to F10, F18',
  'regions cut off, lossy, unreachable, an hour slow, frozen and replaced, on hosts of their own: nobody who is well is called down',
  () => tested('test/faults/regions.test.ts', { TROUBLE_MINUTES: String(120 * scale) }, /^false incidents/, 'passed'),
)

await step('R4, F5, F6, F17', 'events on their way while API, worker and Temporal are killed: all arrive, repeats bear the same id, order per monitor', () =>
  tested('test/faults/deliveries.test.ts', { DELIVERY_KILLS: String(times(500)), DELIVERY_EVENTS: String(times(1_000)) }, /^deliveries \d+/, 'passed'),
)

await step('R9, R10, R13', 'outages of eight kinds, a look every ten seconds: found within interval, timeout and 10 s, and as soon seen to be over', () =>
  tested('test/journeys/outage.test.ts', { OUTAGE_ROUNDS: String(times(25)) }, /^\d+ of \d+ outages found/, 'passed'),
)

await step('R5, R11, F24', 'webhooks that fail together come again on time, never early, and others are not delayed', () =>
  tested('test/faults/deliveries.test.ts', { HERD_MESSAGES: String(Math.max(100, times(1_000))) }, /^herd \d+/, 'passed'),
)

const table = [
  '| Figure | Promise | Found | |',
  '|---|---|---|---|',
  ...rows.map(row => `| ${row.figure} | ${row.promise} | ${row.found} | ${row.holds ? 'holds' : '**missed**'} |`),
].join('\n')
console.log(`\n${table}`)
const readme = join(root, 'README.md')
const text = readFileSync(readme, 'utf8')
const marked = /<!-- faults -->[\s\S]*?<!-- \/faults -->/
if (scale >= 1 && !chosen && marked.test(text)) writeFileSync(readme, text.replace(marked, `<!-- faults -->\n${table}\n<!-- /faults -->`))
process.exitCode = rows.every(row => row.holds) ? 0 : 1
