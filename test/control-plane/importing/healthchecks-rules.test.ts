import { expect, test } from 'vitest'
import { healthchecks } from '#importers/healthchecks/source.ts'
import { readAnswers } from './read-source.ts'

const uuid = '7f7f7f7f-0000-4000-8000-000000000001'
const check = {
  ...{ name: 'nightly', slug: 'nightly', tags: '', desc: '', grace: 60, n_pings: 1, status: 'up', timeout: 86_400 },
  ...{ last_ping: '2026-11-28T10:00:00+00:00', uuid, ping_url: `https://hc-ping.com/${uuid}` },
  ...{ manual_resume: false, methods: '' },
}

async function read(fields: Record<string, unknown> = {}) {
  const item = (await readAnswers(healthchecks, { '/api/v3/checks/': { checks: [{ ...check, ...fields }] } })).get(uuid)
  const { body } = { body: {}, ...item?.wanted } as { body: Record<string, unknown> }
  return { body, notes: item?.standIns ?? [], isEnabled: item?.isEnabled }
}

test.each([
  [60, 1, 1, 0],
  [61, 2, 2, 1],
  [300, 5, 5, 0],
  [59, 1, 1, 1],
  [90_000, 1_440, 1_500, 1],
  [604_800, 1_440, 10_080, 1],
  [31_536_000, 1_440, undefined, 2],
])('a grace time of %i seconds is %i minutes of grace, and a run may take %s', async (grace, minutes, run, notes) => {
  const { body, notes: said } = await read({ grace })
  expect([body.grace_minutes, body.max_run_minutes]).toEqual([minutes, run])
  expect(
    said.filter(note => /grace|run may/i.test(note)),
    said.join('\n'),
  ).toHaveLength(notes)
})

test('a cron schedule comes with its zone and its grace time, which is the longest run as well', async () => {
  const { body } = await read({ schedule: '*/5 * * * *', tz: 'Europe/Berlin', timeout: null, grace: 120 })
  expect(body).toMatchObject({
    ...{ schedule: '*/5 * * * *', schedule_kind: 'cron', timezone: 'Europe/Berlin' },
    ...{ grace_minutes: 2, max_run_minutes: 2 },
  })
})

test.each<[what: string, fields: Record<string, unknown>, note: RegExp]>([
  ['a check that waits for its first ping', { status: 'new', n_pings: 0 }, /no ping yet/],
  ['a paused check that its next ping resumes', { status: 'paused' }, /next ping would resume it/],
  ['a check that is resumed by hand', { manual_resume: true }, /resumes by itself/],
  ['runs that are timed', { last_duration: 12 }, /a start counts as a ping/],
  ['a run that lasts', { started: true }, /a start counts as a ping/],
  ['pings by POST alone', { methods: 'POST' }, /by GET as well/],
  ['words in the body', { filter_http_body: true, failure_kw: 'ERROR,FAIL' }, /only ERROR does/],
  ['words that mean success', { filter_http_body: true, success_kw: 'OK' }, /do not start or end a run/],
  ['bodies without a word as failures', { filter_http_body: true, filter_default_fail: true }, /it is a failure/],
])('%s: it is noted what differs here', async (_, fields, note) => {
  const { notes } = await read(fields)
  expect(notes.join('\n')).toMatch(note)
  expect((await read()).notes.join('\n')).not.toMatch(note)
})
