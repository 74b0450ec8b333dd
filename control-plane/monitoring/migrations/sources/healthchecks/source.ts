import { z } from 'zod'
import { aliasOf } from '#control-plane/monitoring/cron-monitors/aliases/alias.ts'
import { historyStart, momentOf, outagesBetween } from '#control-plane/monitoring/migrations/sources/history.ts'
import { withPastOfEach } from '#control-plane/monitoring/migrations/sources/past.ts'
import { accessOf, clientOf, records, statusNamed } from '#control-plane/monitoring/migrations/sources/reads.ts'
import {
  flag,
  job,
  leftOut,
  monitorItem,
  number,
  record,
  StandIns,
  text,
} from '#control-plane/monitoring/migrations/sources/shapes.ts'
import type { Source, SourceInput, SourceItem } from '#control-plane/monitoring/migrations/sources/source.ts'

const statusOf = statusNamed({ up: 'up', grace: 'up', down: 'down', paused: 'paused' })

const Check = z.object({
  uuid: text(60).prefault(null),
  unique_key: text(60).prefault(null),
  ping_url: text().prefault(null),
  name: text(255).prefault(null),
  slug: text(255).prefault(null),
  tags: text(500).prefault(null),
  desc: text(5_000).prefault(null),
  timeout: number.prefault(null),
  grace: number.prefault(null),
  schedule: text(200).prefault(null),
  tz: text(60).prefault(null),
  status: text(20).prefault(null),
  last_ping: text(40).prefault(null),
  manual_resume: z.boolean().nullable().catch(null).prefault(null),
  start_kw: text(200).prefault(null),
  success_kw: text(200).prefault(null),
  failure_kw: text(200).prefault(null),
  methods: text(20).prefault(null),
})
type Check = z.output<typeof Check>

export const healthchecks: Source = {
  name: 'healthchecks',
  title: 'Healthchecks',
  reads: 'api',
  baseUrl: 'https://healthchecks.io',
  credential: 'the read-write API key of a project',
  carries: [
    'checks with their period or cron schedule, time zone, grace time, tags and description as jobs',
    'paused checks as disabled ones',
    'ping addresses by UUID: they count here once their host name leads here',
    'incidents of the last 90 days, at most 100 of a check, of as many checks as its bound of requests allows',
  ],
  leavesBehind: [
    'ping addresses by ping key and slug, which its API does not show, and those of checks that a read-only key reads',
    'OnCalendar schedules, and words in the body of a ping that mean start or success',
    'integrations, badges, and the log of pings',
  ],

  async read(input) {
    const checks = await readChecks(input)
    return withPastOfEach(input, checks.map(convert), (id, now) => readFlips(input, id, now))
  },

  async poll(input) {
    const checks = await readChecks(input)
    return new Map(
      checks.map(check => [
        idOf(check),
        {
          status: statusOf(check.status),
          reason: check.last_ping ? `The last ping came at ${check.last_ping}.` : null,
        },
      ]),
    )
  },

  async pause(input, sourceIds) {
    const client = clientFor(input)
    for (const id of sourceIds) await client.command('POST', `/api/v3/checks/${encodeURIComponent(id)}/pause`, {})
  },
}

function clientFor(input: SourceInput) {
  const { key, base } = accessOf(input)
  return clientOf(input.reach, base, { 'X-Api-Key': key })
}

/** All checks of the project: the API has no pages. */
async function readChecks(input: SourceInput): Promise<Check[]> {
  const answer = record.parse(await clientFor(input).get('/api/v3/checks/'))
  const checks = records.parse(answer.checks).map(found => Check.parse(found))
  await input.progress(checks.length, checks.length)
  return checks
}

const Flip = z.object({ timestamp: text(40).prefault(null), up: flag.prefault(null) })

/** The changes of a check between up and down since ninety days. */
async function readFlips(input: SourceInput, id: string, now: number) {
  const start = Math.floor(historyStart(now) / 1_000)
  const answer = await clientFor(input).get(`/api/v3/checks/${encodeURIComponent(id)}/flips/?start=${start}`)
  const changes = records
    .parse(answer)
    .map(found => Flip.parse(found))
    .map(({ timestamp, up }) => ({ at: momentOf(timestamp), isDown: up === false }))
    .filter(({ at }) => Number.isFinite(at))
  return {
    outages: outagesBetween(changes),
    since: changes.length > 0 ? Math.min(...changes.map(({ at }) => at)) : null,
  }
}

/** The id is the secret of the ping address. */
const pingIdOf = ({ uuid, ping_url }: Check): string | null =>
  uuid ?? /\/([\da-f-]{36})$/.exec(ping_url ?? '')?.[1] ?? null

/** A read-only key shows `unique_key` in place of the id. */
const idOf = (check: Check): string => pingIdOf(check) ?? check.unique_key ?? ''

function convert(check: Check): SourceItem {
  const name = check.name || check.slug || 'Unnamed'
  const item = {
    kind: 'monitor' as const,
    sourceId: idOf(check),
    sourceKind: check.schedule ? 'cron' : 'simple',
    name,
    isEnabled: check.status !== 'paused',
  }
  if (item.sourceId === '') return leftOut({ ...item, sourceId: `no id ${name}` }, 'It has no id.')
  // OnCalendar expressions of systemd have words or colons, which cron has not
  if (check.schedule?.includes(':')) return leftOut(item, 'Its schedule is an OnCalendar expression: write it as cron.')
  const standIns = new StandIns()
  if (check.manual_resume) standIns.add('It resumes by itself at its next ping.')
  if (check.start_kw || check.success_kw)
    standIns.add('Words in the body of a ping do not start or end a run: send them to /start and /fail instead.')
  if (check.methods === 'POST') standIns.add('Pings are taken by GET as well as by POST.')
  const monitor = monitorItem(
    item,
    job(
      {
        name,
        periodS: check.timeout,
        schedule: check.schedule,
        timezone: check.tz,
        graceS: check.grace,
        tags: (check.tags ?? '').split(/\s+/),
        notes: check.desc,
      },
      standIns,
    ),
    standIns,
  )
  return { ...monitor, pingAlias: aliasOf('healthchecks', pingIdOf(check)) }
}
