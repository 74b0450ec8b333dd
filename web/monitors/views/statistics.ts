import { useSuspenseQuery } from '@tanstack/react-query'
import { api, bodyOf } from '../../api.ts'
import type { Check } from '../queries.ts'

type Of = Pick<Check, 'id' | 'monitor_id'>

const of = ({ id, monitor_id: monitor }: Of) => ({ params: { path: { monitor }, query: { check: id } } })

/** The statistic of each kind that has one: the newest result of each region, and what changed. */
const readers = {
  ssl: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/certificate', of(check))),
  dns: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/dns-history', of(check))),
  ping: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/ping', of(check))),
  tcp: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/tcp', of(check))),
  application_health: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/health', of(check))),
  redirect_chain: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/redirect-chain', of(check))),
  robots_txt: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/robots-txt', of(check))),
  security_headers: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/security-headers', of(check))),
  domain_expiry: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/domain-expiry', of(check))),
  dnsbl: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/dnsbl', of(check))),
  sitemap: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/sitemap', of(check))),
  lighthouse: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/lighthouse', of(check))),
  broken_links: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/broken-links', of(check))),
  mixed_content: (check: Of) => bodyOf(api.GET('/api/v1/monitors/{monitor}/mixed-content', of(check))),
}

export type StatisticKind = keyof typeof readers
type Statistic<Kind extends StatisticKind> = Awaited<ReturnType<(typeof readers)[Kind]>>['data']
type Region<Kind extends StatisticKind> = Statistic<Kind>['regions'][number]
export type Latest<Kind extends StatisticKind> = NonNullable<Region<Kind>['latest']>

const pollMs = 30_000

/** The statistic of a check, and of its regions those that have measured, the newest first. */
export function useStatistic<Kind extends StatisticKind>(kind: Kind, check: Of) {
  const { data } = useSuspenseQuery({
    queryKey: ['check', check.id, 'statistic', kind],
    queryFn: async () => (await readers[kind](check)).data as Statistic<Kind>,
    refetchInterval: pollMs,
  })
  const measured = data.regions
    .flatMap(({ region, at, latest }) => (latest === null ? [] : [{ region, at, latest: latest as Latest<Kind> }]))
    .toSorted((a, b) => b.at.localeCompare(a.at))
  return { statistic: data, measured }
}
