import { z } from 'zod'
import { secondsOf } from '#control-plane/monitoring/migrations/sources/durations.ts'
import { fileText } from '#control-plane/monitoring/migrations/sources/file-text.ts'
import { readYaml } from '#control-plane/monitoring/migrations/sources/read-yaml.ts'
import { records } from '#control-plane/monitoring/migrations/sources/reads.ts'
import {
  flag,
  headersOf,
  host,
  leftOut,
  methodOf,
  monitorItem,
  record,
  StandIns,
  site,
  statusesOf,
  text,
  texts,
} from '#control-plane/monitoring/migrations/sources/shapes.ts'
import {
  type Source,
  SourceError,
  type SourceItem,
  type Wanted,
} from '#control-plane/monitoring/migrations/sources/source.ts'

export const blackboxExporter: Source = {
  name: 'blackbox-exporter',
  title: 'Prometheus blackbox_exporter',
  reads: 'file',
  fileFormat:
    'YAML with the scrape configuration of Prometheus (`scrape_configs`) and the modules of the exporter ' +
    '(`modules`): both files joined into one',
  carries: [
    'static targets of scrape jobs with the modules http, tcp, icmp and dns, each target as a monitor',
    'interval, timeout, method, headers, body, statuses, sign-in, redirects, patterns that are plain text',
  ],
  leavesBehind: [
    'targets of service discovery, modules grpc and unix, patterns that are more than plain text',
    'rules and routes of alerts: write them as channels and escalation policies',
    'metrics of the past',
  ],

  async read({ file, progress }) {
    const document = record.parse(await readYaml(fileText(file)))
    const modules = record.parse(document.modules)
    const jobs = records.parse(document.scrape_configs).map(found => ScrapeJob.parse(found))
    if (jobs.length === 0)
      throw new SourceError('The file is no configuration of Prometheus: it has no scrape_configs.')
    const everyS = secondsOf(text(30).parse(record.parse(document.global).scrape_interval))
    const items = jobs.flatMap(job => itemsOf(job, modules, everyS))
    await progress(0, items.length)
    return items
  },
}

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

const Module = z.object({
  prober: text(30).prefault(null),
  timeout: text(30).prefault(null),
  http: record.prefault({}),
  tcp: record.prefault({}),
  dns: record.prefault({}),
})
type Module = z.output<typeof Module>

/** Kinds of service discovery of Prometheus, whose targets only it knows. */
const isDiscovery = (name: string) => /_sd_configs$/.test(name)

function itemsOf(job: ScrapeJob, modules: Record<string, unknown>, globalS: number | null): SourceItem[] {
  const name = job.job_name ?? 'job'
  const isProbe = job.metrics_path === '/probe' || job.params.module !== undefined
  const left = (sourceId: string, reason: string): SourceItem =>
    leftOut({ kind: 'other', sourceId, sourceKind: 'scrape', name }, reason)
  if (!isProbe) return [left(name, 'It scrapes metrics: that is no probe of the exporter.')]
  const moduleName = texts.parse(job.params.module)[0] ?? 'http_2xx'
  const found = modules[moduleName]
  const module = found === undefined ? moduleOfItsName(moduleName) : Module.parse(record.parse(found))
  const intervalS = secondsOf(job.scrape_interval) ?? globalS ?? 60
  const targets = job.static_configs.flatMap(group => texts.parse(group.targets))
  const items = targets.map(target => itemOf({ target, name, moduleName, module, intervalS, job }))
  const discovered = Object.keys(job).some(isDiscovery) || targets.length === 0
  return discovered ? [...items, left(`${name} discovery`, 'Only Prometheus knows the targets of this job.')] : items
}

/** The modules that the exporter comes with, where the file holds only the scrape configuration. */
function moduleOfItsName(name: string): Module | null {
  const [prober] = /^(http|tcp|icmp|dns)/.exec(name) ?? []
  return prober ? Module.parse({ prober }) : null
}

interface Probe {
  target: string
  name: string
  moduleName: string
  module: Module | null
  intervalS: number
  job: ScrapeJob
}

function itemOf({ target, name, moduleName, module, intervalS, job }: Probe): SourceItem {
  const prober = module?.prober ?? 'unknown'
  const item = {
    kind: 'monitor' as const,
    sourceId: `${name} ${target}`,
    sourceKind: prober,
    name: target,
    isEnabled: true,
  }
  if (module === null) return leftOut(item, `The file has no module ${moduleName}.`)
  const standIns = new StandIns()
  const timeoutS = secondsOf(module.timeout) ?? secondsOf(job.scrape_timeout)
  const wanted = wantedOf(
    { target, prober, module, same: { name: target, intervalS, timeoutS, group: name } },
    standIns,
  )
  return typeof wanted === 'string' ? leftOut(item, wanted) : monitorItem(item, wanted, standIns)
}

interface Asked {
  target: string
  prober: string
  module: Module
  same: { name: string; intervalS: number; timeoutS: number | null; group: string }
}

function wantedOf({ target, prober, module, same }: Asked, standIns: StandIns): Wanted | string {
  switch (prober) {
    case 'http': {
      const url = /^https?:\/\//i.test(target) ? target : `http://${target}`
      return site({ ...same, url, settings: httpSettings(module.http, standIns) }, standIns)
    }
    case 'tcp': {
      const [, address = '', port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(target) ?? []
      if (!port) return 'Its port is missing.'
      if (flag.parse(module.tcp.tls) === true)
        return host({ ...same, address, kind: 'ssl', settings: { port: Number(port) } }, standIns)
      if (records.parse(module.tcp.query_response).length > 0)
        standIns.add('What is sent and expected is not carried over: the port must accept connections.')
      return host({ ...same, address, kind: 'tcp', settings: { port: Number(port) } }, standIns)
    }
    case 'icmp':
      return host({ ...same, address: target, kind: 'ping', settings: {} }, standIns)
    case 'dns': {
      // the name server is the target there, and the module names what is asked
      const name = text(253).parse(module.dns.query_name)
      if (name === null) return 'Its module does not say which name is looked up.'
      const server = target.replace(/:\d{1,5}$/, '')
      const isAddress = /^[\d.]+$|^[\da-f:]+$/i.test(server)
      if (!isAddress) standIns.add('The name servers of our regions are asked in place of its own.')
      const type = (text(10).parse(module.dns.query_type) ?? 'A').toUpperCase()
      return host(
        {
          ...same,
          address: name.replace(/\.$/, ''),
          kind: 'dns',
          settings: { record_types: [type === 'ANY' ? 'A' : type], ...(isAddress && { resolvers: [server] }) },
        },
        standIns,
      )
    }
    default:
      return `There is no check for modules of kind ${prober}.`
  }
}

/** A pattern that is a plain text as it stands. */
const plain = (pattern: string) => /^[^\\^$.*+?()[\]{}|]{1,500}$/.test(pattern)

function httpSettings(http: Record<string, unknown>, standIns: StandIns): Record<string, unknown> {
  const statuses = statusesOf(texts.parse(http.valid_status_codes))
  const headers = headersOf(record.parse(http.headers), standIns)
  const body = text(65_536).parse(http.body)
  const auth = record.parse(http.basic_auth)
  const user = text(255).parse(auth.username)
  const password = text(1_024).parse(auth.password)
  if (user && !password) standIns.add('The password stands in another file: set it.')
  const token = text(1_024).parse(http.bearer_token)
  const isFollowing = flag.parse(http.follow_redirects) !== false && flag.parse(http.no_follow_redirects) !== true
  const [present, absent] = [http.fail_if_body_not_matches_regexp, http.fail_if_body_matches_regexp].map(found => {
    const patterns = texts.parse(found)
    const [first] = patterns.filter(plain)
    if (patterns.length > (first ? 1 : 0))
      standIns.add('Of its patterns of the body only one that is plain text is carried over. Add assertions.')
    return first
  })
  return {
    method: methodOf(text(20).parse(http.method), standIns),
    ...(statuses.length > 0 && { expected_status: statuses }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body }),
    ...(!isFollowing && { follow_redirects: false }),
    ...(flag.parse(record.parse(http.tls_config).insecure_skip_verify) === true && { verify_tls: false }),
    ...(user && password && { auth: { type: 'basic', username: user, password } }),
    ...(!user && token && { auth: { type: 'bearer', token } }),
    ...(present && { keyword_present: present }),
    ...(absent && { keyword_absent: absent }),
  }
}
