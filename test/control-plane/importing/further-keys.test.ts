import { describe, expect, test } from 'vitest'
import { vedette } from '#control-plane/importing/vedette.ts'
import { betterStack } from '#importers/better-stack/source.ts'
import { blackboxExporter } from '#importers/blackbox-exporter/source.ts'
import { csv } from '#importers/csv/source.ts'
import { gatus } from '#importers/gatus/source.ts'
import { healthchecks } from '#importers/healthchecks/source.ts'
import { ohDear } from '#importers/oh-dear/source.ts'
import { openstatus } from '#importers/openstatus/source.ts'
import { pingdom } from '#importers/pingdom/source.ts'
import type { SourceItem } from '#importers/source.ts'
import { statusCake } from '#importers/statuscake/source.ts'
import { statuspage } from '#importers/statuspage/source.ts'
import { uptimeKuma } from '#importers/uptime-kuma/source.ts'
import { uptimeRobot } from '#importers/uptimerobot/source.ts'
import { kumaFile } from './kuma-file.ts'
import { readAnswers, readText } from './read-source.ts'

type Settings = Record<string, unknown>
type Read = (more: Settings) => Promise<Map<string, SourceItem>>

const site = 'http://site.example/'
const quoted = (more: Settings) =>
  Object.entries(more)
    .map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`)
    .join('')
const two = { path: '/v2' }

/** Of each source a record with further settings, and the id that it gets. */
const records: [what: string, id: string, read: Read][] = [
  [
    'uptime-kuma',
    '1',
    more =>
      readText(
        uptimeKuma,
        kumaFile(database => {
          for (const column of Object.keys(more)) database.exec(`alter table monitor add column "${column}" text`)
          const columns = ['name', 'type', 'url', ...Object.keys(more)]
          const values = ['a', 'http', site, ...Object.values(more).map(value => JSON.stringify(value))]
          database
            .prepare(`insert into monitor ("${columns.join('", "')}") values (${columns.map(() => '?').join()})`)
            .run(...values)
        }),
      ),
  ],
  [
    'uptimerobot',
    '1',
    more =>
      readAnswers(uptimeRobot, {
        '/monitors': {
          data: [{ id: 1, friendlyName: 'a', type: 'HTTP', url: site, interval: 300, status: 'UP', ...more }],
        },
      }),
  ],
  [
    'uptimerobot, its config',
    '1',
    more =>
      readAnswers(uptimeRobot, {
        '/monitors': { data: [{ id: 1, friendlyName: 'a', type: 'HTTP', url: site, status: 'UP', config: more }] },
      }),
  ],
  [
    'uptimerobot, version 2',
    '1',
    more =>
      readAnswers(
        uptimeRobot,
        { '/v2/getMonitors': { stat: 'ok', monitors: [{ id: 1, friendly_name: 'a', type: 1, url: site, ...more }] } },
        two,
      ),
  ],
  [
    'better-stack',
    '1',
    more =>
      readAnswers(betterStack, {
        '/api/v2/monitors': { data: [{ id: '1', attributes: { monitor_type: 'status', url: site, ...more } }] },
      }),
  ],
  [
    'better-stack, a heartbeat',
    'heartbeat-1',
    more =>
      readAnswers(betterStack, {
        '/api/v2/heartbeats': { data: [{ id: '1', attributes: { name: 'a', period: 60, grace: 60, ...more } }] },
      }),
  ],
  [
    'pingdom',
    '1',
    more =>
      readAnswers(pingdom, {
        '/checks': { checks: [{ id: 1 }] },
        '/checks/1': { check: { id: 1, name: 'a', hostname: 'site.example', type: { http: { url: '/' } }, ...more } },
      }),
  ],
  [
    'pingdom, the type',
    '1',
    more =>
      readAnswers(pingdom, {
        '/checks': { checks: [{ id: 1 }] },
        '/checks/1': { check: { id: 1, name: 'a', hostname: 'site.example', type: { http: { url: '/', ...more } } } },
      }),
  ],
  [
    'statuscake',
    '1',
    more =>
      readAnswers(statusCake, {
        '/uptime': { data: [{ id: '1' }] },
        '/uptime/1': { data: { id: '1', name: 'a', test_type: 'HTTP', website_url: site, check_rate: 300, ...more } },
      }),
  ],
  [
    'oh-dear',
    '1',
    more =>
      readAnswers(ohDear, {
        '/monitors': { data: [{ id: 1, type: 'http', url: site, checks: [{ id: 2, type: 'uptime' }], ...more }] },
      }),
  ],
  [
    'oh-dear, a check',
    '1',
    more =>
      readAnswers(ohDear, {
        '/monitors': {
          data: [
            {
              ...{ id: 1, type: 'http', url: site },
              checks: [{ id: 2, type: 'uptime', settings: { uptime_check_settings: more } }],
            },
          ],
        },
      }),
  ],
  [
    'openstatus',
    '1',
    more =>
      readAnswers(openstatus, { '/monitor': [{ id: 1, url: site, periodicity: '1m', jobType: 'http', ...more }] }),
  ],
  ['statuspage', 'p1', more => readAnswers(statuspage, { '/pages': [{ id: 'p1', name: 'Acme', ...more }], ...lists })],
  [
    'statuspage, a component',
    'p1',
    more =>
      readAnswers(statuspage, {
        ...lists,
        '/pages': [{ id: 'p1', name: 'Acme' }],
        '/pages/p1/components?page=1': [{ id: 'c1', name: 'a', ...more }],
      }),
  ],
  [
    'healthchecks',
    'b3a1a2c4-0000-4000-8000-000000000001',
    more =>
      readAnswers(healthchecks, {
        '/api/v3/checks/': {
          checks: [{ uuid: 'b3a1a2c4-0000-4000-8000-000000000001', name: 'a', timeout: 3_600, grace: 60, ...more }],
        },
      }),
  ],
  [
    'gatus',
    '_a',
    more =>
      readText(
        gatus,
        `endpoints:\n  - name: a\n    url: ${site}\n    conditions: ["[STATUS] == 200"]\n${quoted(more)}`,
      ),
  ],
  [
    'blackbox-exporter',
    `probe ${site}`,
    more =>
      readText(
        blackboxExporter,
        `scrape_configs:
  - job_name: probe
    metrics_path: /probe
    params: { module: [page] }
    static_configs: [{ targets: ["${site}"] }]
${quoted(more)}modules:
  page: { prober: http }
`,
      ),
  ],
  [
    'csv',
    site,
    more =>
      readText(csv, `url,${Object.keys(more).join()}\n${site},${Object.values(more).map(value => `"${value}"`)}\n`),
  ],
  [
    'vedette',
    '1',
    more =>
      readText(
        vedette,
        JSON.stringify({
          ...{ format: 'vedette-export', version: 1, jobs: [] },
          monitors: [{ id: '1', type: 'website', name: 'a', url: site, checks: [], ...more }],
        }),
      ),
  ],
  [
    'vedette, a job',
    '1',
    more =>
      readText(
        vedette,
        JSON.stringify({
          ...{ format: 'vedette-export', version: 1, monitors: [] },
          jobs: [{ id: '1', name: 'a', period_minutes: 5, ...more }],
        }),
      ),
  ],
  [
    'vedette, a check',
    '1',
    more =>
      readText(
        vedette,
        JSON.stringify({
          ...{ format: 'vedette-export', version: 1, jobs: [] },
          monitors: [{ id: '1', type: 'website', name: 'a', url: site, checks: [{ type: 'uptime', ...more }] }],
        }),
      ),
  ],
]
const lists = Object.fromEntries(
  ['component-groups', 'components', 'incidents', 'metrics'].map(name => [`/pages/p1/${name}`, []]),
)

describe.each(records)('%s', (_, id, read) => {
  const notesOf = async (more: Settings) => {
    const items = await read(more)
    const item = items.get(id)
    expect(item?.wanted, [...items.keys()].join()).toBeTruthy()
    return item?.standIns.join('\n') ?? ''
  }

  test('has no note of settings where there are no further ones', async () => {
    expect(await notesOf({})).not.toMatch(/not carried over:|not known here/)
  })

  test.each([
    ['a text', 'yes'],
    ['a number', 7],
    ['true', true],
  ])('names each setting that is not known, with %s', async (_, value) => {
    const notes = await notesOf({ brand_new_setting: value, zebra_mode: value })
    expect(notes).toMatch(/brand_new_setting/)
    expect(notes).toMatch(/zebra_mode/)
  })

  test('names one whose name is that of a built-in method', async () => {
    expect(await notesOf({ constructor: 'x', hasOwnProperty: 'x' })).toMatch(/constructor[\s\S]*hasOwnProperty/i)
  })
})

test('values of settings that are not known are not shown', async () => {
  for (const [, , read] of records) {
    const items = await read({ brand_new_setting: 'a-secret-of-it' })
    expect(JSON.stringify([...items.values()])).not.toContain('a-secret-of-it')
  }
})
