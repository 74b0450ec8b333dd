import { z } from 'zod'
import { CsvError, type CsvRow, parseCsv, plainCell } from '#control-plane/base/csv.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { flag } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { takePlaces } from '#control-plane/tenancy/plans/enforce.ts'
import { runIn } from '#control-plane/tenancy/plans/run.ts'
import { addressMessages, addressOf, channelOf, subscriberChannels } from './address.ts'
import { findPage, locales, mayWrite } from './row.ts'
import { askSubscribers, insertSubscribers, type NewSubscriber } from './store.ts'

/** Rows of one import. */
export const mostRows = 10_000
const mostProblems = 100
const limitBytes = 2_097_152

const Problem = z.object({ line: z.int(), message: z.string() })

export const importSubscribers = endpoint({
  method: 'POST',
  path: '/status-pages/{status_page}/subscribers/import',
  operation: 'statusPageSubscribers.import',
  summary: 'Import subscribers of a status page from CSV',
  description:
    `The first line names the columns: \`address\` (or \`email\`), and if wanted \`channel\`, \`locale\`, ` +
    `\`components\` (ids separated by spaces); others are not read. At most ${mostRows} rows. Wrong ones are ` +
    'listed and left out, addresses that are there already stay as they are. Each new address is asked to confirm; ' +
    'with `confirmed=true` none is: the team answers for their consent, and the audit log says who did.',
  access: mayWrite,
  query: z.object({ confirmed: flag.default(false) }),
  accepts: { types: { 'text/csv': z.string() }, limit: limitBytes },
  returns: ok({
    data: z
      .object({
        added: z.int(),
        existing: z.int(),
        refused: z.int(),
        problems: z.array(Problem).meta({ description: `The first ${mostProblems} rows that are wrong.` }),
      })
      .meta({ id: 'SubscriberImport' }),
  }),

  async handle(context) {
    const { em, tenant, params, query, services, rawBody, audit } = context
    const page = await findPage(em, tenant, params.status_page)
    const components = await queries(em)
      .selectFrom('status_page_components')
      .where('page_id', '=', page.id)
      .select('id')
      .execute()
    const known = { locale: page.locale, components: new Set(components.map(({ id }) => id)) }
    const { rows, problems } = readRows(
      textOf(rawBody.content),
      known,
      address => services.guard.refuseUrl(address) === null,
    )
    if (query.confirmed) await takePlaces(context, 'subscribers', rows.length)
    const run = runIn(em)
    const into = { tenantId: tenant.id, pageId: page.id, source: 'import', isConfirmed: query.confirmed } as const
    const ids = await insertSubscribers(run, services.config, into, rows)
    if (!query.confirmed) await askSubscribers(run, ids, { isLimited: false })
    audit(
      'status_page.subscribers_imported',
      { type: 'status_page', id: page.id },
      { added: ids.length, confirmed: query.confirmed },
    )
    return {
      data: {
        added: ids.length,
        existing: rows.length - ids.length,
        refused: problems.length,
        problems: problems.slice(0, mostProblems),
      },
    }
  },
})

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid({ body: ['Must be CSV in UTF-8.'] })
  }
}

type Known = { locale: string; components: ReadonlySet<string> }

function readRows(text: string, known: Known, isReachable: (address: string) => boolean) {
  const [header, ...lines] = parsed(text)
  const names = header?.cells.map(name => name.toLowerCase()) ?? []
  const addressAt = names.includes('address') ? names.indexOf('address') : names.indexOf('email')
  if (addressAt < 0)
    throw invalid({ body: ['The first line must name the columns, one of them `address` or `email`.'] })
  if (lines.length > mostRows)
    throw invalid({ body: [`Has ${lines.length} rows; at most ${mostRows} are imported at once.`] })
  const at = (row: CsvRow, name: string) => plainCell(row.cells[names.indexOf(name)] ?? '')
  const rows = new Map<string, NewSubscriber>()
  const problems: z.output<typeof Problem>[] = []
  for (const line of lines) {
    const given = plainCell(line.cells[addressAt] ?? '')
    const row = readRow(
      { given, channel: at(line, 'channel'), locale: at(line, 'locale'), components: at(line, 'components') },
      known,
      isReachable,
    )
    if (typeof row === 'string') problems.push({ line: line.line, message: row })
    else rows.set(`${row.channel} ${row.address.toLowerCase()}`, row)
  }
  return { rows: [...rows.values()], problems }
}

function parsed(text: string): CsvRow[] {
  try {
    return parseCsv(text)
  } catch (error) {
    if (error instanceof CsvError) throw invalid({ body: [`Line ${error.line}: ${error.message}`] })
    throw error
  }
}

interface Cells {
  given: string
  channel: string
  locale: string
  components: string
}

/** The subscriber of a row, or what is wrong with it. */
function readRow(
  { given, channel: named, locale, components }: Cells,
  known: Known,
  isReachable: (address: string) => boolean,
): NewSubscriber | string {
  const channel = named === '' ? channelOf(given) : subscriberChannels.find(one => one === named.toLowerCase())
  if (!channel) return `channel: Must be one of ${subscriberChannels.join(', ')}.`
  const address = addressOf(channel, given)
  if (address === null || (channel !== 'email' && !isReachable(address))) return `address: ${addressMessages[channel]}`
  const wanted = locale === '' ? known.locale : locales.find(one => one === locale.toLowerCase())
  if (!wanted) return `locale: Must be one of ${locales.join(', ')}.`
  const componentIds = components
    .toLowerCase()
    .split(/[\s;]+/)
    .filter(Boolean)
  if (componentIds.some(id => !known.components.has(id)))
    return 'components: Names a component that this page does not have.'
  return { channel, address, componentIds: [...new Set(componentIds)], locale: wanted }
}
