import { statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { messageOf, StartFault } from '#cli/fault.ts'
import {
  type ExportDocument,
  type Exported,
  type ExportedPart,
  exportedOfBranding,
  exportedOfCheck,
  exportedOfJob,
  exportedOfMonitor,
  exportedParts,
  exportFormat,
  exportVersion,
  maskedSecret,
  only,
} from '#contract/export.ts'
import { type Api, listAll, printable, RefusedRequest } from './api.ts'
import { inOrderOfTurns } from './turns.ts'

const yaml: { dump(document: unknown, options: { lineWidth: number; noRefs: boolean }): string } = createRequire(
  import.meta.url,
)('js-yaml')

export interface Export {
  document: ExportDocument
  /** What the team has and the document has not, each by its name. */
  leftOut: string[]
}

/** What no document holds, of any team. */
const neverExported =
  'members and invitations, tokens, webhooks of a reseller, single sign-on, the mail server, the security policy, ' +
  'ping addresses of jobs, tokens of servers, calendar addresses, web vitals, subscribers and posts of status pages, ' +
  'incidents, results'

/** What the team whose token the API is called with has made. */
export async function exportDocument(api: Api, now = new Date()): Promise<Export> {
  const leftOut: string[] = []
  /** Nothing, where the token may not read it. */
  const readable = async <Found>(what: string, read: () => Promise<Found>): Promise<Found | null> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof RefusedRequest) || error.status !== 403) throw error
      leftOut.push(`${what}: the token may not read them (${error.reason})`)
      return null
    }
  }
  const monitors = (await readable('monitors', () => exportedMonitors(api))) ?? []
  const jobs = (await readable('jobs', () => listAll(api, '/cron-monitors'))) ?? []
  const parts: Record<string, Exported[]> = {}
  for (const part of exportedParts) {
    // read with the part that they belong to
    if (part.of !== undefined && !parts[part.of]) continue
    const found = await readable(`${part.title}s`, () => recordsOf(api, part, parts, now))
    if (found === null) continue
    leftOut.push(...found.over.map(name => `${part.title} ${name}: it is over`))
    if (found.records.length > 0) parts[part.key] = found.records
  }
  const people = await readable('people of schedules and policies', () => peopleIn(api, parts))
  const branding = await readable('branding', () => brandingOf(api))
  const domains = (await readable('custom domains', () => listAll(api, '/custom-domains'))) ?? []
  leftOut.push(...domains.map(({ hostname }) => `custom domain ${hostname}: it leads to one team alone`))
  const document = {
    format: exportFormat,
    version: exportVersion,
    exported_at: now.toISOString(),
    from: api.url,
    monitors,
    jobs: jobs.map(job => only(job, exportedOfJob)),
    ...(people && people.length > 0 && { people }),
    ...(branding && Object.keys(branding).length > 0 && { branding }),
    ...parts,
  } as const
  leftOut.push(...secretsIn(document), neverExported)
  return { document, leftOut }
}

async function exportedMonitors(api: Api): Promise<Exported[]> {
  const monitors: Exported[] = []
  for (const monitor of await listAll(api, '/monitors')) {
    // jobs come with their schedules, servers with their thresholds
    if (monitor.type === 'cron' || monitor.type === 'agent') continue
    const checks = await listAll(api, `/monitors/${monitor.id}/checks`)
    monitors.push({ ...only(monitor, exportedOfMonitor), checks: checks.map(check => only(check, exportedOfCheck)) })
  }
  return monitors
}

/** The records of a part, and the names of those that are over: they cannot be created again. */
async function recordsOf(
  api: Api,
  part: ExportedPart,
  parts: Readonly<Record<string, Exported[]>>,
  now: Date,
): Promise<{ records: Exported[]; over: string[] }> {
  const parents = part.of === undefined ? [{}] : (parts[part.of] ?? [])
  const found: Exported[] = []
  for (const parent of parents) {
    const records = await listAll(api, part.path.replace('{parent}', String(parent.id)))
    found.push(...records.map(record => (part.of === undefined ? record : { ...record, parent: parent.id })))
  }
  const current =
    part.key === 'on_call_schedules'
      ? await Promise.all(found.map(schedule => inOrderOfTurns(api, schedule, now)))
      : found
  const isOver = ({ state, ends_at }: Exported) =>
    (part.key === 'maintenance_windows' && (state === 'completed' || state === 'cancelled')) ||
    (part.key === 'on_call_overrides' && Date.parse(String(ends_at)) <= now.getTime())
  return {
    records: current.filter(record => !isOver(record)).map(record => sendable(part, record)),
    over: found.filter(isOver).map(record => String(record[part.named])),
  }
}

/** The fields of a record that a request can send, with its id and that of its parent. */
function sendable(part: ExportedPart, record: Exported): Exported {
  const fields = only({ ...record, ...(record.has_password === true && { password: maskedSecret }) }, part.fields)
  // rotations and steps are created with what they belong to
  const inner = ['rotations', 'steps'].flatMap(name => {
    const list = fields[name]
    return Array.isArray(list) ? [[name, list.map(({ id: _, ...each }: Exported) => each)]] : []
  })
  return { ...only(record, ['id', 'parent']), ...fields, ...Object.fromEntries(inner) }
}

/** The people whom schedules, overrides and policies name. */
async function peopleIn(api: Api, parts: Readonly<Record<string, Exported[]>>): Promise<ExportDocument['people']> {
  const named = JSON.stringify([parts.on_call_schedules, parts.on_call_overrides, parts.escalation_policies])
  if (!parts.on_call_schedules && !parts.escalation_policies) return []
  return (await listAll(api, '/members')).flatMap(({ id, name, email }) =>
    named.includes(String(id)) ? [{ id: String(id), name: String(name), email: String(email) }] : [],
  )
}

async function brandingOf(api: Api): Promise<Exported> {
  const { body } = await api.call('GET', '/branding')
  return Object.fromEntries(Object.entries(only(body.data, exportedOfBranding)).filter(([, value]) => value !== null))
}

/** Each secret by the record and the field that it belongs to. */
function secretsIn(document: Exported): string[] {
  return Object.entries(document).flatMap(([key, records]) =>
    Array.isArray(records)
      ? records.flatMap((record: Exported) =>
          maskedFields(record).map(field => `${key} ${nameOf(record)}: ${field} is a secret`),
        )
      : [],
  )
}

const nameOf = (record: Exported) => String(record.name ?? record.title ?? record.id)

/** Paths of the fields in which a secret is masked. */
export function maskedFields(value: unknown, place = ''): string[] {
  if (value === maskedSecret) return [place]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => maskedFields(inner, place === '' ? name : `${place}.${name}`))
}

/** Writes the export to a file, readable by its owner alone, or prints it. What it has not is named beside. */
export async function exportTo(
  api: Api,
  { format, output }: { format: 'json' | 'yaml'; output: string | null },
  print: (line: string) => void = line => (output === null ? console.error(line) : console.log(line)),
): Promise<void> {
  if (output !== null) refuseFolder(output)
  const { document, leftOut } = await exportDocument(api)
  const text =
    format === 'yaml'
      ? yaml.dump(document, { lineWidth: 120, noRefs: true })
      : `${JSON.stringify(document, undefined, 2)}\n`
  if (output === null) process.stdout.write(text)
  else write(output, text)
  const counts = [
    `${document.monitors.length} monitors`,
    `${document.jobs.length} jobs`,
    ...exportedParts.flatMap(({ key, title }) => {
      const records = document[key]
      return Array.isArray(records) ? [`${records.length} ${title}${records.length === 1 ? '' : 's'}`] : []
    }),
  ]
  print(`${counts.join(', ')} are in ${output ?? 'the export'}`)
  for (const line of leftOut) print(`left out: ${printable(line)}`)
}

/** Before anything is asked: a file that cannot be written is known in advance. */
function refuseFolder(output: string): void {
  const folder = dirname(output)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  const why = found ? `${folder} is a file, not a folder.` : `There is no folder ${folder}.`
  throw new StartFault('config', `the file ${output} cannot be written`, why, `mkdir -p ${folder}`)
}

function write(output: string, text: string): void {
  try {
    writeFileSync(output, text, { mode: 0o600 })
  } catch (error) {
    throw new StartFault(
      'config',
      `the file ${output} cannot be written`,
      messageOf(error),
      'vedette export --output FILE      with a file in a folder that you may write to',
    )
  }
}
