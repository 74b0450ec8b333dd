import { z } from 'zod'
import { CsvError, type CsvRow, csvRows, plainCell } from '#contract/csv.ts'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { flag } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { lockCount, reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import { newTeamDays } from '#control-plane/tenancy/plans/mail-questions.ts'
import { languages } from '#locales/languages.ts'
import { addressMessages, addressOf, channelOf, subscriberChannels } from './address.ts'
import { findPage, mayWrite } from './row.ts'
import { askAdded, countConfirmed, insertSubscribers, type NewSubscriber } from './store.ts'

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
    'with `confirmed=true` none is: the team answers for their consent, and the audit log says who did. Both take ' +
    'places of the plan. `GET /mail-budget` says how many addresses may be asked in 24 hours; in the first ' +
    `${newTeamDays} days of a team, confirmed ones count there as well, unless its reseller imports them.`,
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
    const isReachable = (address: string) => services.guard.refuseUrl(address) === null
    const { rows, problems } = await inSlices(readRows(textOf(rawBody.content), known, isReachable))
    const into = { tenantId: tenant.id, pageId: page.id, source: 'import', isConfirmed: query.confirmed } as const
    await lockCount(em, tenant, 'subscribers')
    const added = await insertSubscribers(em, services.config, into, rows)
    if (added.length > 0) await reserveQuota(context, 'subscribers', added.length, { areInserted: true })
    await (query.confirmed ? countConfirmed(context, added) : askAdded(context, added))
    audit(
      'status_page.subscribers_imported',
      { type: 'status_page', id: page.id },
      { added: added.length, confirmed: query.confirmed },
    )
    return {
      data: {
        added: added.length,
        existing: rows.length - added.length,
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

type Problem = z.output<typeof Problem>

function* readRows(
  text: string,
  known: Known,
  isReachable: (address: string) => boolean,
): Generator<undefined, { rows: NewSubscriber[]; problems: Problem[] }> {
  const rows = new Map<string, NewSubscriber>()
  const problems: Problem[] = []
  let [names, read]: [readonly string[] | null, number] = [null, 0]
  for (const line of rowsOf(text)) {
    yield
    if (line === undefined) continue
    if (names === null) {
      names = namesIn(line)
      continue
    }
    if (++read > mostRows)
      throw invalid({ body: [new Sentence('At most {n} rows are imported at once.', { n: mostRows })] })
    const at = (name: string) => plainCell(line.cells[names?.indexOf(name) ?? -1] ?? '')
    const given = at(names.includes('address') ? 'address' : 'email')
    const cells = { given, channel: at('channel'), locale: at('locale'), components: at('components') }
    const row = readRow(cells, known, isReachable)
    if (typeof row === 'string') problems.push({ line: line.line, message: row })
    else rows.set(`${row.channel} ${row.address.toLowerCase()}`, row)
  }
  if (names === null) namesIn({ line: 1, cells: [] })
  return { rows: [...rows.values()], problems }
}

/** The names of the columns. */
function namesIn({ cells }: CsvRow): string[] {
  const names = cells.map(name => name.toLowerCase())
  if (!names.includes('address') && !names.includes('email'))
    throw invalid({ body: ['The first line must name the columns, one of them `address` or `email`.'] })
  return names
}

function* rowsOf(text: string): Generator<CsvRow | undefined> {
  try {
    yield* csvRows(text)
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
  const wanted = locale === '' ? known.locale : languages.find(one => one === locale.toLowerCase())
  if (!wanted) return `locale: Must be one of ${languages.join(', ')}.`
  const componentIds = components
    .toLowerCase()
    .split(/[\s;]+/)
    .filter(Boolean)
  if (componentIds.some(id => !known.components.has(id)))
    return 'components: Names a component that this page does not have.'
  return { channel, address, componentIds: [...new Set(componentIds)], locale: wanted }
}
