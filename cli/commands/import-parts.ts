import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import {
  type ExportDocument,
  type Exported,
  type ExportedPart,
  exportedLinks,
  exportedParts,
  exportFormat,
  exportVersion,
  only,
  partsOfImport,
} from '#contract/export.ts'
import { type Api, listAll, printable, RefusedRequest } from './api.ts'
import { maskedFields } from './export.ts'

const yaml: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml')

/** What of an export a migration imports, and the document with the other parts. */
export interface Divided {
  forMigration: Buffer | null
  document: ExportDocument
}

/** null: it is no export of this version. The migration then says what is wrong with it. */
export function divide(content: Buffer): Divided | null {
  const document = parsed(content.toString('utf8'))
  if (document?.format !== exportFormat || document.version !== exportVersion) return null
  const own = Object.fromEntries(Object.entries(document).filter(([key]) => !partsOfImport.includes(key)))
  const [monitors, jobs] = [recordsIn(document, 'monitors'), recordsIn(document, 'jobs')]
  const isEmpty = monitors.length + jobs.length === 0 && Object.keys(own).length < Object.keys(document).length
  // links are set once everything is here
  const unlinked = (records: Exported[]) =>
    records.map(record =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !exportedLinks.some(link => link === name))),
    )
  return {
    forMigration: isEmpty
      ? null
      : Buffer.from(JSON.stringify({ ...own, monitors: unlinked(monitors), jobs: unlinked(jobs) })),
    document: document as unknown as ExportDocument,
  }
}

function parsed(text: string): Exported | null {
  try {
    const document: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : yaml.load(text)
    return isRecord(document) ? document : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Exported =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordsIn = (document: Exported, key: string): Exported[] => {
  const found = document[key]
  return Array.isArray(found) ? found.filter(isRecord) : []
}

interface How {
  isApplied: boolean
  print: (line: string) => void
  /** Ids of monitors and jobs here, by those of the export; null: of one that is to be created. */
  monitors: ReadonlyMap<string, string | null>
}

/** How many records were created, or would be; were here already; were refused by the API; were not tried. */
export interface PartsImported {
  created: number
  here: number
  failed: number
  leftOut: number
}

/**
 * Creates the records of an export that a migration does not, each by the request that creates it otherwise. One that
 * is here by its name stays as it is, so an import can be repeated. One that is not created is named with its reason.
 */
export async function importParts(api: Api, document: ExportDocument, how: How): Promise<PartsImported> {
  const ids = new Map([...how.monitors, ...(await peopleHere(api, document))])
  const names = namesIn(document)
  const counts = { created: 0, here: 0, failed: 0, leftOut: 0 }
  const say = (action: string, part: string, name: string, reason: string | null) =>
    how.print(printable(`${action.padEnd(8)} ${part.padEnd(12)} ${name}${reason === null ? '' : `: ${reason}`}`))
  for (const part of exportedParts) {
    const existing = new Existing(api, part)
    for (const record of recordsIn(document, part.key)) {
      const outcome = await create(api, part, record, { ids, names, existing, isApplied: how.isApplied })
      if (outcome.id !== undefined) ids.set(String(record.id), outcome.id)
      if (outcome.action === 'create') counts.created++
      if (outcome.action === 'failed') counts.failed++
      if (outcome.action === 'skip') counts[outcome.id === undefined ? 'leftOut' : 'here']++
      const isDone = how.isApplied && outcome.action === 'create'
      say(isDone ? 'created' : outcome.action, part.title, names.get(String(record.id)) ?? 'Unnamed', outcome.reason)
    }
  }
  const refused = how.isApplied
    ? [...(await linkMonitors(api, document, { ids, names })), ...(await linkPolicies(api, document, { ids, names }))]
    : []
  const branding = await setBranding(api, document, how.isApplied)
  if (branding.fields.length > 0)
    say(how.isApplied ? 'updated' : 'update', 'branding', branding.fields.join(', '), null)
  for (const { title, name, reason } of [...refused, ...branding.refused]) {
    counts.failed++
    say('failed', title, name, reason)
  }
  return counts
}

interface Here {
  /** Ids of records here, by those of the export; null: of one that is to be created. */
  ids: ReadonlyMap<string, string | null>
  /** What each record of the export is called. */
  names: ReadonlyMap<string, string>
}

interface Outcome {
  action: 'create' | 'skip' | 'failed'
  reason: string | null
  /** undefined: there is none here. null: it is to be created. */
  id?: string | null
}

async function create(
  api: Api,
  part: ExportedPart,
  record: Exported,
  { ids, names, existing, isApplied }: Here & { existing: Existing; isApplied: boolean },
): Promise<Outcome> {
  const parent = part.of === undefined ? '' : ids.get(String(record.parent))
  const { body, missing } = withIdsHere(bodyOf(part, record), part.refs, { ids, names })
  if (parent === undefined) missing.push(names.get(String(record.parent)) ?? String(record.parent))
  if (missing.length > 0) return { action: 'skip', reason: `It needs ${missing.join(', ')}, which is not here.` }
  try {
    const known = typeof parent === 'string' ? await existing.take(parent, record, body) : undefined
    if (known !== undefined) return { action: 'skip', reason: 'It is here already.', id: known }
    const masked = maskedFields(body)
    if (masked.length > 0)
      return {
        action: 'skip',
        reason: `${masked.join(', ')}: a secret, which no export holds: write it into the file for the asterisks.`,
      }
    if (!isApplied) return { action: 'create', reason: null, id: null }
    const { made, reason } = await post(api, part.path.replace('{parent}', String(parent)), body)
    return { action: 'create', reason: part.key === 'servers' ? 'Its agent needs a new token.' : reason, id: made }
  } catch (error) {
    if (error instanceof RefusedRequest) return { action: 'failed', reason: reasonOf(error) }
    throw error
  }
}

/** An address of a status page that another team has gets a number. */
async function post(api: Api, path: string, body: Exported): Promise<{ made: string; reason: string | null }> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? body.slug : `${body.slug}-${number}`
    try {
      const { body: answer } = await api.call('POST', path, { ...body, ...(slug !== undefined && { slug }) })
      return { made: answer.data.id, reason: number === 1 ? null : `Its address was taken: it is ${slug}.` }
    } catch (error) {
      const isTaken = error instanceof RefusedRequest && Object.keys(error.errors).join() === 'slug'
      if (!isTaken || body.slug === undefined || number === 9) throw error
    }
  }
}

/** What a request sends for a record: links to what comes after it are set at the end. */
function bodyOf(part: ExportedPart, record: Exported): Exported {
  const body = only(record, part.fields)
  switch (part.key) {
    case 'servers':
      return Object.fromEntries(Object.entries(body).filter(([name]) => !exportedLinks.some(link => link === name)))
    case 'notification_channels':
      // its rules are records of their own
      return { ...body, notify_all: false }
    case 'escalation_policies':
      return { ...body, fallback_policy_id: null, steps: recordsIn(body, 'steps').map(step => stepOf(step)) }
    default:
      return body
  }
}

/** Only a schedule has a position. */
const stepOf = (step: Exported): Exported => ({
  ...step,
  targets: recordsIn(step, 'targets').map(({ position, ...target }) => ({
    ...target,
    ...(typeof position === 'string' && { position }),
  })),
})

/** The same with the ids here, where a field of `refs` names a record of the export. */
function withIdsHere(body: Exported, refs: readonly string[], { ids, names }: Here) {
  const missing: string[] = []
  const idHere = (id: string): string => {
    if (names.has(id) && !ids.has(id)) missing.push(names.get(id)!)
    return ids.get(id) ?? id
  }
  const walk = (value: unknown, isRef: boolean): unknown => {
    if (typeof value === 'string') return isRef ? idHere(value) : value
    if (Array.isArray(value)) return value.map(inner => walk(inner, isRef))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, refs.includes(name))]))
  }
  return { body: walk(body, false) as Exported, missing }
}

/** The records of a part that are here; each stands for one of the export. */
class Existing {
  readonly #api: Api
  readonly #part: ExportedPart
  readonly #lists = new Map<string, Exported[]>()

  constructor(api: Api, part: ExportedPart) {
    this.#api = api
    this.#part = part
  }

  /** The id of the one that a record of the export is: by its name, or by all it says if it has none. */
  async take(parent: string, record: Exported, body: Exported): Promise<string | undefined> {
    const { path, named, fields } = this.#part
    const list = this.#lists.get(parent) ?? (await listAll(this.#api, path.replace('{parent}', parent)))
    const found = list.find(each =>
      named === 'name' || named === 'title'
        ? each[named] === record[named]
        : isDeepStrictEqual(only(each, fields), only(body, fields)),
    )
    this.#lists.set(
      parent,
      list.filter(each => each !== found),
    )
    return found && String(found.id)
  }
}

/** Members of the team by the addresses that the export names. */
async function peopleHere(api: Api, { people = [] }: ExportDocument): Promise<Map<string, string>> {
  if (people.length === 0) return new Map()
  const members = await listAll(api, '/members')
  return new Map(
    people.flatMap(({ id, email }) =>
      members.filter(member => member.email === email).map((member): [string, string] => [id, String(member.id)]),
    ),
  )
}

function namesIn(document: ExportDocument): Map<string, string> {
  const names = new Map<string, string>()
  for (const { id, name, email } of document.people ?? []) names.set(id, `the member ${name} (${email})`)
  for (const record of [...document.monitors, ...document.jobs]) names.set(String(record.id), String(record.name))
  for (const part of exportedParts)
    for (const record of recordsIn(document, part.key)) {
      const own = String(record[part.named])
      const of = names.get(String(part.key === 'notification_rules' ? record.channel_id : record.parent))
      names.set(String(record.id), of === undefined ? own : `${of}, ${own}`)
    }
  return names
}

interface Unlinked {
  title: string
  name: string
  reason: string
}

/** Sets dependencies, policies and regions of monitors, jobs and servers that have none here. */
async function linkMonitors(api: Api, document: ExportDocument, here: Here): Promise<Unlinked[]> {
  const records = [...document.monitors, ...document.jobs, ...recordsIn(document, 'servers')].filter(isRecord)
  const linked = records.filter(record => exportedLinks.some(link => isSet(record[link])))
  if (linked.length === 0) return []
  const regions = linked.some(record => isSet(record.regions))
    ? (await listAll(api, '/regions')).map(({ name }) => String(name))
    : []
  const unlinked: Unlinked[] = []
  for (const record of linked) {
    const id = here.ids.get(String(record.id))
    if (typeof id !== 'string') continue
    const refuse = (reason: string) => unlinked.push({ title: 'monitor', name: String(record.name), reason })
    try {
      const { body: now } = await api.call('GET', `/monitors/${id}`)
      const wanted = only(
        record,
        exportedLinks.filter(link => isSet(record[link]) && !isSet(now.data[link])),
      )
      const { body, missing } = withIdsHere(wanted, exportedLinks, here)
      const unknown = Array.isArray(body.regions) ? body.regions.filter(name => !regions.includes(String(name))) : []
      if (missing.length + unknown.length > 0)
        refuse(`Its links are not set: it names ${[...missing, ...unknown].join(', ')}, which is not here.`)
      else if (Object.keys(body).length > 0) await api.call('PATCH', `/monitors/${id}`, body)
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error
      refuse(reasonOf(error))
    }
  }
  return unlinked
}

const isSet = (link: unknown) => (Array.isArray(link) ? link.length > 0 : typeof link === 'string')

/** A policy that goes on after another may come before it. */
async function linkPolicies(api: Api, document: ExportDocument, { ids, names }: Here): Promise<Unlinked[]> {
  const unlinked: Unlinked[] = []
  for (const { id, name, fallback_policy_id } of recordsIn(document, 'escalation_policies')) {
    const own = ids.get(String(id))
    if (typeof own !== 'string' || typeof fallback_policy_id !== 'string') continue
    const fallback = ids.get(fallback_policy_id)
    const refuse = (reason: string) => unlinked.push({ title: 'policy', name: String(name), reason })
    if (typeof fallback !== 'string') {
      refuse(`Its fallback ${names.get(fallback_policy_id) ?? fallback_policy_id} is not here.`)
      continue
    }
    try {
      const { body } = await api.call('GET', `/escalation-policies/${own}`)
      if (body.data.fallback_policy_id === null)
        await api.call('PATCH', `/escalation-policies/${own}`, { fallback_policy_id: fallback })
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error
      refuse(reasonOf(error))
    }
  }
  return unlinked
}

/** Sets of the branding what the team has not set. Returns these fields. */
async function setBranding(
  api: Api,
  { branding }: ExportDocument,
  isApplied: boolean,
): Promise<{ fields: string[]; refused: Unlinked[] }> {
  if (!branding) return { fields: [], refused: [] }
  try {
    const { body } = await api.call('GET', '/branding')
    const wanted = Object.fromEntries(Object.entries(branding).filter(([field]) => body.data[field] === null))
    const fields = Object.keys(wanted)
    if (isApplied && fields.length > 0) await api.call('PATCH', '/branding', wanted)
    return { fields, refused: [] }
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error
    return { fields: [], refused: [{ title: 'branding', name: 'of the team', reason: reasonOf(error) }] }
  }
}

const reasonOf = ({ reason, errors }: RefusedRequest): string => {
  const fields = Object.entries(errors).map(([field, found]) => `${field}: ${found.join(' ')}`)
  return fields.length > 0 ? fields.join(' ') : reason
}
