import { createHash } from 'node:crypto'

/** Providers whose ping addresses go on to count here, once their host name leads to us. */
export const aliasProviders = ['healthchecks', 'uptime-kuma', 'better-stack'] as const
/** The kinds of their addresses: a check of Healthchecks has one by UUID, and may have one by ping key and slug. */
export type AliasKind = (typeof aliasProviders)[number] | 'healthchecks-slug'

/** The address of a job at another provider: the secret in it stands for the job there as here. */
export interface PingAlias {
  kind: AliasKind
  token: string
}

interface Shown {
  provider: (typeof aliasProviders)[number]
  path: string
}

/** The addresses of a kind as they are shown: the secret is not stored, only its hash. */
const shownAliases: Record<AliasKind, Shown> = {
  healthchecks: { provider: 'healthchecks', path: '/ping/…' },
  'healthchecks-slug': { provider: 'healthchecks', path: '/ping/…/…' },
  'uptime-kuma': { provider: 'uptime-kuma', path: '/api/push/…' },
  'better-stack': { provider: 'better-stack', path: '/api/v1/heartbeat/…' },
}

const isKind = (kind: string): kind is AliasKind => Object.hasOwn(shownAliases, kind)

/** What is shown of an address of a kind; null for a kind that is not known. */
export const shownAlias = (kind: string): Shown | null => (isKind(kind) ? shownAliases[kind] : null)

/** A shorter text could be guessed: people choose the tokens of some providers themselves. */
const shapes: Record<AliasKind, RegExp> = {
  healthchecks: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
  'healthchecks-slug': /^[\w-]{10,128}\/[\da-z_-]{1,100}$/,
  'uptime-kuma': /^[\w-]{10,64}$/,
  'better-stack': /^[\w-]{10,64}$/,
}

/** The address with this secret; null where the text is none, or is short enough to be guessed. */
export function aliasOf(kind: AliasKind, token: string | null | undefined): PingAlias | null {
  const plain = kind === 'healthchecks' ? token?.toLowerCase() : token
  return plain && shapes[kind].test(plain) ? { kind, token: plain } : null
}

/** The same as the addresses of a job: one or none. */
export function aliasesOf(kind: AliasKind, token: string | null | undefined): PingAlias[] {
  const alias = aliasOf(kind, token)
  return alias ? [alias] : []
}

/** What of an address is stored, and compared. */
export const aliasHash = ({ token }: PingAlias): Buffer => createHash('sha256').update(token).digest()

/** An address as a key of maps and counters, without its secret. */
export const aliasKey = (alias: PingAlias): string => `${alias.kind} ${aliasHash(alias).toString('base64url')}`
