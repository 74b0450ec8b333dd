import { type CsvRow, csvRows, plainCell } from '#contract/csv.ts'
import { fileText } from '#importers/file-text.ts'
import { host, job, leftOut, methodOf, monitorItem, StandIns, site, statusesOf } from '#importers/shapes.ts'
import { refuseTooMany, type Source, SourceError, type SourceItem } from '#importers/source.ts'

const columns = [
  'id',
  'type',
  'name',
  'url',
  'interval',
  'timeout',
  'method',
  'status',
  'keyword',
  'port',
  'record_type',
  'period',
  'schedule',
  'timezone',
  'grace',
  'tags',
  'group',
  'enabled',
] as const
type Column = (typeof columns)[number]
type Cells = Record<Column, string>

export const csv: Source = {
  name: 'csv',
  title: 'CSV',
  reads: 'file',
  fileFormat: `CSV in UTF-8 whose first line names the columns, of ${columns.join(', ')}; only url (or name) is needed`,
  carries: [
    'websites, ports, pings, DNS records and jobs, with interval, timeout, method, statuses, keyword, tags, group',
  ],
  leavesBehind: ['everything that has no column'],

  async read({ file, progress }) {
    const rows: CsvRow[] = []
    try {
      for (const row of csvRows(fileText(file))) {
        if (row) rows.push(row)
        // the header is no record
        refuseTooMany(rows.length - 1)
      }
    } catch (error) {
      if (error instanceof SourceError) throw error
      throw new SourceError(`The CSV cannot be read: ${error instanceof Error ? error.message : 'it is malformed.'}`)
    }
    const [header, ...lines] = rows
    const names = header?.cells.map(name => name.toLowerCase().replaceAll(' ', '_')) ?? []
    if (!names.includes('url') && !names.includes('name'))
      throw new SourceError(`The first line must name the columns, of ${columns.join(', ')}.`)
    await progress(0, lines.length)
    return lines.map(({ cells, line }) => {
      const cellAt = (index: number) => plainCell(cells[index] ?? '').trim()
      const row = Object.fromEntries(columns.map(column => [column, cellAt(names.indexOf(column))])) as Cells
      const standIns = new StandIns()
      const item = itemOf(row, line, standIns)
      noteCells(row, item, standIns)
      const further = cells.flatMap((_, index) => {
        const isRead = index === names.indexOf(names[index] ?? '') && columns.some(column => column === names[index])
        return isRead || cellAt(index) === '' ? [] : [names[index] || `column ${index + 1}`]
      })
      standIns.addNames('It has columns that are not carried over', further)
      return item
    })
  },
}

const numberOf = (cell: string): number | null => (/^\d{1,9}(\.\d+)?$/.test(cell) ? Number(cell) : null)

/** The kinds of monitors, by the words for them. */
const kinds = new Map<string, Kind>([
  ...(['website', 'http', 'https', 'keyword'] as const).map((word): [string, Kind] => [word, 'website']),
  ...(['port', 'tcp'] as const).map((word): [string, Kind] => [word, 'port']),
  ['ping', 'ping'],
  ['dns', 'dns'],
  ...(['job', 'cron', 'push', 'heartbeat'] as const).map((word): [string, Kind] => [word, 'job']),
])
type Kind = 'website' | 'port' | 'ping' | 'dns' | 'job'

const ofAll: readonly Column[] = ['id', 'type', 'name', 'tags', 'group', 'enabled', 'url']
/** The columns that mean something for a monitor of a kind. */
const readOf: Record<Kind, readonly Column[]> = {
  website: [...ofAll, 'interval', 'timeout', 'method', 'status', 'keyword'],
  port: [...ofAll, 'interval', 'timeout', 'port'],
  ping: [...ofAll, 'interval', 'timeout'],
  dns: [...ofAll, 'interval', 'timeout', 'record_type'],
  job: [...ofAll.filter(column => column !== 'url'), 'interval', 'period', 'schedule', 'timezone', 'grace'],
}
const on = /^(1|true|yes|on)$/i
const off = /^(0|false|no|off)$/i
const numeric = ['interval', 'timeout', 'period', 'grace'] as const

function noteCells(row: Cells, { sourceKind, wanted }: SourceItem, standIns: StandIns): void {
  const kind = kinds.get(sourceKind)
  if (wanted === null || kind === undefined) return
  const isRead = (column: Column) => readOf[kind].includes(column)
  for (const column of numeric)
    if (isRead(column) && row[column] !== '' && numberOf(row[column]) === null)
      standIns.add(`The ${column} is no number of seconds; the usual one stands in.`)
  if (row.enabled !== '' && !off.test(row.enabled) && !on.test(row.enabled))
    standIns.add(`Whether it is enabled cannot be read of ${row.enabled}: it is.`)
  if (kind === 'job' && row.schedule !== '' && (row.period || row.interval) !== '')
    standIns.add('Its schedule counts, not its period.')
  // the url of a job without a name is its name
  const isName = (column: Column) => column === 'url' && row.name === ''
  const others = columns.filter(column => row[column] !== '' && !isRead(column) && !isName(column))
  standIns.addNames(`A monitor of type ${sourceKind} has no use for these columns`, others)
}

function itemOf(row: Cells, line: number, standIns: StandIns): SourceItem {
  const name = row.name || row.url
  const type = (row.type || (row.period || row.schedule ? 'job' : row.port ? 'port' : 'website')).toLowerCase()
  const item = { kind: 'monitor' as const, sourceId: row.id || row.url || row.name, sourceKind: type, name }
  if (item.sourceId === '')
    return leftOut({ ...item, sourceId: `line ${line}` }, `Line ${line} has neither url nor name.`)
  const same = {
    name,
    intervalS: numberOf(row.interval),
    timeoutS: numberOf(row.timeout),
    tags: row.tags.split(/[;,]/),
    group: row.group,
  }
  const enabled = { ...item, isEnabled: !off.test(row.enabled) }
  switch (kinds.get(type)) {
    case 'website': {
      const wantedStatuses = row.status.split(/[;,\s]+/).filter(Boolean)
      const statuses = statusesOf(wantedStatuses)
      standIns.addNames(
        'Statuses that cannot be read are left out',
        wantedStatuses.filter(status => !statuses.includes(status)),
      )
      if (row.keyword.length > 500) standIns.add('Of its keyword the first 500 characters are searched for.')
      return monitorItem(
        enabled,
        site(
          {
            ...same,
            url: row.url,
            settings: {
              ...(row.method && { method: methodOf(row.method, standIns) }),
              ...(statuses.length > 0 && { expected_status: statuses }),
              ...(row.keyword && { keyword_present: row.keyword.slice(0, 500) }),
            },
          },
          standIns,
        ),
        standIns,
      )
    }
    case 'port':
      return monitorItem(
        enabled,
        host({ ...same, address: row.url, kind: 'tcp', settings: { port: numberOf(row.port) ?? 0 } }, standIns),
        standIns,
      )
    case 'ping':
      return monitorItem(enabled, host({ ...same, address: row.url, kind: 'ping', settings: {} }, standIns), standIns)
    case 'dns':
      return monitorItem(
        enabled,
        host(
          {
            ...same,
            address: row.url,
            kind: 'dns',
            settings: { record_types: [(row.record_type || 'A').toUpperCase()] },
          },
          standIns,
        ),
        standIns,
      )
    case 'job':
      return monitorItem(
        enabled,
        job(
          {
            name,
            periodS: numberOf(row.period) ?? same.intervalS,
            schedule: row.schedule || null,
            timezone: row.timezone || null,
            graceS: numberOf(row.grace),
            tags: same.tags,
            group: row.group,
          },
          standIns,
        ),
        standIns,
      )
    default:
      return leftOut(item, 'The type is not one of website, port, ping, dns, job.')
  }
}
