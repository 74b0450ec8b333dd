import { z } from 'zod'
import { aliasesOf } from '#contract/ping-alias.ts'
import { historyStart, momentOf, outagesBetween } from '#importers/history.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import { withPastOfEach } from '#importers/past.ts'
import { accessOf, clientOf, statusNamed } from '#importers/reads.ts'
import { flag, job, leftOut, monitorItem, number, record, records, StandIns, text } from '#importers/shapes.ts'
import type { Source, SourceInput, SourceItem } from '#importers/source.ts'

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
  n_pings: number.prefault(null),
  started: flag.prefault(null),
  last_ping: text(40).prefault(null),
  last_duration: number.prefault(null),
  manual_resume: flag.prefault(null),
  start_kw: text(200).prefault(null),
  success_kw: text(200).prefault(null),
  failure_kw: text(200).prefault(null),
  filter_subject: flag.prefault(null),
  filter_body: flag.prefault(null),
  filter_http_body: flag.prefault(null),
  filter_default_fail: flag.prefault(null),
  methods: text(20).prefault(null),
})
type Check = z.output<typeof Check>

/** Of its API version 3; the versions before have fewer. */
const keys: Keys = {
  read: Object.keys(Check.shape),
  meaningless: [
    // the words of the versions before, which `success_kw` and `failure_kw` name as well
    ...['subject', 'subject_fail'],
    ...['next_ping', 'badge_url', 'update_url', 'pause_url', 'resume_url'],
    // the integrations of the project, which no check of ours names: rules do
    'channels',
  ],
}

export const healthchecks: Source = {
  name: 'healthchecks',
  title: 'Healthchecks',
  reads: 'api',
  baseUrl: 'https://healthchecks.io',
  credential: 'the read-write API key of a project',
  hasPingKey: true,
  carries: [
    'checks with their period or cron schedule, time zone, grace time, tags and description as jobs',
    'paused checks as disabled ones',
    'ping addresses by UUID and, with the ping key, by slug: they count here once their host name leads here',
    'a word in the body of a ping that means failure',
    'incidents of the last 90 days, at most 100 of a check, of as many checks as its bound of requests allows',
  ],
  leavesBehind: [
    'ping addresses by slug where the ping key is not sent, and by UUID where a read-only key reads the checks',
    'OnCalendar schedules, words in the body of a ping that mean start or success, pings by e-mail',
    'integrations, badges, the log of pings; which incidents of the past were pauses: its API names both alike',
  ],

  async read(input) {
    const checks = await readChecks(input)
    const times = Map.groupBy(checks, ({ slug }) => slug)
    const items = checks.map(check => convert(check, times.get(check.slug)?.length === 1 ? input.pingKey : null))
    return withPastOfEach(input, items, (id, now) => readFlips(input, id, now))
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

type ReadCheck = Check & { found: Record<string, unknown> }

/** All checks of the project: the API has no pages. */
async function readChecks(input: SourceInput): Promise<ReadCheck[]> {
  const answer = record.parse(await clientFor(input).get('/api/v3/checks/'))
  const checks = records.parse(answer.checks).map(found => ({ ...Check.parse(found), found }))
  await input.progress(checks.length, checks.length)
  return checks
}

const Flip = z.object({ timestamp: text(40).prefault(null), up: flag.prefault(null) })

const flipCause = 'It was down or paused: Healthchecks does not say which.'

/** The changes of a check between up and down since ninety days. */
async function readFlips(input: SourceInput, id: string, now: number) {
  const start = Math.floor(historyStart(now) / 1_000)
  const answer = await clientFor(input).get(`/api/v3/checks/${encodeURIComponent(id)}/flips/?start=${start}`)
  // its documents show a list, which it wraps in an object
  const changes = records
    .parse(Array.isArray(answer) ? answer : record.parse(answer).flips)
    .map(found => Flip.parse(found))
    .map(({ timestamp, up }) => ({ at: momentOf(timestamp), isDown: up === false, cause: flipCause }))
    .filter(({ at }) => Number.isFinite(at))
  return {
    outages: outagesBetween(changes),
    since: changes.length > 0 ? Math.min(...changes.map(({ at }) => at)) : null,
  }
}

/** Words that are parted by commas. */
const wordsOf = (written: string | null): string[] =>
  (written ?? '')
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)

/** The id is the secret of the ping address. */
const pingIdOf = ({ uuid, ping_url }: Check): string | null =>
  uuid ?? /\/([\da-f-]{36})$/.exec(ping_url ?? '')?.[1] ?? null

/** A read-only key shows `unique_key` in place of the id. */
const idOf = (check: Check): string => pingIdOf(check) ?? check.unique_key ?? ''

/** By its own rule: one line of five fields is cron, all else an OnCalendar expression of systemd. */
const isOnCalendar = (schedule: string) => /\n/.test(schedule.trim()) || schedule.trim().split(/\s+/).length !== 5

/** Where its state there means another thing than ours does. */
function noteState(check: Check, standIns: StandIns): void {
  if (check.status === 'paused' && check.manual_resume !== true)
    standIns.add('It is paused, and its next ping would resume it there: here it stays disabled until it is enabled.')
  if (check.status === 'new' || check.n_pings === 0)
    standIns.add('It has had no ping yet, and is late there only after its first one: here it is once it is enabled.')
  if (check.started || check.last_duration !== null)
    standIns.add('Sent to its new address, a start counts as a ping: a run that begins late has its whole time.')
}

/** `pingKey`: the key of the project, if it and the slug lead to this check alone. */
function convert(check: ReadCheck, pingKey: string | null): SourceItem {
  const name = check.name || check.slug || 'Unnamed'
  const item = {
    kind: 'monitor' as const,
    sourceId: idOf(check),
    sourceKind: check.schedule ? 'cron' : 'simple',
    name,
    isEnabled: check.status !== 'paused',
  }
  if (item.sourceId === '') return leftOut({ ...item, sourceId: `no id ${name}` }, 'It has no id.')
  if (check.schedule && isOnCalendar(check.schedule))
    return leftOut(item, 'Its schedule is an OnCalendar expression: write it as cron.')
  const standIns = new StandIns()
  if (check.manual_resume) standIns.add('It resumes by itself at its next ping.')
  const failures = check.filter_http_body ? wordsOf(check.failure_kw) : []
  if (failures.length > 1)
    standIns.add(`Of the words that mean failure only ${failures[0]} does: there is one of them here.`)
  if (check.filter_http_body)
    standIns.add(
      'A ping with none of its words in the body is a success here; there it ' +
        `${check.filter_default_fail ? 'is a failure' : 'does not count'}.`,
    )
  if (check.filter_http_body && (check.start_kw || check.success_kw))
    standIns.add('Words in the body of a ping do not start or end a run: send them to /start and /fail instead.')
  if (check.methods === 'POST') standIns.add('Pings are taken by GET as well as by POST.')
  noteState(check, standIns)
  noteKeys(check.found, keys, standIns, { isComplete: true })
  const monitor = monitorItem(
    item,
    job(
      {
        name,
        periodS: check.timeout,
        schedule: check.schedule,
        timezone: check.tz,
        graceS: check.grace,
        // there a start sets a deadline: the run must end within the grace time
        maxRunS: check.grace,
        tags: (check.tags ?? '').split(/\s+/),
        notes: check.desc,
        failKeyword: failures[0] ?? null,
      },
      standIns,
    ),
    standIns,
  )
  const slug = pingKey && check.slug ? `${pingKey}/${check.slug}` : null
  return {
    ...monitor,
    pingAliases: [...aliasesOf('healthchecks', pingIdOf(check)), ...aliasesOf('healthchecks-slug', slug)],
  }
}
