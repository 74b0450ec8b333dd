import { createHash } from 'node:crypto'

/** Providers whose ping addresses go on to count here, once their host name leads to us. */
export const aliasKinds = ['healthchecks', 'uptime-kuma', 'better-stack'] as const
export type AliasKind = (typeof aliasKinds)[number]

/** The address of a job at another provider: the secret in it stands for the job there as here. */
export interface PingAlias {
  kind: AliasKind
  token: string
}

/** The addresses of a kind as they are shown: the secret is not stored, only its hash. */
export const aliasPaths: Record<AliasKind, string> = {
  healthchecks: '/ping/…',
  'uptime-kuma': '/api/push/…',
  'better-stack': '/api/v1/heartbeat/…',
}

/** A shorter text could be guessed: people choose the tokens of some providers themselves. */
const shapes: Record<AliasKind, RegExp> = {
  healthchecks: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
  'uptime-kuma': /^[\w-]{10,64}$/,
  'better-stack': /^[\w-]{10,64}$/,
}

/** The address with this secret; null where the text is none, or is short enough to be guessed. */
export function aliasOf(kind: AliasKind, token: string | null | undefined): PingAlias | null {
  const plain = kind === 'healthchecks' ? token?.toLowerCase() : token
  return plain && shapes[kind].test(plain) ? { kind, token: plain } : null
}

/** What of an address is stored, and compared. */
export const aliasHash = ({ token }: PingAlias): Buffer => createHash('sha256').update(token).digest()

/** An address as a key of maps and counters, without its secret. */
export const aliasKey = (alias: PingAlias): string => `${alias.kind} ${aliasHash(alias).toString('base64url')}`
