import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { exitCodes, messageOf, StartFault } from '#cli/fault.ts'
import { exportFormat } from '#contract/export.ts'
import { type Api, listAll, printable, secretFrom } from './api.ts'
import { divide, importParts } from './import-parts.ts'

export interface Wanted {
  file?: string
  source?: string
  account?: string
  baseUrl?: string
  keyFile?: string
  pingKeyFile?: string
  /** false: only the plan is shown, and nothing is written. */
  isApplied: boolean
}

interface How {
  env: NodeJS.ProcessEnv
  print?: (line: string) => void
  everyMs?: number
}

/** Shows what would become of each record of a source, and imports it if it is wanted. Returns the exit code. */
export async function importFrom(
  api: Api,
  wanted: Wanted,
  { env, print = line => console.log(line), everyMs = 500 }: How,
): Promise<number> {
  const { file, source, isApplied } = wanted
  const content = file === undefined ? null : contentOf(file)
  const provider = source ?? (content && providerOf(content, file ?? ''))
  if (!provider)
    throw new StartFault(
      'config',
      'the source is not known',
      file === undefined ? 'Name a file, or a provider with --source.' : `Nothing in ${file} says what it is.`,
      'vedette import --help',
    )
  const divided = provider === 'vedette' && content ? divide(content) : null
  const monitors = new Map<string, string | null>()
  let failures = 0
  if (!divided || divided.forMigration) {
    const migrated = await migrate(
      api,
      { ...wanted, provider, content: divided ? divided.forMigration : content },
      { env, print, everyMs },
    )
    if (migrated === null) return exitCodes.failed
    failures += migrated.failed
    for (const [id, here] of migrated.monitors) monitors.set(id, here)
  }
  if (divided) {
    const { created, here, failed, leftOut } = await importParts(api, divided.document, { isApplied, print, monitors })
    failures += failed
    const done = isApplied ? 'created' : 'to create'
    if (created + here + failed + leftOut > 0)
      print(`Other records: ${created} ${done}, ${here} here already, ${failed} failed, ${leftOut} left out`)
  }
  if (!isApplied) print('Nothing was written. Import it with --apply.')
  return failures > 0 ? exitCodes.failed : 0
}

interface Migrated {
  failed: number
  /** Ids of monitors and jobs here, by those of the source; null: of one that is to be created. */
  monitors: Map<string, string | null>
}

/** Previews a migration, and imports what it found if it is wanted. null: the source cannot be read. */
async function migrate(
  api: Api,
  wanted: Wanted & { provider: string; content: Buffer | null },
  { env, print, everyMs }: Required<How>,
): Promise<Migrated | null> {
  const { provider, account = '', baseUrl, content, isApplied } = wanted
  const key = secretFrom(env, 'SOURCE_KEY', wanted.keyFile)
  const pingKey = secretFrom(env, 'SOURCE_PING_KEY', wanted.pingKeyFile)
  const { body } = await api.call('POST', '/migrations', {
    provider,
    account,
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(key !== undefined && { api_key: key }),
    ...(pingKey !== undefined && { ping_key: pingKey }),
  })
  const { id } = body.data
  const until = (states: readonly string[]) => settled(api, id, { states, everyMs })
  try {
    if (content) await api.upload(`/migrations/${id}/file`, content)
    const previewed = await until(['previewed', 'failed'])
    if (previewed.state === 'failed') return failed(print, previewed.failure)
    const items = await listAll(api, `/migrations/${id}/items`)
    for (const line of planOf(items)) print(line)
    for (const note of previewed.notes) print(printable(note))
    const { create, update, skip } = previewed.counts
    print(`${create} to create, ${update} to update, ${skip} left out`)
    if (!isApplied) {
      await api.call('POST', `/migrations/${id}/cancel`, {})
      return { failed: 0, monitors: monitorsOf(items) }
    }
  } catch (error) {
    // what is left of it would count as one that is under way
    await api.call('POST', `/migrations/${id}/cancel`, {}).catch(() => undefined)
    throw error
  }
  await api.call('POST', `/migrations/${id}/import`, {})
  const imported = await until(['imported', 'failed'])
  if (imported.state === 'failed') return failed(print, imported.failure)
  const { created, updated, failed: refused } = imported.counts
  print(`${created} created, ${updated} updated, ${refused} failed`)
  const items = await listAll(api, `/migrations/${id}/items`)
  for (const item of items) if (item.state === 'failed') print(`failed   ${printable(`${item.name}: ${item.failure}`)}`)
  print(`They are disabled until the shadow of migration ${id} begins.`)
  return { failed: refused, monitors: monitorsOf(items) }
}

const monitorsOf = (items: readonly Record<string, unknown>[]) =>
  new Map(
    items.flatMap(({ source_id, monitor_id, action, state }): [string, string | null][] => {
      if (typeof monitor_id === 'string') return [[String(source_id), monitor_id]]
      return action === 'create' && state === 'pending' ? [[String(source_id), null]] : []
    }),
  )

function failed(print: (line: string) => void, why: string | null): null {
  print(`The source cannot be read: ${printable(why ?? '')}`)
  return null
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartFault('config', `the file ${file} cannot be read`, messageOf(error))
  }
}

/** The source whose file this is, by its beginning or its name; null: unknown. */
export function providerOf(content: Buffer, name: string): string | null {
  if (content.subarray(0, 15).toString('latin1') === 'SQLite format 3') return 'uptime-kuma'
  if (/\.csv$/i.test(name)) return 'csv'
  const text = content.subarray(0, 1_048_576).toString('utf8')
  if (text.includes(exportFormat)) return 'vedette'
  if (/^(endpoints|external-endpoints|services):/m.test(text)) return 'gatus'
  return /^(scrape_configs|modules):/m.test(text) ? 'blackbox-exporter' : null
}

interface Seen {
  state: string
  failure: string | null
  notes: string[]
  counts: Record<'create' | 'update' | 'skip' | 'created' | 'updated' | 'failed', number>
}

async function settled(
  api: Api,
  id: string,
  { states, everyMs }: { states: readonly string[]; everyMs: number },
): Promise<Seen> {
  for (;;) {
    const { body } = await api.call('GET', `/migrations/${id}`)
    if (states.includes(body.data.state)) return body.data
    await pause(everyMs)
  }
}

/** A line for each record, with what stands in for what cannot be carried over. */
const planOf = (items: readonly Record<string, unknown>[]): string[] =>
  items.flatMap(item => [
    printable(
      `${String(item.action).padEnd(8)} ${String(item.source_kind).padEnd(12)} ${item.name}${
        item.action === 'create' ? '' : `: ${item.reason}`
      }`,
    ),
    ...(item.stand_ins as string[]).map(note => `           ${printable(note)}`),
  ])
