import { System } from '#test/support/system.ts'
import { claim } from './figures.ts'
import { findHealthchecks, Healthchecks, type PlantedFlip } from './peers/healthchecks.ts'
import { Move } from './shadow/move.ts'

/**
 * A real Healthchecks moves in by its API: checks of both kinds of schedules with all that they have, the changes of
 * their status in the past and their ping addresses. What is here is compared with what was set up there; then both run
 * side by side, and what is found to differ must be what was made to differ. Takes some eight minutes.
 * `HEALTHCHECKS=/folder` names the sources of Healthchecks, see `peers/healthchecks.ts`; without it nothing is run.
 */

const checks = [
  { name: 'Backup', slug: 'backup', timeout: 3_600, grace: 600, tags: 'prod db', desc: 'Runs each hour.' },
  { name: 'Nightly', slug: 'nightly', schedule: '15 3 * * *', tz: 'Europe/Riga', grace: 3_600, tags: 'prod' },
  { name: 'Weekdays', schedule: '*/10 8-18 * * MON-FRI', tz: 'UTC', grace: 120 },
  { name: 'Often', slug: 'often', timeout: 60, grace: 60 },
  { name: 'Odd seconds', timeout: 90, grace: 61 },
  { name: 'Yearly', timeout: 31_536_000, grace: 604_800 },
  {
    name: 'Wörter',
    slug: 'w_1',
    timeout: 7_200,
    grace: 300,
    failure_kw: 'ERROR',
    success_kw: 'DONE',
    filter_http_body: true,
  },
  { name: 'Twice 1', slug: 'twice', timeout: 3_600, grace: 300 },
  { name: 'Twice 2', slug: 'twice', timeout: 3_600, grace: 300 },
  { name: 'By hand', timeout: 3_600, grace: 300, manual_resume: true, methods: 'POST' },
  { name: 'Paused', timeout: 86_400, grace: 3_600 },
  { name: 'Down there', timeout: 86_400, grace: 3_600 },
  { name: 'Down here', slug: 'down-here', timeout: 86_400, grace: 3_600 },
  { name: 'Down both', timeout: 86_400, grace: 3_600 },
  { name: 'On calendar', schedule: 'Mon..Fri 09:00', tz: 'UTC', grace: 300 },
  { name: 'Each day', schedule: 'daily', tz: 'UTC', grace: 300 },
]
const leftOut = ['Each day', 'On calendar']

/** What is expected here of a check there. */
function expected(check: (typeof checks)[number]): Record<string, unknown> {
  const { timeout, schedule, grace, tags, desc, failure_kw, tz } = check
  return {
    tags: tags?.split(' ') ?? [],
    notes: desc ?? null,
    is_enabled: check.name !== 'Paused',
    fail_keyword: failure_kw ?? null,
    grace_minutes: Math.min(1_440, Math.ceil(grace / 60)),
    ...(schedule
      ? { schedule_kind: 'cron', schedule, timezone: tz }
      : { schedule_kind: 'simple', period_minutes: Math.ceil((timeout ?? 0) / 60) }),
  }
}

const [minuteMs, dayMs] = [60_000, 86_400_000]
/** A whole second, so many days ago. */
const ago = (days: number, ms = 0) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - days * dayMs + ms).toISOString()

async function main(sources: string): Promise<void> {
  const theirs = await Healthchecks.open(sources)
  const system = await System.start()
  try {
    const uuids = new Map<string, string>()
    for (const check of checks) uuids.set(check.name, await theirs.add(check))
    await theirs.pause(uuids.get('Paused') ?? '')
    const past = [
      { check: 'Backup', at: ago(40), for: 30 * minuteMs },
      { check: 'Backup', at: ago(3), for: 125 * minuteMs },
      { check: 'Nightly', at: ago(12), for: dayMs },
      { check: 'Often', at: ago(1), for: minuteMs },
    ]
    const flips = past.flatMap(({ check, at, for: ms }): PlantedFlip[] => [
      { check, at, from: 'up', to: 'down' },
      { check, at: new Date(Date.parse(at) + ms).toISOString(), from: 'down', to: 'up' },
    ])
    const firsts = ['Backup', 'Nightly', 'Often'].map(
      (check): PlantedFlip => ({ check, at: ago(60), from: 'new', to: 'up' }),
    )
    theirs.plant([...firsts, ...flips, { check: 'Often', at: ago(120), from: 'up', to: 'down' }])
    const names = checks.map(({ name }) => name).filter(name => !leftOut.includes(name) && name !== 'Paused')
    for (const name of names) await theirs.ping(uuids.get(name) ?? '', 'DONE')

    const { key, pingKey } = theirs.keys
    const sent = { provider: 'healthchecks', base_url: theirs.url, api_key: key, ping_key: pingKey }
    const move = await Move.begin(system, sent)
    const { counts } = await move.is('previewed')
    claim('checks that the preview carries over, of fourteen beside two', counts.create, 'at least', 14)
    const items = await move.items()
    for (const [name, { action, reason, stand_ins }] of items)
      for (const note of action === 'skip' ? [reason] : stand_ins) console.log(`      ${name}: ${note}`)
    claim(
      'checks left out that should be',
      leftOut.filter(name => items.get(name)?.action === 'skip').length,
      'at least',
      2,
    )
    await move.import()

    const { data: jobs } = (await system.get('/cron-monitors?per_page=100')).body
    const here = new Map<string, Record<string, unknown>>(jobs.map((job: { name: string }) => [job.name, job]))
    let different = 0
    for (const check of checks.filter(({ name }) => !leftOut.includes(name)))
      for (const [field, value] of Object.entries(expected(check))) {
        // imported jobs are disabled until the shadow begins
        const found = field === 'is_enabled' ? value : here.get(check.name)?.[field]
        if (JSON.stringify(found) === JSON.stringify(value)) continue
        different++
        console.log(`      ${check.name}: ${field} is ${JSON.stringify(found)}, not ${JSON.stringify(value)}`)
      }
    claim('fields that are not as they were there', different, 'under', 1)

    const { data: incidents } = (await system.get('/incidents?per_page=100')).body
    const shown = (found: { name: string; at: string; ms: number }[]) =>
      found.map(({ name, at, ms }) => `${name} ${at.slice(0, 19)} ${ms / 1_000}`).sort()
    const had = shown(past.map(({ check, at, for: ms }) => ({ name: check, at, ms })))
    const has = shown(
      incidents.map(({ monitor_name, started_at, duration_s }: Record<string, never>) => ({
        ...{ name: monitor_name, at: started_at, ms: Number(duration_s) * 1_000 },
      })),
    )
    const both = new Set(had).intersection(new Set(has)).size
    claim('incidents of the past, of four', both, 'at least', past.length)
    claim('incidents that were none there', has.length - both, 'under', 1)

    await move.shadow({ api_key: key })
    const monitors = await move.monitors()
    const enabled = [...monitors.values()].filter(({ is_enabled }) => is_enabled).length
    claim('jobs enabled in shadow: all but the paused one', enabled, 'at least', names.length)
    const here_ = (path: string, body?: string) =>
      fetch(`${new URL(system.local.base_url).origin}/ping/${path}`, { method: 'POST', ...(body && { body }) })
    const paths = ['', '/start', '/0', '/log', '']
    let taken = 0
    for (const [name, uuid] of uuids) {
      if (!names.includes(name)) continue
      const slug = checks.find(each => each.name === name)?.slug
      const addresses = [uuid, ...(slug && slug !== 'twice' ? [`${pingKey}/${slug}`] : [])]
      for (const address of addresses) for (const path of paths) if ((await here_(address + path)).ok) taken++
    }
    const sentPings = paths.length * (names.length + 5)
    claim(`pings to addresses of Healthchecks that count here, of ${sentPings}`, taken, 'at least', sentPings)
    claim('pings to an ambiguous slug that count', (await here_(`${pingKey}/twice`)).ok ? 1 : 0, 'under', 1)

    await move.polled(2)
    const before = await move.differing()
    console.log(`      while all is well: ${before.join(', ') || 'nothing differs'}`)
    claim('divergences while all is well', before.length, 'under', 1)
    await theirs.ping(`${uuids.get('Down there')}/fail`)
    await here_(`${pingKey}/down-here/1`)
    await theirs.ping(`${uuids.get('Down both')}/fail`)
    await here_(`${uuids.get('Down both')}/fail`)
    await here_(uuids.get('Wörter') ?? '', 'There was an ERROR.')
    await move.polled(4)
    const found = await move.differing()
    const wanted = ['Down here: extra', 'Down there: missed', 'Wörter: extra']
    console.log(`      while jobs fail: ${found.join(', ') || 'nothing differs'}`)
    claim('divergences made and found', wanted.filter(each => found.includes(each)).length, 'at least', wanted.length)
    claim('divergences found that were not made', found.filter(each => !wanted.includes(each)).length, 'under', 1)
  } finally {
    await Promise.allSettled([system.stop(), theirs.close()])
  }
}

const sources = findHealthchecks()
if (sources === null)
  console.log('not run: HEALTHCHECKS names no sources of Healthchecks. Nothing of a real Healthchecks was compared.')
else await main(sources)
