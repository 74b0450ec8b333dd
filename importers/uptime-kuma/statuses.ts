import { basicClientOf } from '#importers/reads.ts'
import { type ImportedItem, SourceError, type SourceInput, type TheirStatus } from '#importers/source.ts'

/** `monitor_status` of Uptime Kuma: 2 is pending, 3 is maintenance, which is neither. */
const statuses: Readonly<Record<string, TheirStatus['status']>> = { 0: 'down', 1: 'up' }

interface Sample {
  labels: Readonly<Record<string, string>>
  value: number
}

/**
 * The present statuses of an Uptime Kuma, as it exports them to Prometheus. Monitors that are paused are not there.
 * Since 2.1 each sample names the id of its monitor; those of before are found by kind and name, where no other monitor
 * has both.
 */
export async function readStatuses(
  input: SourceInput,
  imported: readonly ImportedItem[],
): Promise<Map<string, TheirStatus>> {
  const text = await basicClientOf(input, signInOf(input.credential)).text('/metrics')
  const states = samplesOf(text, 'monitor_status')
  if (states.length === 0)
    throw new SourceError('Its metrics name no monitor: the address must be that of Uptime Kuma itself.')
  const idOf = identify(imported, states)
  const times = new Map(samplesOf(text, 'monitor_response_time').map(sample => [idOf(sample), sample.value]))
  return new Map(
    states.flatMap(sample => {
      const id = idOf(sample)
      if (id === null) return []
      const ms = times.get(id)
      return [
        [id, { status: statuses[sample.value] ?? 'unknown', response_ms: ms !== undefined && ms >= 0 ? ms : null }],
      ]
    }),
  )
}

/** An API key is a password without a user; without API keys it is the user's own name and password. */
const signInOf = (credential: string | null) =>
  credential === null || credential.includes(':') ? credential : `:${credential}`

function identify(imported: readonly ImportedItem[], states: readonly Sample[]) {
  const sameName = Map.groupBy(imported, ({ sourceKind, name }) => `${sourceKind} ${name}`)
  const samplesOfName = Map.groupBy(states, nameOf)
  return (sample: Sample): string | null => {
    const { monitor_id: id } = sample.labels
    if (id !== undefined) return id
    const [found, ...others] = sameName.get(nameOf(sample)) ?? []
    return found && others.length === 0 && samplesOfName.get(nameOf(sample))?.length === 1 ? found.sourceId : null
  }
}

const nameOf = ({ labels }: Sample) => `${labels.monitor_type} ${labels.monitor_name}`

/**
 * Samples of one metric in the text format of Prometheus. No library of the registry that reads it is kept up, and two
 * metrics of one exporter need only this.
 */
function samplesOf(text: string, metric: string): Sample[] {
  const start = `${metric}{`
  return text.split('\n').flatMap((line): Sample[] => {
    const end = line.lastIndexOf('}')
    if (!line.startsWith(start) || end < 0) return []
    const labels: Record<string, string> = {}
    for (const [, name = '', value = ''] of line.slice(start.length, end).matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    const [value] = line
      .slice(end + 1)
      .trim()
      .split(' ')
    return [{ labels, value: Number(value) }]
  })
}
