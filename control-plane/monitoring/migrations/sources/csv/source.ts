import { parseCsv, plainCell } from '#control-plane/base/csv.ts'
import { fileText } from '#control-plane/monitoring/migrations/sources/file-text.ts'
import {
  host,
  job,
  leftOut,
  monitorItem,
  StandIns,
  site,
  statusesOf,
} from '#control-plane/monitoring/migrations/sources/shapes.ts'
import { type Source, SourceError, type SourceItem } from '#control-plane/monitoring/migrations/sources/source.ts'

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
    let rows: ReturnType<typeof parseCsv>
    try {
      rows = parseCsv(fileText(file))
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
      const at = (column: Column) => plainCell(cells[names.indexOf(column)] ?? '').trim()
      return itemOf(Object.fromEntries(columns.map(column => [column, at(column)])) as Cells, line)
    })
  },
}

const numberOf = (cell: string): number | null => (/^\d{1,9}(\.\d+)?$/.test(cell) ? Number(cell) : null)

function itemOf(row: Cells, line: number): SourceItem {
  const name = row.name || row.url
  const type = (row.type || (row.period || row.schedule ? 'job' : row.port ? 'port' : 'website')).toLowerCase()
  const item = { kind: 'monitor' as const, sourceId: row.id || row.url || row.name, sourceKind: type, name }
  if (item.sourceId === '')
    return leftOut({ ...item, sourceId: `line ${line}` }, `Line ${line} has neither url nor name.`)
  const standIns = new StandIns()
  const same = {
    name,
    intervalS: numberOf(row.interval),
    timeoutS: numberOf(row.timeout),
    tags: row.tags.split(/[;,]/),
    group: row.group,
  }
  if (row.interval !== '' && same.intervalS === null)
    standIns.add('The interval is no number of seconds; the usual one stands in.')
  const enabled = { ...item, isEnabled: !/^(0|false|no|off)$/i.test(row.enabled) }
  const statuses = statusesOf(row.status.split(/[;,\s]+/).filter(Boolean))
  switch (type) {
    case 'website':
    case 'http':
    case 'https':
    case 'keyword':
      return monitorItem(
        enabled,
        site(
          {
            ...same,
            url: row.url,
            settings: {
              ...(row.method && { method: row.method.toUpperCase() }),
              ...(statuses.length > 0 && { expected_status: statuses }),
              ...(row.keyword && { keyword_present: row.keyword.slice(0, 500) }),
            },
          },
          standIns,
        ),
        standIns,
      )
    case 'port':
    case 'tcp':
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
    case 'cron':
    case 'push':
    case 'heartbeat':
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
