import { z } from 'zod'
import {
  exportedOfCheck,
  exportedOfJob,
  exportedOfMonitor,
  exportFormat,
  exportVersion,
  maskedSecret,
  only,
  partsOfImport,
} from '#contract/export.ts'
import { secretPlaces } from '#control-plane/engine/assignments/settings-secrets.ts'
import { unknownFields } from '#control-plane/http/unknown-fields.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { NewCronMonitor } from '#control-plane/passive/heartbeats/input.ts'
import { fileText } from '#importers/file-text.ts'
import { readYaml } from '#importers/read-yaml.ts'
import {
  flag,
  leftOut,
  monitorItem,
  newPingAddress,
  record,
  records,
  StandIns,
  text,
  texts,
} from '#importers/shapes.ts'
import { type Source, SourceError, type SourceItem, type Wanted } from '#importers/source.ts'

export const vedette: Source = {
  name: 'vedette',
  title: 'Vedette',
  reads: 'file',
  fileFormat: 'the file that `vedette export` writes, JSON or YAML',
  carries: ['monitors and jobs with all their checks, settings, tags, groups, notes, objectives'],
  leavesBehind: [
    'secrets of checks, which no export holds: they are named, and must be set',
    'what `vedette import` carries over besides: regions, dependencies, servers, channels, rules, schedules, ' +
      'escalation policies, status pages, maintenance windows, templates, branding',
    'incidents and results',
    'ping addresses: each job gets a new one, to which its machine must send',
  ],

  async read({ file, progress }) {
    const document = record.parse(await documentIn(fileText(file)))
    if (document.format !== exportFormat) throw new SourceError('The file is no export of Vedette.')
    if (document.version !== exportVersion)
      throw new SourceError(`The export is of version ${text(20).parse(document.version)}, which is not known here.`)
    const [monitors, jobs] = [records.parse(document.monitors), records.parse(document.jobs)]
    await progress(0, monitors.length + jobs.length)
    const others = Object.keys(document).filter(key => !partsOfExport.includes(key))
    return [...monitors.map(convertMonitor), ...jobs.map(convertJob), ...others.map(partLeftOut)]
  },
}

const partsOfExport = ['format', 'version', 'exported_at', 'from', 'monitors', 'jobs']

const partLeftOut = (name: string): SourceItem =>
  leftOut(
    { kind: 'other', sourceId: `part ${name}`, sourceKind: 'part', name },
    partsOfImport.includes(name)
      ? 'This part of the export is imported by `vedette import`.'
      : 'This part of the export is not known here.',
  )

async function documentIn(content: string): Promise<unknown> {
  if (!content.trimStart().startsWith('{')) return readYaml(content)
  try {
    return JSON.parse(content)
  } catch {
    throw new SourceError('The file cannot be read: it is no JSON.')
  }
}

const Known = z.object({ id: text(60).prefault(null), name: text(255).prefault(null), is_enabled: flag.prefault(null) })

/** A record without an id is known by its name. */
function itemOf(found: Record<string, unknown>, sourceKind: string) {
  const { id, name, is_enabled } = Known.parse(found)
  return { sourceId: id ?? `no id ${name}`, sourceKind, name: name ?? 'Unnamed', isEnabled: is_enabled !== false }
}

function convertMonitor(found: Record<string, unknown>): SourceItem {
  const type = text(20).parse(found.type) ?? 'website'
  const item = itemOf(found, type)
  if (type !== 'website' && type !== 'host')
    return leftOut({ kind: 'monitor', ...item }, `Monitors of type ${type} are not carried over: create one here.`)
  const standIns = new StandIns()
  const { regions, ...fields } = ownFields(found, standIns)
  if (texts.parse(regions).length > 0) standIns.add('Its regions are not carried over: all regions check it.')
  const checks = records.parse(found.checks).map(check => ({
    ...check,
    settings: withoutMasks(record.parse(check.settings), standIns),
  }))
  const body = { ...withoutNull(fields), url: text().parse(found.url) ?? '', checks }
  noteUnknown(NewMonitor, body, standIns)
  // a document of others: it is read as a request would be before anything comes of it
  return monitorItem(
    item,
    {
      of: 'monitor',
      body: { ...only(body, exportedOfMonitor), checks: checks.map(check => only(check, exportedOfCheck)) },
    } as unknown as Wanted,
    standIns,
  )
}

function convertJob(found: Record<string, unknown>): SourceItem {
  const standIns = new StandIns()
  standIns.add(newPingAddress)
  const { url, ...fields } = ownFields(found, standIns)
  // a job without a page shows an address of its own, which is none to be sent
  const page = /^https?:/i.test(String(url)) ? { url } : {}
  const body = { ...withoutNull(fields), ...page }
  noteUnknown(NewCronMonitor, body, standIns)
  return monitorItem(
    itemOf(found, 'job'),
    { of: 'cron', body: only(body, exportedOfJob) } as unknown as Wanted,
    standIns,
  )
}

/** The fields of a monitor or job that can be carried over; it is noted what of the others it has. */
function ownFields(found: Record<string, unknown>, standIns: StandIns): Record<string, unknown> {
  const { id: _, is_enabled: __, depends_on, escalation_policy_id, ...fields } = found
  if (texts.parse(depends_on).length > 0) standIns.add('Its dependencies on other monitors are not carried over.')
  if (escalation_policy_id) standIns.add('Its escalation policy is not carried over.')
  return fields
}

/** Of an export that a later version wrote: what a request with this body would drop. */
const noteUnknown = (schema: z.ZodType, body: unknown, standIns: StandIns) =>
  standIns.addNames('It has fields that are not known here', unknownFields(schema, body))

/** A field that is not set is one that is not sent. */
const withoutNull = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** Settings without the secrets that the export shows masked. */
function withoutMasks(settings: Record<string, unknown>, standIns: StandIns): Record<string, unknown> {
  const kept = structuredClone(settings)
  for (const [group, name] of secretPlaces(settings)) {
    const values = record.parse(kept[group])
    if (values[name] !== maskedSecret) continue
    if (group === 'auth') {
      kept.auth = null
      standIns.add('Its sign-in is not part of an export: set it.')
    } else {
      delete values[name]
      kept.headers = values
      standIns.add(`The header ${name} holds a secret, which is not part of an export: set it.`)
    }
  }
  return kept
}
