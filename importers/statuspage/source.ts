import { accessOf, clientOf, named } from '#importers/reads.ts'
import { record, records, text } from '#importers/shapes.ts'
import { type Source, SourceError, type SourceInput, type SourceItem } from '#importers/source.ts'
import { convertMetric, convertPage, convertSubscribers, Page } from './convert.ts'

export const statuspage: Source = {
  name: 'statuspage',
  title: 'Statuspage',
  reads: 'api',
  baseUrl: 'https://api.statuspage.io/v1',
  credential: 'an API key of the user',
  carries: [
    'pages as drafts with name, description, time zone and whether search engines may list them',
    'components in their groups with their present status',
    'the latest 500 incidents of a page with their updates, the worst status of each component, and postmortems',
  ],
  leavesBehind: [
    'monitors, which it has none of: give each component its monitor',
    'scheduled maintenance, metrics, subscribers (named); templates, users, audiences, domains, logos, colours',
    'uptime of the past, but for incidents with an outage, which count as downtime',
  ],

  async read(input) {
    const pages = (await list(input, '/pages', null)).found
    const items: SourceItem[] = []
    for (const found of pages) {
      items.push(...(await readPage(input, found)))
      await input.progress(items.length, null)
    }
    return items
  },
}

async function readPage(input: SourceInput, found: Record<string, unknown>): Promise<SourceItem[]> {
  const page = Page.parse(found)
  if (page.id === null) return convertPage(found, { groups: [], components: [], incidents: [], hasOlder: false })
  const path = `/pages/${encodeURIComponent(page.id)}`
  const groups = await list(input, `${path}/component-groups`, 'per_page')
  const components = await list(input, `${path}/components`, 'per_page')
  const incidents = await list(input, `${path}/incidents`, 'limit', mostIncidentPages)
  const metrics = { kind: 'other', sourceKind: 'metric', name: 'Metrics' } as const
  const subscribers = { kind: 'other', sourceKind: 'subscribers', name: 'Subscribers' } as const
  return [
    ...convertPage(found, {
      groups: groups.found,
      components: components.found,
      incidents: incidents.found,
      hasOlder: incidents.isCut,
    }),
    ...(await named(metrics, async () =>
      (await list(input, `${path}/metrics`, 'per_page')).found.map(metric => convertMetric(page, metric)),
    )),
    ...(await named(subscribers, async () =>
      convertSubscribers(page, record.parse(await clientFor(input).get(`${path}/subscribers/count`))),
    )),
  ]
}

function clientFor(input: SourceInput) {
  const { key, base } = accessOf(input)
  return clientOf(input.reach, base, { Authorization: `OAuth ${key}` })
}

/** The most that a request gives. */
const pageOf = 100
/** The latest incidents are asked for, which come first. */
const mostIncidentPages = 5

/**
 * Reads a list page by page. Its answers do not say whether there are more: a page that is not full is the last one,
 * and one that begins like an earlier one is no further page.
 */
async function list(
  input: SourceInput,
  path: string,
  size: 'per_page' | 'limit' | null,
  most = Infinity,
): Promise<{ found: Record<string, unknown>[]; isCut: boolean }> {
  const client = clientFor(input)
  const found: Record<string, unknown>[] = []
  const first = new Set<string>()
  for (let page = 1; ; page++) {
    const asked = size === null ? path : `${path}?page=${page}&${size}=${pageOf}`
    const answer = records.parse(await client.get(asked))
    const beginning = text(60).parse(answer[0]?.id)
    if (beginning !== null && first.has(beginning))
      throw new SourceError('The source names the same page twice: it was not read to its end.')
    if (beginning !== null) first.add(beginning)
    found.push(...answer)
    if (size === null || answer.length < pageOf) return { found, isCut: false }
    if (page >= most) return { found, isCut: true }
  }
}
