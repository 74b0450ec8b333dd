import { getDomain } from 'tldts'
import { z } from 'zod'
import { takeSecrets } from '#control-plane/engine/assignments/settings-secrets.ts'
import type { StoredMonitor } from './input.ts'
import { holdsPlaceholder } from './placeholders.ts'

const name = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** `*.` stands for whatever one registers below a name, never for all of a public suffix. */
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
      'Needed where a placeholder decides the host and the checks hold secrets: these go to no other host than those named here, by https ' +
      'unless the template says http, and to the usual port. A stored secret is kept as long as no host is added.',
  })

type Bound = Pick<StoredMonitor, 'url_template'> & { secret_hosts?: readonly string[] | undefined }

const authorityOf = (text: string) => /^(https?):\/\/[^/?#\\]*/i.exec(text)

/** Scheme, host and port as far as no variable decides them; null where one may. */
function literalOrigin(template: string | null): string | null {
  if (template === null) return null
  const [authority] = authorityOf(template) ?? []
  if (authority === undefined) return holdsPlaceholder(template) ? null : template.toLowerCase()
  return holdsPlaceholder(authority) ? null : (URL.parse(authority)?.origin ?? null)
}

const schemeOf = (template: string | null) => authorityOf(template ?? '')?.[1]?.toLowerCase() ?? null

/** Whether the checks hold secrets of their own: what a variable holds is whoever's who sends it. */
export const hasSecrets = ({ checks }: Pick<StoredMonitor, 'checks'>) =>
  checks.some(({ settings }) => takeSecrets(settings, value => !holdsPlaceholder(value)).secrets.length > 0)

/** Whether secrets stored for one address would stay where they may go now. */
export function staysWithin(before: Bound, after: Bound): boolean {
  const [from, to] = [literalOrigin(before.url_template), literalOrigin(after.url_template)]
  if (from !== null || to !== null) return from === to
  const known = before.secret_hosts ?? []
  return (
    schemeOf(before.url_template) === schemeOf(after.url_template) &&
    (after.secret_hosts ?? []).every(host => known.includes(host))
  )
}

/** Whether a variable decides where secrets go, and no host is named for them. */
export const isUnbound = (monitor: Bound & Pick<StoredMonitor, 'checks'>) =>
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
