import { hash } from 'node:crypto'
import { malformed } from '#control-plane/base/refusal.ts'

const digest = (text: string) => hash('sha1', text, 'base64url')

/** Weak, as a proxy may compress one of two equal answers. */
export const etagOf = (text: string) => `W/"${digest(text)}"`

/**
 * `W/"<body>.<version>"` for one record with `updated_at`: the version stays the same while only computed fields such
 * as a status change. A resource of SCIM names its version; that of any other answer is its body.
 */
export function versionedEtagOf(text: string, answer: unknown): string {
  const given = versionOfResource(answer)
  if (given !== undefined) return given
  const version = versionOfRecord(answer)
  return version === undefined ? etagOf(text) : `W/"${digest(text)}.${version}"`
}

/** The entity tag that a resource of SCIM names itself (RFC 7643, section 3.1). */
function versionOfResource(answer: unknown): string | undefined {
  const { meta } = (answer as { meta?: { version?: unknown } } | undefined) ?? {}
  return typeof meta?.version === 'string' ? meta.version : undefined
}

export function versionOfRecord(answer: unknown): string | undefined {
  const { id, updated_at } = (answer as { data?: { id?: unknown; updated_at?: unknown } } | undefined)?.data ?? {}
  return typeof id === 'string' && typeof updated_at === 'string'
    ? digest(`${id} ${updated_at}`).slice(0, 16)
    : undefined
}

const tag = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/
const partsOf = (header: string) => header.split(',').map(part => part.trim())
const opaque = (text: string) => tag.exec(text)?.[1]
const versionIn = (text: string) => text.slice(text.lastIndexOf('.') + 1)

/** `If-None-Match`: whether the caller has this answer already. */
export const isKnown = (header: string, etag: string) =>
  header === etag || partsOf(header).some(part => part === '*' || opaque(part) === opaque(etag))

/**
 * `If-Match`: whether the caller has read this version of the record. A header that is no list of entity tags is a 400.
 */
export function isCurrent(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const received = partsOf(header).map(opaque)
  if (received.includes(undefined)) throw malformed('If-Match is not a list of entity tags.')
  return received.some(text => text !== undefined && versionIn(text) === versionIn(opaque(etag) ?? ''))
}
