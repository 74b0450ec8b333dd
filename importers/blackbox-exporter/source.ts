import { z } from 'zod'
import { secondsOf } from '#importers/durations.ts'
import { fileText } from '#importers/file-text.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import { readYaml } from '#importers/read-yaml.ts'
import { leftOut, monitorItem, record, records, StandIns, text, texts } from '#importers/shapes.ts'
import { type Source, SourceError, type SourceItem } from '#importers/source.ts'
import { moduleNamed, noteModule, wantedOf } from './modules.ts'
import { type Labels, relabel } from './relabel.ts'

export const blackboxExporter: Source = {
  name: 'blackbox-exporter',
  title: 'Prometheus blackbox_exporter',
  reads: 'file',
  fileFormat:
    'YAML with the scrape configuration of Prometheus (`scrape_configs`) and the modules of the exporter ' +
    '(`modules`): both files joined into one',
  carries: [
    'static targets of scrape jobs with the modules http, tcp, icmp and dns, each target as a monitor, its labels as ' +
      'tags; modules and targets that relabelling chooses',
    'interval, timeout, method, headers, body, statuses, sign-in, redirects, protocol, patterns that are plain text',
  ],
  leavesBehind: [
    'targets of service discovery, modules grpc and unix, patterns that are more than plain text',
    'rules and routes of alerts: write them as channels and escalation policies',
    'metrics of the past',
  ],

  async read({ file, progress }) {
    const document = record.parse(readYaml(fileText(file)))
    const jobs = records.parse(document.scrape_configs)
    if (jobs.length === 0)
      throw new SourceError('The file is no configuration of Prometheus: it has no scrape_configs.')
    const global = record.parse(document.global)
    const around = {
      modules: record.parse(document.modules),
      everyS: secondsOf(text(30).parse(global.scrape_interval)),
      within: secondsOf(text(30).parse(global.scrape_timeout)),
    }
    const items = [...jobs.flatMap(found => itemsOf(found, around)), ...leftOf(document)]
    await progress(0, items.length)
    return items
  },
}

/** What stands beside the jobs; what only concerns Prometheus itself has no meaning here. */
const beside: Keys = {
  read: ['scrape_configs', 'modules', 'global'],
  meaningless: ['storage', 'tracing', 'otlp', 'runtime'],
  left: {
    scrape_config_files: 'Jobs in other files are not read: join those files to this one.',
    rule_files: 'Rules of alerts are not carried over: write them as channels and escalation policies.',
    alerting: 'Alertmanagers are not carried over: write their routes as channels and escalation policies.',
    remote_write: 'Results are not sent on by remote write.',
    remote_read: 'Metrics of the past are not carried over.',
  },
}

const leftOf = (document: Record<string, unknown>): SourceItem[] =>
  Object.entries(document).flatMap(([key, value]) => {
    if (beside.read.includes(key) || beside.meaningless?.includes(key) || value === null) return []
    const reason = (Object.hasOwn(beside.left ?? {}, key) && beside.left?.[key]) || 'It is not known here.'
    return [leftOut({ kind: 'other', sourceId: `key ${key}`, sourceKind: key, name: key }, reason)]
  })

const ScrapeJob = z.object({
  job_name: text(255).prefault(null),
  metrics_path: text(255).prefault(null),
  scrape_interval: text(30).prefault(null),
  scrape_timeout: text(30).prefault(null),
  params: record.prefault({}),
  static_configs: records.prefault([]),
  relabel_configs: records.prefault([]),
})
type ScrapeJob = z.output<typeof ScrapeJob>

/** Kinds of service discovery of Prometheus, whose targets only it knows. */
const isDiscovery = (name: string) => /_sd_configs$/.test(name)

/** How Prometheus reaches the exporter, and what it keeps of its answers. */
const aboutScraping = [
  ...['scheme', 'authorization', 'basic_auth', 'bearer_token', 'bearer_token_file', 'oauth2', 'tls_config'],
  ...['proxy_url', 'no_proxy', 'proxy_from_environment', 'proxy_connect_header', 'follow_redirects', 'enable_http2'],
  ...['http_headers', 'enable_compression', 'honor_labels', 'honor_timestamps', 'metric_relabel_configs'],
  ...['track_timestamps_staleness', 'scrape_protocols', 'fallback_scrape_protocol', 'scrape_native_histograms'],
  ...['scrape_classic_histograms', 'always_scrape_classic_histograms', 'convert_classic_histograms_to_nhcb'],
  ...['scrape_failure_log_file', 'sample_limit', 'target_limit', 'label_limit', 'label_name_length_limit'],
  ...['label_value_length_limit', 'body_size_limit', 'keep_dropped_targets', 'native_histogram_bucket_limit'],
  ...['native_histogram_min_bucket_factor', 'metric_name_validation_scheme', 'metric_name_escaping_scheme'],
]
const jobKeys: Keys = { read: Object.keys(ScrapeJob.shape), meaningless: aboutScraping }

interface Around {
  modules: Record<string, unknown>
  everyS: number | null
  within: number | null
}

/** Of Prometheus, where neither the job nor the file says another. */
const defaultIntervalS = 60
const defaultTimeoutS = 10

function itemsOf(found: Record<string, unknown>, around: Around): SourceItem[] {
  const job = ScrapeJob.parse(found)
  const name = job.job_name ?? 'job'
  const left = (sourceId: string, reason: string): SourceItem =>
    leftOut({ kind: 'other', sourceId, sourceKind: 'scrape', name }, reason)
  const isProbe = job.metrics_path === '/probe' || job.params.module !== undefined
  if (!isProbe) return [left(name, 'It scrapes metrics: that is no probe of the exporter.')]
  const targets = job.static_configs.flatMap(group =>
    texts.parse(group.targets).map(target => ({ target, labels: record.parse(group.labels), group })),
  )
  const known = new Set<string>()
  const items = targets.map(({ target, labels, group }) => {
    const item = itemOf({ target, labels, group, job, found, name, around })
    const sourceId = known.has(item.sourceId) ? `${item.sourceId} ${known.size}` : item.sourceId
    known.add(sourceId)
    return { ...item, sourceId }
  })
  const discovered = Object.keys(found).some(isDiscovery) || targets.length === 0
  return discovered ? [...items, left(`${name} discovery`, 'Only Prometheus knows the targets of this job.')] : items
}

interface Probe {
  target: string
  labels: Record<string, unknown>
  group: Record<string, unknown>
  job: ScrapeJob
  found: Record<string, unknown>
  name: string
  around: Around
}

function itemOf({ target: address, labels, group, job, found, name, around }: Probe): SourceItem {
  const standIns = new StandIns()
  const { labels: relabelled, unread } = relabel(labelsOf(job, name, address, labels), job.relabel_configs)
  const target = relabelled?.__param_target ?? address
  const moduleName = relabelled?.__param_module || 'http_2xx'
  const chosen = moduleNamed(moduleName, around.modules)
  const item = {
    kind: 'monitor' as const,
    sourceId: `${name} ${target}`,
    sourceKind: chosen?.module.prober ?? 'unknown',
    name: target,
    isEnabled: true,
  }
  if (relabelled === null) return leftOut(item, 'The relabelling of its job drops it.')
  if (chosen === null) return leftOut(item, `The file has no module ${moduleName}.`)
  const scrapeS = secondsOf(job.scrape_timeout) ?? around.within ?? defaultTimeoutS
  const timeoutS = Math.min(secondsOf(chosen.module.timeout) || Infinity, scrapeS)
  const same = {
    name: target,
    intervalS: secondsOf(job.scrape_interval) ?? around.everyS ?? defaultIntervalS,
    timeoutS,
    group: name,
    tags: tagsIn(labels),
  }
  const wanted = wantedOf({ target, module: chosen.module, same }, standIns)
  if (chosen.note) standIns.add(chosen.note)
  standIns.addNames('Rules of its relabelling are not understood, compare its address', unread)
  noteModule(around.modules[moduleName], standIns)
  noteKeys(job.params, { read: ['module', 'target'], meaningless: ['debug'] }, standIns, { within: 'params.' })
  noteKeys(Object.fromEntries(Object.entries(found).filter(([key]) => !isDiscovery(key))), jobKeys, standIns)
  noteKeys(group, { read: ['targets', 'labels'] }, standIns, { within: 'static_configs.' })
  return typeof wanted === 'string' ? leftOut(item, wanted) : monitorItem(item, wanted, standIns)
}

/** The labels of a target before relabelling. */
function labelsOf(job: ScrapeJob, name: string, address: string, labels: Record<string, unknown>): Labels {
  const params = Object.entries(job.params).flatMap(([param, values]) => {
    const [first] = texts.parse(Array.isArray(values) ? values : [values])
    return first === undefined ? [] : [[`__param_${param}`, first]]
  })
  const own = Object.entries(labels).map(([label, value]) => [label, text(500).parse(value) ?? ''])
  return {
    job: name,
    __metrics_path__: job.metrics_path ?? '',
    ...Object.fromEntries(params),
    ...Object.fromEntries(own),
    __address__: address,
  }
}

/** Labels as tags; those that choose the module say nothing more. */
const tagsIn = (labels: Record<string, unknown>): string[] =>
  Object.entries(labels).flatMap(([label, value]) => {
    const plain = text(100).parse(value)
    return label.startsWith('__') || label === 'module' || !plain ? [] : [`${label}=${plain}`]
  })
