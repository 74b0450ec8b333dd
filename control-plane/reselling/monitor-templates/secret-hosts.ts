import { getDomain } from 'tldts'
import { z } from 'zod'
import { type Settings, takeSecrets } from '#control-plane/engine/assignments/settings-secrets.ts'
import { holdsPlaceholder } from './placeholders.ts'

const name = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** `*.` matches every name below a registered domain. Below a public suffix it is refused. */
const isHost = (text: string) => name.test(text) && (!text.startsWith('*.') || getDomain(text.slice(2)) !== null)

export const SecretHosts = z
  .array(
    z
      .string()
      .max(253)
      .toLowerCase()
      .refine(isHost, 'Must be a host such as example.com, or *.example.com for all below it.'),
  )
  .max(50)
  .default([])
  .meta({
    description:
      'Needed where a placeholder decides the host and the checks have secrets: these are sent to the hosts ' +
      'named here only, by https unless the template says http, to the usual port. A stored secret is kept as ' +
      'long as no host is added.',
  })

interface Templated {
  checks: readonly { settings: Settings }[]
}
interface Bound {
  url_template: string | null
  secret_hosts?: readonly string[] | undefined
}

const authorityOf = (text: string) => /^(https?):\/\/[^/?#\\]*/i.exec(text)

/** Scheme, host and port; null where a variable may decide them. */
function literalOrigin(template: string | null): string | null {
  if (template === null) return null
  const [authority] = authorityOf(template) ?? []
  if (authority === undefined) return holdsPlaceholder(template) ? null : template.toLowerCase()
  return holdsPlaceholder(authority) ? null : (URL.parse(authority)?.origin ?? null)
}

const schemeOf = (template: string | null) => authorityOf(template ?? '')?.[1]?.toLowerCase() ?? null

/** Whether the checks have secrets of the template. Values of variables belong to the caller who sends them. */
export const hasSecrets = ({ checks }: Templated) =>
  checks.some(({ settings }) => takeSecrets(settings, value => !holdsPlaceholder(value)).secrets.length > 0)

/** Whether the hosts of `after` are all among the hosts that may receive the secrets of `before`. */
export function staysWithin(before: Bound, after: Bound): boolean {
  const [from, to] = [literalOrigin(before.url_template), literalOrigin(after.url_template)]
  if (from !== null || to !== null) return from === to
  const known = before.secret_hosts ?? []
  return (
    schemeOf(before.url_template) === schemeOf(after.url_template) &&
    (after.secret_hosts ?? []).every(host => known.includes(host))
  )
}

/** Whether a variable decides the host that receives secrets, without `secret_hosts`. */
export const isUnbound = (monitor: Bound & Templated) =>
  hasSecrets(monitor) && literalOrigin(monitor.url_template) === null && (monitor.secret_hosts ?? []).length === 0

/** Whether the secrets may be sent to this address, with all variables filled. */
export function mayReceive({ url_template, secret_hosts = [] }: Bound, filled: string): boolean {
  const origin = literalOrigin(url_template)
  const url = URL.parse(filled)
  if (!url || !/^https?:$/.test(url.protocol)) return origin === filled.toLowerCase()
  if (origin !== null) return url.origin === origin
  const isOpen = url.protocol === 'http:' && schemeOf(url_template) !== 'http'
  return (
    !isOpen &&
    url.port === '' &&
    secret_hosts.some(host => (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host))
  )
}
