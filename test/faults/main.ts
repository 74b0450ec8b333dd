import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { killClickhouse } from '#test/analytics/kills.ts'
import { type Control, controls, goal, simulate } from './simulator.ts'

/**
 * The long fault runs: the tests of `npm test` and `npm run gate`, with higher counts. Writes the table of
 * docs/faults.md, each zero with its count and its bound of 95 %, and each guard with the run without it.
 *
 * `npm run faults -- 0.1` runs a tenth of it, `--only S11,R16` (or `1 S11,R16`) some of it, `--list` prints the parts
 * and how long each takes. What passed at this commit and scale is kept and not run again, so an interrupted run goes
 * on where it was; `--fresh` deletes what was kept.
 */
const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
})
const scale = Number(positionals[0] ?? 1)
const root = join(import.meta.dirname, '..', '..')
const only = (asked.only ?? positionals[1])?.split(',').map(name => name.trim().toLowerCase())
const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim()
const keptIn = join(root, '.cache', 'faults.json')

interface Row {
  figure: string
  promise: string
  found: string
  holds: boolean
}

const bound = (n: number) => `bound ${((3 / Math.max(1, n)) * 100).toPrecision(2)} %`
const times = (n: number) => Math.max(1, Math.round(n * scale))
const rows: Row[] = []
const kept = asked.fresh ? [] : readKept()
let isWhole = true

interface Kept extends Row {
  commit: string
  scale: number
}

function readKept(): Kept[] {
  const known: Kept[] = existsSync(keptIn) ? JSON.parse(readFileSync(keptIn, 'utf8')) : []
  return known.filter(row => row.commit === commit && row.scale === scale)
}

const minutesOf = (minutes: number) => `${minutes < 1.5 ? 'a minute' : `${Math.round(minutes)} minutes`}`

/** `minutes`: how long all of it takes on two cores that do nothing else. */
async function step(
  figure: string,
  promise: string,
  minutes: number,
  run: () => Promise<Omit<Row, 'figure' | 'promise'>>,
): Promise<void> {
  const names = figure.toLowerCase().split(/,\s*/)
  if (asked.list) return console.log(`${figure.padEnd(20)} ${minutesOf(minutes).padStart(12)}   ${promise}`)
  if (only && !only.some(name => names.includes(name))) {
    isWhole = false
    return
  }
  const before = kept.find(row => row.figure === figure && row.promise === promise)
  console.log(
    `\n== ${figure}: ${promise}   (${before ? 'kept from before' : `about ${minutesOf(minutes * Math.min(1, scale))}`})`,
  )
  if (before) {
    rows.push(before)
    console.log(`ok    ${before.found}`)
    return
  }
  const began = performance.now()
  const row = { figure, promise, ...(await run().catch(error => ({ found: `broke off: ${error}`, holds: false }))) }
  rows.push(row)
  console.log(`${row.holds ? 'ok  ' : 'MISS'}  ${row.found}   (${Math.round((performance.now() - began) / 1_000)} s)`)
  if (!row.holds) return
  kept.push({ ...row, commit, scale })
  mkdirSync(dirname(keptIn), { recursive: true })
  writeFileSync(keptIn, JSON.stringify(kept))
}

/**
 * Runs one file of tests with more kills than the gate. The figure is the last line that matches `says`, or
 * `otherwise`. A filter that selects no test is a failure.
 */
async function tested(
  file: string,
  env: Record<string, string>,
  says: RegExp,
  otherwise: string,
): Promise<Omit<Row, 'figure' | 'promise'>> {
  const { ONLY_TESTS, ...settings } = env
  const filter = ONLY_TESTS === undefined ? [] : ['-t', ONLY_TESTS]
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', file, ...filter, '--testTimeout=3600000', '--no-color'],
    {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const code = await new Promise<number | null>(resolve => child.on('exit', resolve))
  if (code !== 0) process.stdout.write(output.slice(-4_000))
  const said = output.split('\n').filter(line => says.test(line))
  const hasRun = /^\s*Tests\s.*\d passed/m.test(output)
  return {
    found: hasRun ? (said.at(-1)?.trim() ?? otherwise) : 'no test passed',
    holds: code === 0 && hasRun,
  }
}

/** Only the tests whose names match. */
const named = (pattern: string) => ({ ONLY_TESTS: pattern })

await step('R7', 'no false incident in the simulated world of faults', 5, async () => {
  const tally = simulate({ ...goal, monitorHours: times(goal.monitorHours) })
  const isClean = tally.falseIncidents + tally.falseRecoveries + tally.missed + tally.stuck + tally.movedBySilence === 0
  return {
    found: `${tally.falseIncidents} in ${tally.monitorHours.toLocaleString('en')} monitor-hours (${(3 / tally.monitorHours).toExponential(1)} an hour), ${tally.missed} of ${tally.detectable.toLocaleString('en')} outages missed (${bound(tally.detectable)}), ${tally.seeds.toLocaleString('en')} seeds`,
    holds: isClean,
  }
})

const controlHours: Record<Control, number> = {
  no_quorum: 1_000,
  no_eligibility: 2_000,
  one_confirmation: 4_000,
  no_replay_guard: 8_000,
  no_moment: 8_000,
}
for (const control of controls)
  await step('R7 control', `with ${control.replaceAll('_', ' ')}, the same run goes red`, 0.2, async () => {
    const tally = simulate({ monitorHours: controlHours[control], control })
    return {
      found: `${tally.falseIncidents} false incidents in ${tally.monitorHours.toLocaleString('en')} monitor-hours`,
      holds: tally.falseIncidents > 0,
    }
  })

await step(
  'R1, R2',
  'kill -9 of ClickHouse: nothing acknowledged is lost or doubled, roll-ups equal a recount',
  25,
  async () => {
    const counted = await killClickhouse({ kills: times(1_000), seed: 20_261_121 })
    return {
      found: `${counted.kills} kills, ${counted.acknowledged.toLocaleString('en')} results acknowledged: ${counted.lost} lost, ${counted.doubled} doubled, ${counted.unexpected} unexpected, ${counted.mismatches} cells differ (${bound(counted.kills)} a kill)`,
      holds: counted.lost + counted.doubled + counted.unexpected + counted.mismatches === 0,
    }
  },
)

await step(
  'R1, R3, R15',
  'kill -9 of control plane, ClickHouse and PostgreSQL under load: the site’s own log against what is stored',
  20,
  () => tested('test/faults/kill.slow.test.ts', { KILLS_PER_PART: String(times(30)) }, /^kills \d+/, 'passed'),
)

await step(
  'R1, R15, soak',
  'an hour under load while parts are killed and frozen in turn: nothing lost, memory, sockets and tables flat',
  64,
  () =>
    tested('test/faults/soak.slow.test.ts', { SOAK_MINUTES: String(Math.max(2, times(60))) }, /^soak \d+/, 'passed'),
)

await step('R1, shards', 'kill -9 of one of three ingest processes that share the tenants', 5, () =>
  tested('test/faults/shards.slow.test.ts', { KILLS_OF_OWNERS: String(times(50)) }, /^owner kills/, 'passed'),
)

await step(
  'R3',
  'kill -9 of PostgreSQL while an automation writes and asks again: no acknowledged write lost, done twice or in part',
  10,
  () =>
    tested(
      'test/faults/postgres-kills.patient.test.ts',
      { POSTGRES_KILLS: String(times(200)) },
      /^PostgreSQL kills/,
      'passed',
    ),
)

await step('R1, F1', 'kill -9 of the process of the intake between deciding, sending, storing and answering', 6, () =>
  tested(
    'test/analytics/kills.slow.test.ts',
    { INTAKE_KILLS: String(times(1_000)), ...named('between any two steps') },
    /^intake kills/,
    'passed',
  ),
)

await step('R1', 'kill -9 of the control plane under pings: none that was answered is lost', 6, () =>
  tested('test/faults/pings.test.ts', { PING_KILLS: String(times(30)) }, /^\d+ kills, \d+ pings/, 'passed'),
)

await step(
  'R1, F16',
  'kill -9 of the leading process while maintenance windows begin and end: each transition and each mail once',
  6,
  () =>
    tested('test/faults/maintenance.test.ts', { MAINTENANCE_KILLS: String(times(20)) }, /^maintenance kills/, 'passed'),
)

await step(
  'R8, R14, F16',
  'ten minutes without the control plane, a thousand jobs due: none that pings is reported silent, no silent one missed',
  12,
  () =>
    tested(
      'test/faults/pings.test.ts',
      { OWN_OUTAGES: String(times(20)), ...named('without the control plane') },
      /^own outages/,
      'passed',
    ),
)

await step('R1', 'kill -9 of the agent between measuring, appending, sending and acknowledgement', 15, () =>
  tested(
    'test/probe-agent/faults.slow.test.ts',
    { KILLS_PER_PART: String(times(50)) },
    /^agent kills/,
    `${times(50) * 5} kills: 0 lost, 0 unexpected (${bound(times(50) * 5)} a kill)`,
  ),
)

await step(
  'R16, R17, F5, F20',
  'life cycles with short days, workers and the Temporal server killed: nothing missed, doubled or early, all replayed',
  55,
  () =>
    tested(
      'test/faults/lifecycles.patient.test.ts',
      {
        LIFECYCLES: String(times(10_000)),
        LIFE_EVERY_MS: '60',
        WORKER_KILLS: String(times(300)),
        TEMPORAL_KILLS: String(times(50)),
      },
      /^lifecycles \d+/,
      'passed',
    ),
)

await step(
  'S11',
  'rates at ten times the load, over four processes: never above the limit, 98 % of it served, Retry-After true 200 of 200',
  32,
  () =>
    tested(
      'test/control-plane/http/shared-rate.gate.test.ts',
      {
        RATE_WINDOW_MS: '60000',
        RATE_SECONDS: String(Math.max(180, times(1_800))),
        RATE_SERVED: '0.98',
        ...named('at ten times the load|waited as long as reported'),
      },
      /^rates:/,
      'passed',
    ),
)

await step(
  'S7',
  'a token that is disabled, deleted, revoked or expired is refused by two processes from that moment on',
  6,
  () =>
    tested(
      'test/control-plane/access/tokens/at-once.gate.test.ts',
      { RACE_ROUNDS: String(times(25)) },
      /^no such line/,
      `0 of ${(times(25) * 400).toLocaleString('en')} and more let in after the end (${bound(times(25) * 400)})`,
    ),
)

const timings = {
  'e-mail': { file: 'test/control-plane/identity/sessions/enumeration.gate.test.ts', rounds: 300 },
  'tenant and token': { file: 'test/control-plane/access/tokens/timing.gate.test.ts', rounds: 1_500 },
}
for (const [what, { file, rounds }] of Object.entries(timings))
  await step(
    'S10',
    `known and unknown ${what}: the same bytes, and the same time to less than 5 % (tokens 1 %)`,
    6,
    () =>
      tested(
        file,
        { TIMING_ROUNDS: String(Math.max(40, times(rounds))), TIMING_GOAL: '1', ...named('nor its delay') },
        /^timing /,
        'passed',
      ),
  )

await step('S6', 'a restore against the purge at the same moment: whole or gone, never half', 5, () =>
  tested(
    'test/control-plane/reselling/managed-teams/purge.slow.test.ts',
    { RESTORE_RACES: String(times(1_000)) },
    /^restore against purge/,
    'passed',
  ),
)

const races = {
  'a client provisioned twenty times at once under one external_ref': {
    file: 'reselling/managed-teams/create',
    rounds: 1_000,
    minutes: 6,
    name: 'twenty times',
  },
  'ten who rotate one token at once': {
    file: 'reselling/reseller-tokens/rotate',
    rounds: 200,
    minutes: 2,
    name: 'race for it',
  },
  'fifty who ask for the five impersonation tokens at once': {
    file: 'reselling/impersonation/impersonation',
    rounds: 100,
    minutes: 2,
    name: 'asked for at once',
  },
  'a hundred who create the last monitor of a plan at once': {
    file: 'monitoring/monitors/create',
    rounds: 50,
    minutes: 2,
    name: 'one below the limit',
  },
}
for (const [what, { file, rounds, minutes, name }] of Object.entries(races))
  await step('S6', `${what}: exactly as many win as may, in each of ${rounds} rounds`, minutes, () =>
    tested(
      `test/control-plane/${file}.test.ts`,
      { RACE_ROUNDS: String(times(rounds)), ...named(name) },
      /^no such line/,
      `0 of ${times(rounds).toLocaleString('en')} rounds otherwise (${bound(times(rounds))})`,
    ),
  )

await step(
  'S13',
  'a purge asked for before its time does nothing; done, no table and no file holds the team within a minute',
  5,
  () =>
    tested(
      'test/control-plane/reselling/managed-teams/purge.slow.test.ts',
      { EARLY_PURGES: String(times(1_000)), ...named('to the millisecond|in any table, file or trail') },
      /^purge/,
      'passed',
    ),
)

await step(
  'S14',
  'an erased person is named nowhere any more, and each reseller is notified of its own teams alone',
  2,
  () =>
    tested(
      'test/control-plane/identity/erasure/erasure.test.ts',
      { ERASURES: String(times(100)), ...named('no remaining row') },
      /^no such line/,
      `0 marks left of ${times(100).toLocaleString('en')} people (${bound(times(100))})`,
    ),
)

await step('S8', 'no key that was handed out can be read in a table or a log, after all tests of the modules', 9, () =>
  tested('test/control-plane', {}, /^secrets:/, 'passed'),
)

await step(
  'R6, F7 to F10, F18',
  'regions cut off, lossy, unreachable, an hour slow, frozen and replaced, on hosts of their own: no site that is well has an incident',
  125,
  () =>
    tested(
      'test/faults/regions.patient.test.ts',
      { WATCHED_MINUTES: String(Math.max(3, 120 * scale)) },
      /^false incidents/,
      'passed',
    ),
)

await step(
  'S7, T4',
  'a token toggled, a team deleted in one process: the very next request to another is refused',
  6,
  () =>
    tested(
      'test/control-plane/access/tokens/two-processes.gate.test.ts',
      { ALTERNATIONS: String(times(10_000)), TEAM_ALTERNATIONS: String(times(10_000)) },
      /^(token|team) alternations/,
      'passed',
    ),
)

await step('F14', 'ClickHouse is frozen for five minutes: the API goes on, memory is bounded, nothing is lost', 8, () =>
  tested(
    'test/faults/kill.slow.test.ts',
    { FROZEN_SECONDS: String(Math.max(12, times(300))), ...named('ClickHouse frozen') },
    /^ClickHouse frozen/,
    'passed',
  ),
)

await step(
  'F29',
  'a disk that is full for a minute, under every store, spool and log: no result lost, no incident, all of it starts again by itself',
  3,
  () =>
    tested(
      'test/faults/full-disk.test.ts',
      { FULL_DISK_SECONDS: String(Math.max(15, times(60))) },
      /^full disk/,
      'passed',
    ),
)

await step(
  'F15',
  'PostgreSQL is frozen for a minute: 503 and Retry-After, no write in part, back in service within five seconds',
  2,
  () =>
    tested(
      'test/control-plane/base/frozen.alone.gate.test.ts',
      { FROZEN_SECONDS: String(Math.max(15, times(60))), ...named('costs 503s') },
      /^PostgreSQL frozen/,
      'passed',
    ),
)

await step(
  'R19',
  'six hours of 1,000 checks from an agent that was cut off: all of it arrives, and fresh results overtake it',
  4,
  () =>
    tested(
      'test/probe-agent/faults.slow.test.ts',
      { BACKLOG: String(times(360_000)), ...named('hours of backlog') },
      /^backlog of/,
      'passed',
    ),
)

await step(
  'R20, F10',
  'an agent’s wall clock jumps by up to a day either way: no run at a wrong time, none left out or lost',
  14,
  () =>
    tested(
      'test/probe-agent/faults.slow.test.ts',
      { CLOCK_STEPS: String(times(10_000)), ...named('changes no due time') },
      /^clock: /,
      'passed',
    ),
)

await step(
  'S12',
  'two thousand slow sockets: honest callers wait less than twice as long, memory grows by less than 50 MB; expensive inputs',
  2,
  () =>
    tested(
      'test/control-plane/http/slow-sockets.slow.test.ts',
      { HONEST_TIMES: '2', HONEST_REQUESTS: '1000' },
      /^slow sockets/,
      'passed',
    ),
)

await step('S3', 'rows of another tenant read or written with the application’s own filters switched off', 4, () =>
  tested(
    'test/authorization/row-security.gate.test.ts',
    { ROW_SECURITY_OPERATIONS: String(times(100_000)) },
    /^\d+ operations of/,
    'passed',
  ),
)

await step('access', 'who may do what: every operation, by everybody, to every kind of target', 20, () =>
  tested('test/authorization/matrix.slow.test.ts', { WHOLE: '1' }, /^\d+ (operations|scopes)/, 'passed'),
)

await step('S5', 'requests made up from the document: no 5xx, nothing undocumented', 180, () =>
  tested('test/contract/fuzz.patient.test.ts', { FUZZ_EXAMPLES: String(times(400)) }, /^schemathesis:/, 'passed'),
)

await step('S15', 'an audit trail that was tampered with: each time it is found', 2, () =>
  tested(
    'test/control-plane/tenancy/audit-log/chain.test.ts',
    { TAMPERINGS: String(times(1_000)) },
    /tamper/,
    'passed',
  ),
)

await step(
  'S4',
  'random addresses of both families, judged as the registries do; a thousand names that flip; two hundred good addresses',
  2,
  () => tested('test/egress', { ADDRESSES: String(times(1_000_000)) }, /^addresses \d+/, 'passed'),
)

await step('S9', 'what a customer wrote changes nothing of a message to any kind of channel but its words', 2, () =>
  tested(
    'test/control-plane/alerting/threats.gate.test.ts',
    { INJECTIONS: '1', ...named('S9') },
    /^injections \d+/,
    'passed',
  ),
)

await step('S9', 'nor of a mail, in any of them and either language', 2, () =>
  tested(
    'test/control-plane/alerting/mail/render.test.ts',
    { INJECTIONS: '1', ...named('what people wrote') },
    /Tests .*passed/,
    'passed',
  ),
)

await step(
  'R4, F5, F6, F17',
  'events on their way while API, worker and Temporal are killed: all arrive, repeats bear the same id, order per monitor',
  90,
  () =>
    tested(
      'test/faults/deliveries.patient.test.ts',
      { DELIVERY_KILLS: String(times(500)), DELIVERY_EVENTS: String(times(1_000)) },
      /^deliveries \d+/,
      'passed',
    ),
)

await step(
  'R9, R10, R13',
  'outages of eight kinds, a run every ten seconds: found within interval, timeout and 10 s, and resolved as soon',
  40,
  () =>
    tested(
      'test/journeys/outage.slow.test.ts',
      { OUTAGE_ROUNDS: String(times(25)) },
      /^\d+ of \d+ outages found/,
      'passed',
    ),
)

await step(
  'R5, R11, F24',
  'webhooks that fail together come again on time, never early, and others are not delayed',
  8,
  () =>
    tested(
      'test/faults/deliveries.patient.test.ts',
      { HERD_MESSAGES: String(Math.max(100, times(1_000))) },
      /^herd \d+/,
      'passed',
    ),
)

if (asked.list) process.exit()
if (rows.length === 0) throw new Error(`There is no ${only}; --list names what there is.`)
const table = [
  '| Figure | Promise | Found | |',
  '|---|---|---|---|',
  ...rows.map(row => `| ${row.figure} | ${row.promise} | ${row.found} | ${row.holds ? 'holds' : '**missed**'} |`),
].join('\n')
console.log(`\n${table}`)
const page = join(root, 'docs', 'faults.md')
const text = readFileSync(page, 'utf8')
const marked = /<!-- faults -->[\s\S]*?<!-- \/faults -->/
if (isWhole && scale >= 1 && marked.test(text))
  writeFileSync(page, text.replace(marked, `<!-- faults -->\n${table}\n<!-- /faults -->`))
process.exitCode = rows.every(row => row.holds) ? 0 : 1
